import { callApi } from "../../../lib/api/api.ts";
import { ReasonDialog, type ReasonDialogTexts } from "../reason-dialog.tsx";

const BAN_TEXTS: ReasonDialogTexts = {
  title: "Block the Player?",
  body: "They can't play, chat or deposit any more. Their waiting game is cancelled, an active one goes on to its end, and they can withdraw their coins at any time.",
  submit: "Block",
  busy: "Blocking...",
  done: "Player blocked",
  reasonLabel: "Reason",
  reasonHint: "The player sees this and gets it by mail. Write a whole sentence.",
};
const LIFT_TEXTS: ReasonDialogTexts = {
  title: "Unblock the Player?",
  body: "They can play, chat and deposit again.",
  submit: "Unblock",
  busy: "Unblocking...",
  done: "Player unblocked",
  reasonLabel: "Reason",
  reasonHint: "The player gets this by mail.",
};
/** Maximum length in the protocol. */
const REASON_MAX = 500;

interface BanDialogProps {
  readonly playerId: string;
  readonly isBanned: boolean;
  readonly onClose: () => void;
}

/** Bans a player, or lifts the ban. */
export function BanDialog({ playerId, isBanned, onClose }: BanDialogProps) {
  return (
    <ReasonDialog
      texts={isBanned ? LIFT_TEXTS : BAN_TEXTS}
      reasonMax={REASON_MAX}
      send={(reason) => callApi(isBanned ? "unbanPlayer" : "banPlayer", { body: { playerId, reason } })}
      onClose={onClose}
    />
  );
}
