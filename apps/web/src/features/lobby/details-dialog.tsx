import { formatCoins } from "@holo/kernel/money.ts";
import type { MatchView } from "@holo/protocol/views.ts";
import { useSession } from "../../lib/session.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { formatAbsence, formatGame, seatOf, toMatchTerms } from "../../ui/match.ts";
import { MatchBadge } from "../../ui/match-badge.tsx";
import { PlayerName } from "../../ui/people/player-name.tsx";
import { Receipt, ReceiptRow } from "../../ui/receipt.tsx";
import { toDetailsAct } from "./details-act.ts";
import { toWinnerName } from "./winner.ts";

interface DetailsDialogProps {
  readonly match: MatchView;
  readonly onClose: () => void;
  readonly onJoin: () => void;
}

export default function DetailsDialog({ match, onClose, onJoin }: DetailsDialogProps) {
  const { player } = useSession();
  const act = toDetailsAct(match.status, seatOf(match, player?.id));
  return (
    <Dialog
      title="Match Details"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          {act === "Join Match" ? (
            <Button kind="primary" onClick={onJoin}>
              {act}
            </Button>
          ) : (
            <ButtonLink href={`/game/${match.id}`} kind={act === "Play Now" ? "primary" : "secondary"}>
              {act}
            </ButtonLink>
          )}
        </>
      }
    >
      <Receipt>
        <ReceiptRow term="White">
          <PlayerName player={match.white} gameId={match.id} />
        </ReceiptRow>
        <ReceiptRow term="Black">
          {match.black === null ? formatAbsence(match.status) : <PlayerName player={match.black} gameId={match.id} />}
        </ReceiptRow>
        <ReceiptRow term="Stake">{formatCoins(toMatchTerms(match).stakeTotal)} coins</ReceiptRow>
        <ReceiptRow term="Time Control">{match.limitMinutes} minutes</ReceiptRow>
        <ReceiptRow term="Game Mode">{formatGame(match.game)}</ReceiptRow>
        <ReceiptRow term="Status">
          <MatchBadge status={match.status} />
        </ReceiptRow>
        {match.status === "completed" && <ReceiptRow term="Winner">{toWinnerName(match) ?? "Draw"}</ReceiptRow>}
      </Receipt>
    </Dialog>
  );
}
