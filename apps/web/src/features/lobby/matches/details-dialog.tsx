import type { MatchView } from "@holo/protocol/game/games.ts";
import { isFree } from "@holo/table/stakes.ts";
import { useSession } from "../../../lib/session/session.ts";
import { formatGame, formatMissingOpponent, seatOf } from "../../../shared/match/match.ts";
import { MatchBadge } from "../../../shared/match/match-badge.tsx";
import { MatchStake } from "../../../shared/match/match-stake.tsx";
import { PlayerName } from "../../../shared/people/player-name.tsx";
import { Button, ButtonLink } from "../../../ui/button/button.tsx";
import { Receipt, ReceiptRow } from "../../../ui/data/receipt.tsx";
import { Dialog } from "../../../ui/overlay/dialog.tsx";
import { FreeJoinButton } from "./free-join-button.tsx";
import { toDetailsAction, toWinnerName } from "./match-details.ts";

interface DetailsDialogProps {
  readonly match: MatchView;
  readonly onClose: () => void;
  readonly onJoin: () => void;
}

export default function DetailsDialog({ match, onClose, onJoin }: DetailsDialogProps) {
  const { player } = useSession();
  const action = toDetailsAction(match.status, seatOf(match, player?.id));
  return (
    <Dialog
      title="Match Details"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          {action === "Join Match" ? (
            isFree(match.stake) ? (
              <FreeJoinButton match={match} kind="primary" onRefused={onClose} />
            ) : (
              <Button kind="primary" onClick={onJoin}>
                {action}
              </Button>
            )
          ) : (
            <ButtonLink href={`/game/${match.id}`} kind={action === "Play Now" ? "primary" : "secondary"}>
              {action}
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
          {match.black === null ? (
            formatMissingOpponent(match.status)
          ) : (
            <PlayerName player={match.black} gameId={match.id} />
          )}
        </ReceiptRow>
        <ReceiptRow term="Stake">
          <MatchStake match={match} />
        </ReceiptRow>
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
