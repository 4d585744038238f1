import type { OwnPlayerView } from "@holo/protocol/views.ts";
import { type ReactNode, useState } from "react";
import { queryClient } from "../../lib/query.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Note } from "../../ui/note.tsx";
import { Panel } from "../../ui/panel.tsx";
import { EmailDialog } from "./email-dialog.tsx";
import { PasswordDialog } from "./password-dialog.tsx";
import { Sessions, toSessionsKey } from "./sessions.tsx";
import "./own-account.css";

const EXPORT_ADDRESS = "/api/account/export.json";

/** What the account hangs on: address, password, and where it is open. */
export function OwnAccount({ player }: { readonly player: OwnPlayerView }) {
  const [asking, setAsking] = useState<"email" | "password" | null>(null);
  const [askedEmail, setAskedEmail] = useState<string | null>(null);
  const close = () => setAsking(null);
  // once it is the account's there is nothing left to wait for
  const waitingEmail = askedEmail === player.email ? null : askedEmail;

  return (
    <div className="own-account" id="account">
      <Panel label="Account">
        <h2>Account</h2>
        <dl>
          <Row term="Email" act="Change email" onAct={() => setAsking("email")}>
            <span className="address">{player.email}</span>
            {player.emailVerified ? <Badge kind="active">Verified</Badge> : <Badge kind="pending">Not verified</Badge>}
          </Row>
          <Row term="Password" act="Change password" onAct={() => setAsking("password")}>
            Only you know it
          </Row>
        </dl>
        {waitingEmail !== null && (
          <div role="status">
            <Note icon="send">
              We mailed <b className="unbroken">{waitingEmail}</b>. Open the link there: until then your email stays as
              it is.
            </Note>
          </div>
        )}
        <Sessions playerId={player.id} />
        <div className="own-data">
          <h3>Your data</h3>
          <p className="muted">
            Everything that is yours here, in one file: games, entries, payments, messages, limits.
          </p>
          <a className="button secondary" href={EXPORT_ADDRESS} download>
            <Icon name="download" />
            Download my data
          </a>
        </div>
      </Panel>
      {asking === "email" && (
        <EmailDialog
          player={player}
          onClose={close}
          onAsked={(newEmail) => {
            setAskedEmail(newEmail);
            close();
          }}
        />
      )}
      {asking === "password" && (
        <PasswordDialog
          player={player}
          onClose={close}
          onChanged={() => {
            void queryClient.invalidateQueries({ queryKey: toSessionsKey(player.id) });
            close();
          }}
        />
      )}
    </div>
  );
}

interface RowProps {
  readonly term: string;
  readonly act: string;
  readonly onAct: () => void;
  readonly children: ReactNode;
}

function Row({ term, act, onAct, children }: RowProps) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
      <dd className="act">
        <Button size="small" onClick={onAct} aria-label={act}>
          Change
        </Button>
      </dd>
    </div>
  );
}
