import type { GameId } from "@holo/kernel/ids.ts";
import { callApi } from "../../../lib/api/api.ts";
import { ReasonDialog, type ReasonDialogTexts } from "../reason-dialog.tsx";

const TEXTS: ReasonDialogTexts = {
  title: "Cancel the Game?",
  body: "The game ends now, and both players get their whole entry back. It doesn't count for either. This can't be undone.",
  keep: "Keep Game",
  submit: "Cancel Game",
  busy: "Cancelling...",
  done: "Game cancelled",
  reasonLabel: "Reason",
  reasonHint: "Both players see this, and so does everyone who opens the game.",
};
const REASON_MAX = 300;

interface CancelGameDialogProps {
  readonly gameId: GameId;
  readonly onClose: () => void;
}

export function CancelGameDialog({ gameId, onClose }: CancelGameDialogProps) {
  return (
    <ReasonDialog
      texts={TEXTS}
      reasonMax={REASON_MAX}
      kind="danger"
      send={(reason) => callApi("cancelGame", { body: { gameId, reason } })}
      onClose={onClose}
    />
  );
}
