import { formatCoins } from "@holo/kernel/money.ts";
import type { GameType } from "@holo/rules/rules.ts";
import { type LimitMinutes, type Stake, toTerms } from "@holo/table/stakes.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { formatGame, PIECE_COUNTS } from "./match.ts";
import { TermsReceipt } from "./terms-receipt.tsx";
import "./fee-dialog.css";

interface FeeDialogProps {
  readonly game: GameType;
  readonly stake: Stake;
  readonly feeBps: number;
  readonly limitMinutes: LimitMinutes;
  readonly opponent: string;
  /** Accepted, and on its way: nothing can be taken back now. */
  readonly isJoining: boolean;
  readonly onAccept: () => void;
  readonly onClose: () => void;
}

/** What joining costs and what each outcome pays, before anything is taken (ruling 6). */
export function FeeDialog(props: FeeDialogProps) {
  const { game, stake, feeBps, isJoining, onAccept, onClose } = props;
  const { entry, winnings, drawReturn } = toTerms(stake, PIECE_COUNTS[game], feeBps);
  return (
    <Dialog
      title="Transaction Fee"
      onClose={isJoining ? undefined : onClose}
      actions={
        <>
          <Button onClick={onClose} disabled={isJoining}>
            Cancel
          </Button>
          <Button kind="primary" busy={isJoining && "Joining..."} onClick={onAccept}>
            Accept & Join
          </Button>
        </>
      }
    >
      <div className="fee-dialog">
        <p className="muted">
          {formatGame(game)} against <b className="strong unbroken">{props.opponent}</b>, {props.limitMinutes} minutes
          each.
        </p>
        <TermsReceipt game={game} stake={stake} feeBps={feeBps} />
        <p className="meta">
          You win: you receive {formatCoins(winnings)} HC. Draw: {formatCoins(drawReturn)} HC back. Cancelled: all{" "}
          {formatCoins(entry, "up")} HC back.
        </p>
      </div>
    </Dialog>
  );
}
