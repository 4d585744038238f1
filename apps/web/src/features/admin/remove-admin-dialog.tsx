import type { AdminsView, AdminView } from "@holo/protocol/admin-views.ts";
import { useState } from "react";
import { callApi } from "../../lib/api.ts";
import { ChoiceDialog } from "../../ui/choice-dialog.tsx";
import { Failure, type FailureWords } from "../../ui/failure.tsx";
import { notify } from "../../ui/notify.ts";

interface RemoveAdminDialogProps {
  readonly admin: AdminView;
  readonly onClose: () => void;
  readonly onRemoved: (admins: AdminsView) => void;
}

export function RemoveAdminDialog({ admin: { id, email }, onClose, onRemoved }: RemoveAdminDialogProps) {
  const [isRemoving, setRemoving] = useState(false);
  const [failure, setFailure] = useState<FailureWords | null>(null);

  async function remove() {
    setFailure(null);
    setRemoving(true);
    const answer = await callApi("removeAdmin", { body: { id } });
    setRemoving(false);
    if (!answer.ok) return setFailure({ title: "Failed to remove admin email", text: answer.refusal.text });
    notify({ kind: "done", title: "Admin removed" });
    onRemoved(answer.value);
    onClose();
  }

  return (
    <ChoiceDialog
      title="Remove Admin?"
      act="Remove"
      kind="danger"
      busy={isRemoving && "Removing..."}
      onAct={() => void remove()}
      onClose={onClose}
    >
      <p className="muted">
        <b className="email">{email}</b> loses this page at once. What they did stays in the log.
      </p>
      {failure !== null && <Failure words={failure} />}
    </ChoiceDialog>
  );
}
