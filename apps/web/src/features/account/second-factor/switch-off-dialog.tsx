import type { OwnPlayerView } from "@holo/protocol/accounts/session.ts";
import { callApi } from "../../../lib/api/api.ts";
import { CredentialsDialog } from "../../../shared/account/credentials-dialog.tsx";
import { notify } from "../../../ui/overlay/notify.ts";

interface SwitchOffDialogProps {
  readonly player: OwnPlayerView;
  readonly onClose: () => void;
}

export default function SwitchOffDialog({ player, onClose }: SwitchOffDialogProps) {
  return (
    <CredentialsDialog
      title="Switch Off Login Codes?"
      submitText="Switch Off"
      kind="danger"
      busyText="Switching off..."
      email={player.email}
      code={{ label: "Code", hint: "From your authenticator app, or a recovery code." }}
      send={(body) => callApi("disableSecondFactor", { body })}
      onDone={() => {
        notify({ kind: "done", title: "Login codes are off" });
        onClose();
      }}
      onClose={onClose}
    >
      <p>You'll log in and withdraw with your password only. Your recovery codes stop working.</p>
    </CredentialsDialog>
  );
}
