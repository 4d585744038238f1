import type { PlayerView } from "@holo/protocol/views.ts";
import type { GameType } from "@holo/rules/rules.ts";
import type { LimitMinutes, Stake } from "@holo/table/stakes.ts";
import { ChoiceDialog } from "./choice-dialog.tsx";
import { formatGame } from "./match.ts";
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

/** What joining costs and what each outcome pays, before anything is taken (ruling 6). */
export function FeeDialog(props: FeeDialogProps) {
  const { game, stake, feeBps, opponent, isJoining, onAccept, onClose } = props;
  const refusal = findSeatRefusal(useLimits(), stake, Date.now());
  return (
    <ChoiceDialog
      title="Transaction Fee"
      act="Accept & Join"
      busy={isJoining && "Joining..."}
      disabled={refusal !== null}
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
        <TermsReceipt game={game} stake={stake} feeBps={feeBps} />
        <OutcomesReceipt game={game} stake={stake} feeBps={feeBps} />
        {refusal !== null && <RefusalNote words={refusal} />}
      </div>
    </ChoiceDialog>
  );
}
