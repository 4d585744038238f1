import { callApi } from "../../../lib/api/api.ts";
import { ReasonDialog, type ReasonDialogTexts } from "../reason-dialog.tsx";

const HOLD_TEXTS: ReasonDialogTexts = {
  title: "Hold the Withdrawals?",
  body: "Nothing is paid out to them until the hold is released, and they can order no new withdrawal. What the bank has been told to send goes on. They keep their coins and can play.",
  submit: "Hold",
  busy: "Holding...",
  done: "Withdrawals held",
  reasonLabel: "Reason",
  reasonHint: "The player reads it in the wallet. Write a whole sentence.",
};
const RELEASE_TEXTS: ReasonDialogTexts = {
  title: "Release the Withdrawals?",
  body: "Withdrawals that waited are sent at once, and new ones are possible again.",
  submit: "Release",
  busy: "Releasing...",
  done: "Withdrawals released",
  reasonLabel: "What you found",
  reasonHint: "It is kept in the log of acts.",
};
/** Maximum length in the protocol. */
const REASON_MAX = 500;

interface WithdrawalHoldDialogProps {
  readonly playerId: string;
  readonly isHeld: boolean;
  readonly onClose: () => void;
}

/** Holds a player's withdrawals, or releases them. */
export function WithdrawalHoldDialog({ playerId, isHeld, onClose }: WithdrawalHoldDialogProps) {
  return (
    <ReasonDialog
      texts={isHeld ? RELEASE_TEXTS : HOLD_TEXTS}
      reasonMax={REASON_MAX}
      send={(reason) => callApi(isHeld ? "releaseWithdrawals" : "holdWithdrawals", { body: { playerId, reason } })}
      onClose={onClose}
    />
  );
}
