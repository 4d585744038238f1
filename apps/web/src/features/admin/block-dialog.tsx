import { callApi } from "../../lib/api.ts";
import { ActDialog, type ActWords } from "./act-dialog.tsx";

const BLOCK: ActWords = {
  title: "Block the Player?",
  text: "They can play, chat and deposit no more. Their waiting game is cancelled, an active one goes on to its end, and they can withdraw their coins at any time.",
  act: "Block",
  busy: "Blocking...",
  done: "Player blocked",
  label: "Reason",
  hint: "The player is shown it and mailed. Write a whole sentence.",
};
const UNBLOCK: ActWords = {
  title: "Unblock the Player?",
  text: "They can play, chat and deposit again.",
  act: "Unblock",
  busy: "Unblocking...",
  done: "Player unblocked",
  label: "Reason",
  hint: "The player is mailed it.",
};
/** As the wire bounds it. */
const REASON_MAX = 500;

interface BlockDialogProps {
  readonly playerId: string;
  /** Whether they are blocked now. */
  readonly isBlocked: boolean;
  readonly onClose: () => void;
}

/** Keeps a player from playing, or lets them play again. */
export function BlockDialog({ playerId, isBlocked, onClose }: BlockDialogProps) {
  return (
    <ActDialog
      words={isBlocked ? UNBLOCK : BLOCK}
      reasonMax={REASON_MAX}
      send={(reason) => callApi(isBlocked ? "unblockPlayer" : "blockPlayer", { body: { playerId, reason } })}
      onClose={onClose}
    />
  );
}
