import { type Coins, formatCoins, subtractCoins } from "@holo/kernel/money.ts";
import { toRefusalView } from "@holo/protocol/refusals.ts";
import type { PlayerView } from "@holo/protocol/views.ts";
import type { GameType } from "@holo/rules/rules.ts";
import { type LimitMinutes, type Stake, toTerms } from "@holo/table/stakes.ts";
import { useState } from "react";
import { useSession } from "../lib/session.ts";
import { ChoiceDialog } from "./choice-dialog.tsx";
import { formatGame, PIECE_COUNTS } from "./match.ts";
import { formatNaira, toKobo } from "./naira.ts";
import { Note } from "./note.tsx";
import { OutcomesReceipt } from "./outcomes-receipt.tsx";
import { PlayerName } from "./people/player-name.tsx";
import { findSeatRefusal } from "./permit.ts";
import { RefusalNote } from "./refusal-note.tsx";
import { TermsReceipt } from "./terms-receipt.tsx";
import { useLimits } from "./use-limits.ts";
import "./fee-dialog.css";

interface FeeDialogProps {
  readonly gameId: string;
  readonly game: GameType;
  readonly stake: Stake;
  readonly feeBps: number;
  readonly limitMinutes: LimitMinutes;
  readonly opponent: PlayerView;
  /** Accepted, and on its way: nothing can be taken back now. */
  readonly isJoining: boolean;
  readonly onAccept: () => void;
  readonly onClose: () => void;
}

/** What joining costs, what it leaves and what each outcome pays, before anything is taken (ruling 6). */
export function FeeDialog(props: FeeDialogProps) {
  const { game, stake, feeBps, opponent, isJoining, onAccept, onClose } = props;
  const { rateKobo } = useSession().settings;
  const balance = useBalanceBefore(isJoining);
  const { entry } = toTerms(stake, PIECE_COUNTS[game], feeBps);
  const barred = findSeatRefusal(useLimits(), stake, Date.now());
  // Told beforehand, and for the arena to refuse all the same: what was just paid in may not be shown yet.
  const refusal = barred ?? (balance < entry ? toRefusalView("insufficient_to_join", { need: entry }) : null);
  return (
    <ChoiceDialog
      title="Transaction Fee"
      act="Accept & Join"
      busy={isJoining && "Joining..."}
      disabled={barred !== null}
      onAct={onAccept}
      onClose={onClose}
    >
      <div className="fee-dialog">
        <p className="muted">
          {formatGame(game)} against{" "}
          <b className="strong">
            <PlayerName player={opponent} gameId={props.gameId} />
          </b>
          , {props.limitMinutes} minutes each.
        </p>
        <TermsReceipt game={game} stake={stake} feeBps={feeBps} note={formatNaira(toKobo(entry, rateKobo))} />
        <OutcomesReceipt game={game} stake={stake} feeBps={feeBps} />
        {refusal === null ? (
          <Note>After paying in, your balance is {formatCoins(subtractCoins(balance, entry))} HC.</Note>
        ) : (
          <RefusalNote words={refusal} />
        )}
      </div>
    </ChoiceDialog>
  );
}

/** The balance as it was when the seat was accepted: from then on the entry leaves it. */
function useBalanceBefore(isJoining: boolean): Coins {
  const { balance } = useSession();
  const [before, setBefore] = useState(balance);
  if (!isJoining && before !== balance) setBefore(balance);
  return before;
}
