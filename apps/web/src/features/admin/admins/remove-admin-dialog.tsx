import type { AdminsView, AdminView } from "@holo/protocol/admin/staff.ts";
import { useState } from "react";
import { callApi } from "../../../lib/api/api.ts";
import { toFailure } from "../../../lib/api/failure.ts";
import { FailureNote } from "../../../ui/feedback/failure-note.tsx";
import { useAttempts } from "../../../ui/form/attempts.ts";
import { ConfirmDialog } from "../../../ui/overlay/confirm-dialog.tsx";
import { notify } from "../../../ui/overlay/notify.ts";

interface RemoveAdminDialogProps {
  readonly admin: AdminView;
  readonly onClose: () => void;
  readonly onRemoved: (admins: AdminsView) => void;
}

export function RemoveAdminDialog({ admin: { id, email }, onClose, onRemoved }: RemoveAdminDialogProps) {
  const [isRemoving, setRemoving] = useState(false);
  const { failure, setFailure, attempt } = useAttempts();

  async function remove() {
    setFailure(null);
    setRemoving(true);
    const answer = await attempt(() => callApi("removeAdmin", { body: { id } }));
    setRemoving(false);
    if (answer === null) return;
    if (!answer.ok) return setFailure(toFailure(answer.refusal, "Failed to remove admin email"));
    notify({ kind: "done", title: "Admin removed" });
    onRemoved(answer.value);
    onClose();
  }

  return (
    <ConfirmDialog
      title="Remove Admin?"
      confirmText="Remove"
      kind="danger"
      busyText={isRemoving && "Removing..."}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      <p className="muted">
        <b className="email">{email}</b> loses access to these pages at once. Their actions stay in the log.
      </p>
      {failure !== null && <FailureNote failure={failure} />}
    </ConfirmDialog>
  );
}
