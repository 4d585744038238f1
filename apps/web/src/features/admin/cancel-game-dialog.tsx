import { callApi } from "../../lib/api.ts";
import { ActDialog, type ActWords } from "./act-dialog.tsx";

const WORDS: ActWords = {
  title: "Cancel the Game?",
  text: "The game ends at once, and both players get their whole entry back. It counts for neither. This cannot be taken back.",
  act: "Cancel Game",
  busy: "Cancelling...",
  done: "Game cancelled",
  label: "Reason",
  hint: "Both players are told, and it stands in the game's record for everybody.",
};
/** As the wire bounds it. */
const REASON_MAX = 300;

interface CancelGameDialogProps {
  readonly gameId: string;
  readonly onClose: () => void;
}

/** Ends a game that cannot go on. */
export function CancelGameDialog({ gameId, onClose }: CancelGameDialogProps) {
  return (
    <ActDialog
      words={WORDS}
      reasonMax={REASON_MAX}
      send={(reason) => callApi("cancelGame", { body: { gameId, reason } })}
      onClose={onClose}
    />
  );
}
