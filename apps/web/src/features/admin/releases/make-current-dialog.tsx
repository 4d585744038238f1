import type { ReleaseView } from "@holo/protocol/releases.ts";
import { useState } from "react";
import { callApi } from "../../../lib/api/api.ts";
import { toFailure } from "../../../lib/api/failure.ts";
import { PLATFORM_WORDS } from "../../../lib/native/release-text.ts";
import { refreshReleases } from "../../../lib/native/releases.ts";
import { isNewer } from "../../../lib/native/version.ts";
import { FailureNote } from "../../../ui/feedback/failure-note.tsx";
import { useAttempts } from "../../../ui/form/attempts.ts";
import { ConfirmDialog } from "../../../ui/overlay/confirm-dialog.tsx";
import { notify } from "../../../ui/overlay/notify.ts";
import { refreshAdmin } from "../admin-queries.ts";

interface MakeCurrentDialogProps {
  readonly release: ReleaseView;
  readonly current: ReleaseView | null;
  readonly onClose: () => void;
  readonly onOutdated: () => void;
}

export function MakeCurrentDialog({ release, current, onClose, onOutdated }: MakeCurrentDialogProps) {
  const [isSending, setSending] = useState(false);
  const { failure, setFailure, attempt } = useAttempts();
  const { name } = PLATFORM_WORDS[release.platform];
  const isStepBack = current !== null && isNewer(current.version, release.version);

  async function makeCurrent() {
    setFailure(null);
    setSending(true);
    const answer = await attempt(() =>
      callApi("makeReleaseCurrent", { body: { id: release.id, insteadOf: current?.id ?? null } }),
    );
    setSending(false);
    if (answer === null) return;
    refreshAdmin();
    if (!answer.ok) {
      if (answer.refusal.code === "current_release_changed") onOutdated();
      return setFailure(toFailure(answer.refusal));
    }
    refreshReleases();
    notify({ kind: "done", title: "Current version changed", text: `${name} ${release.version} is offered now.` });
    onClose();
  }

  return (
    <ConfirmDialog
      title={`Make ${release.version} Current?`}
      confirmText="Make Current"
      cancelText="Not Now"
      busyText={isSending && "Changing..."}
      onConfirm={() => void makeCurrent()}
      onClose={onClose}
    >
      <p className="muted">
        Everybody is offered {name} {release.version}
        {current !== null && ` instead of ${current.version}`}. Older apps ask to be updated to it.
        {isStepBack && ` Anyone who has ${current.version} keeps it.`}
      </p>
      {failure !== null && <FailureNote failure={failure} />}
    </ConfirmDialog>
  );
}
