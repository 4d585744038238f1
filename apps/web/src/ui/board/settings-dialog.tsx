import { Button } from "../button.tsx";
import { Dialog } from "../dialog.tsx";
import { BoardSettingsForm } from "./settings-form.tsx";

/** How somebody plays on this device. Each choice holds at once. */
export default function BoardSettingsDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Board settings" onClose={onClose} actions={<Button onClick={onClose}>Done</Button>}>
      <BoardSettingsForm />
    </Dialog>
  );
}
