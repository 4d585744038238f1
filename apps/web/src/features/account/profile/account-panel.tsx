import type { OwnPlayerView } from "@holo/protocol/accounts/session.ts";
import { type ReactNode, useState } from "react";
import { refreshQueries } from "../../../lib/api/query.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { Note } from "../../../ui/feedback/note.tsx";
import { Icon } from "../../../ui/icon/icon.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { ChangeEmailDialog } from "../email/change-email-dialog.tsx";
import { ChangePasswordDialog } from "../password/change-password-dialog.tsx";
import { SecondFactorRow } from "../second-factor/second-factor-row.tsx";
import { Sessions, toSessionsKey } from "../sessions/sessions.tsx";
import "./account-panel.css";

const EXPORT_URL = "/api/account/export.json";

export function AccountPanel({ player }: { readonly player: OwnPlayerView }) {
  const [openDialog, setOpenDialog] = useState<"email" | "password" | null>(null);
  const [askedEmail, setAskedEmail] = useState<string | null>(null);
  const close = () => setOpenDialog(null);
  const waitingEmail = askedEmail === player.email ? null : askedEmail;

  return (
    <div className="own-account" id="account">
      <Panel label="Account">
        <h2>Account</h2>
        <dl>
          <Row term="Email" action="Change email" onChange={() => setOpenDialog("email")}>
            <span className="address">{player.email}</span>
            {player.emailVerified ? <Badge kind="active">Verified</Badge> : <Badge kind="pending">Not verified</Badge>}
          </Row>
          <Row term="Password" action="Change password" onChange={() => setOpenDialog("password")}>
            ••••••••
          </Row>
          <SecondFactorRow player={player} />
        </dl>
        {waitingEmail !== null && (
          <div role="status">
            <Note icon="send">
              We mailed{" "}
              <b className="unbroken" translate="no">
                {waitingEmail}
              </b>
              . Open the link in that email to switch. Until then your email stays the same.
            </Note>
          </div>
        )}
        <Sessions playerId={player.id} />
        <div className="own-data">
          <h3>Your data</h3>
          <p className="muted">Everything we have about you in one file: games, entries, payments, messages, limits.</p>
          <a className="button secondary" href={EXPORT_URL} download>
            <Icon name="download" />
            Download my data
          </a>
        </div>
      </Panel>
      {openDialog === "email" && (
        <ChangeEmailDialog
          player={player}
          onClose={close}
          onAsked={(newEmail) => {
            setAskedEmail(newEmail);
            close();
          }}
        />
      )}
      {openDialog === "password" && (
        <ChangePasswordDialog
          player={player}
          onClose={close}
          onChanged={() => {
            void refreshQueries(toSessionsKey(player.id));
            close();
          }}
        />
      )}
    </div>
  );
}

interface RowProps {
  readonly term: string;
  readonly action: string;
  readonly onChange: () => void;
  readonly children: ReactNode;
}

function Row({ term, action, onChange, children }: RowProps) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
      <dd className="act">
        <Button size="small" onClick={onChange} aria-label={action}>
          Change
        </Button>
      </dd>
    </div>
  );
}
