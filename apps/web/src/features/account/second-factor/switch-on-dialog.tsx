import type { OwnPlayerView } from "@holo/protocol/accounts/session.ts";
import { useState } from "react";
import { callApi } from "../../../lib/api/api.ts";
import { CredentialsDialog } from "../../../shared/account/credentials-dialog.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { CopyButton } from "../../../ui/button/copy-button.tsx";
import { Dialog } from "../../../ui/overlay/dialog.tsx";
import { notify } from "../../../ui/overlay/notify.ts";
import { QrPicture } from "./qr-picture.tsx";
import "./second-factor.css";

interface DialogProps {
  readonly player: OwnPlayerView;
  readonly onClose: () => void;
}

interface Setup {
  readonly secret: string;
  readonly uri: string;
}

export default function SwitchOnDialog({ player, onClose }: DialogProps) {
  const [setup, setSetup] = useState<Setup | null>(null);
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[] | null>(null);
  if (recoveryCodes !== null) return <RecoveryCodesDialog codes={recoveryCodes} onClose={onClose} />;
  if (setup !== null) return <AppDialog setup={setup} onDone={setRecoveryCodes} onClose={onClose} />;
  return <PasswordDialog player={player} onDone={setSetup} onClose={onClose} />;
}

function PasswordDialog({ player, onDone, onClose }: DialogProps & { readonly onDone: (setup: Setup) => void }) {
  return (
    <CredentialsDialog
      title="Switch On Login Codes"
      submitText="Continue"
      busyText="One moment..."
      cancelText="Not Now"
      email={player.email}
      send={({ password }) => callApi("beginSecondFactor", { body: { password } })}
      onDone={onDone}
      onClose={onClose}
    >
      <p>
        With login codes, your password alone is not enough: you also enter a code from an authenticator app on your
        phone, at login and before you withdraw.
      </p>
      <p>You need such an app, for example Google Authenticator or Microsoft Authenticator.</p>
    </CredentialsDialog>
  );
}

interface AppDialogProps {
  readonly setup: Setup;
  readonly onDone: (recoveryCodes: readonly string[]) => void;
  readonly onClose: () => void;
}

function AppDialog({ setup: { secret, uri }, onDone, onClose }: AppDialogProps) {
  return (
    <CredentialsDialog
      title="Connect Your App"
      submitText="Switch On"
      busyText="Checking..."
      code={{ label: "Code from the app", isNumeric: true }}
      send={({ code }) => callApi("enableSecondFactor", { body: { code } })}
      onDone={({ recoveryCodes }) => {
        notify({ kind: "done", title: "Login codes are on" });
        onDone(recoveryCodes);
      }}
      onClose={onClose}
    >
      <div className="second-factor-setup">
        <QrPicture label="QR code for your authenticator app" text={uri} />
        <div className="second-factor-how">
          <p>Scan this with your authenticator app.</p>
          <p>
            On this phone?{" "}
            <a className="link" href={uri}>
              Open your app
            </a>
            , or type this key into it:
          </p>
          <p>
            <code className="second-factor-secret">{(secret.match(/.{1,4}/g) ?? []).join(" ")}</code>
          </p>
        </div>
      </div>
    </CredentialsDialog>
  );
}

function RecoveryCodesDialog({ codes, onClose }: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  return (
    // Neither Escape nor a Cancel button: they would lose the codes.
    <Dialog
      title="Keep Your Recovery Codes"
      actions={
        <Button kind="primary" onClick={onClose}>
          I've Saved Them
        </Button>
      }
    >
      <p>
        If you lose your phone, one of these logs you in instead. Each works once. Write them down or copy them now:{" "}
        <b className="strong">they are not shown again.</b>
      </p>
      <ul className="recovery-codes" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <CopyButton text={codes.join("\n")} label="Copy codes" />
    </Dialog>
  );
}
