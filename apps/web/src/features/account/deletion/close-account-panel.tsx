import { useState } from "react";
import { useRestrictions } from "../../../shared/restrictions/use-restrictions.ts";
import { Button } from "../../../ui/button/button.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { formatFutureTime } from "../../../ui/text/relative-time.ts";
import { useNow } from "../../../ui/text/use-now.ts";
import { CloseAccountDialog } from "./close-account-dialog.tsx";
import { DeleteAccountDialog } from "./delete-account-dialog.tsx";
import "./close-account-panel.css";

export function CloseAccountPanel({ playerId }: { readonly playerId: string }) {
  const closingAt = useRestrictions()?.closingAt ?? null;
  const [isClosing, setClosing] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const now = useNow(30_000);
  return (
    <div className="close-account" id="close-account">
      <Panel label="Close account">
        <h2>Close account</h2>
        {closingAt === null ? (
          <p className="muted">
            Everything in your wallet goes to your bank account, however little it is. After that you can't deposit or
            play, and you can delete your account.
          </p>
        ) : (
          <p className="muted">
            You closed your account {formatFutureTime(closingAt, now)}. You can't deposit or play. Anything that comes
            in later stays yours to withdraw.
          </p>
        )}
        <div className="actions">
          <Button onClick={() => setClosing(true)}>
            {closingAt === null ? "Close account" : "Withdraw what's left"}
          </Button>
          {closingAt !== null && <Button onClick={() => setDeleting(true)}>Delete account</Button>}
        </div>
      </Panel>
      {isClosing && <CloseAccountDialog playerId={playerId} onClose={() => setClosing(false)} />}
      {isDeleting && <DeleteAccountDialog onClose={() => setDeleting(false)} />}
    </div>
  );
}
