import { callApi } from "../../../lib/api/api.ts";
import { ReasonDialog, type ReasonDialogTexts } from "../reason-dialog.tsx";

const HOLD_TEXTS: ReasonDialogTexts = {
  title: "Hold the Withdrawals?",
  body: "Nothing is paid out to them until you release the hold, and they can't request new withdrawals. Transfers that the bank already has go on. They keep their coins and can play.",
  submit: "Hold",
  busy: "Holding...",
  done: "Withdrawals held",
  reasonLabel: "Reason",
  reasonHint: "The player sees this in the wallet. Write a whole sentence.",
};
const RELEASE_TEXTS: ReasonDialogTexts = {
  title: "Release the Withdrawals?",
  body: "Withdrawals that waited are sent at once, and new ones are possible again.",
  submit: "Release",
  busy: "Releasing...",
  done: "Withdrawals released",
  reasonLabel: "What you found",
  reasonHint: "Kept in the activity log.",
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
