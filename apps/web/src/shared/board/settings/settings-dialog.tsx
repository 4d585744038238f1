import { Button } from "../../../ui/button/button.tsx";
import { Dialog } from "../../../ui/overlay/dialog.tsx";
import { BoardSettingsForm } from "./settings-form.tsx";

export default function BoardSettingsDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Board settings" onClose={onClose} actions={<Button onClick={onClose}>Done</Button>}>
      <BoardSettingsForm />
    </Dialog>
  );
}
