import type { ReleaseView } from "@holo/protocol/release-views.ts";
import { useState } from "react";
import { callApi } from "../../lib/api.ts";
import { PLATFORM_WORDS } from "../../lib/release-text.ts";
import { refreshReleases } from "../../lib/releases.ts";
import { isNewer } from "../../lib/version.ts";
import { ChoiceDialog } from "../../ui/choice-dialog.tsx";
import { Failure, type FailureWords } from "../../ui/failure.tsx";
import { notify } from "../../ui/notify.ts";
import { refreshAdmin } from "./use-overview.ts";

interface MakeCurrentDialogProps {
  readonly release: ReleaseView;
  /** Of the same platform. */
  readonly current: ReleaseView | null;
  readonly onClose: () => void;
}

/** Says what everybody will be offered from then on. */
export function MakeCurrentDialog({ release, current, onClose }: MakeCurrentDialogProps) {
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<FailureWords | null>(null);
  const { name } = PLATFORM_WORDS[release.platform];
  const isStepBack = current !== null && isNewer(current.version, release.version);

  async function makeCurrent() {
    setFailure(null);
    setSending(true);
    const answer = await callApi("makeReleaseCurrent", { body: { id: release.id } });
    setSending(false);
    refreshAdmin();
    if (!answer.ok) return setFailure(answer.refusal);
    refreshReleases();
    notify({ kind: "done", title: "Current version changed", text: `${name} ${release.version} is offered now.` });
    onClose();
  }

  return (
    <ChoiceDialog
      title={`Make ${release.version} Current?`}
      act="Make Current"
      busy={isSending && "Changing..."}
      onAct={() => void makeCurrent()}
      onClose={onClose}
    >
      <p className="muted">
        Everybody is offered {name} {release.version}
        {current !== null && ` instead of ${current.version}`}, and older apps ask to be updated to it.
        {isStepBack && ` Who has ${current.version} already keeps it.`}
      </p>
      {failure !== null && <Failure words={failure} />}
    </ChoiceDialog>
  );
}
