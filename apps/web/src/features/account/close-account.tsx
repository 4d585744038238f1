import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/panel.tsx";
import { formatMoment } from "../../ui/relative-time.ts";
import { useLimits } from "../../ui/use-limits.ts";
import { useNow } from "../../ui/use-now.ts";
import { ClosingDialog } from "./closing-dialog.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";
import "./close-account.css";

/** The way out: everything that is the player's, and no more play. */
export function CloseAccount({ playerId }: { readonly playerId: string }) {
  const closingAt = useLimits()?.closingAt ?? null;
  const [isAsking, setAsking] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const now = useNow(30_000);
  return (
    <div className="close-account" id="close-account">
      <Panel label="Close account">
        <h2>Close account</h2>
        {closingAt === null ? (
          <p className="muted">
            All that is in your wallet goes to your bank account, however little it is. From then on you can neither
            deposit nor play, and you can have your account deleted.
          </p>
        ) : (
          <p className="muted">
            You closed your account {formatMoment(closingAt, now)}. You can neither deposit nor play; what still comes
            in is yours to take out.
          </p>
        )}
        <div className="acts">
          <Button onClick={() => setAsking(true)}>
            {closingAt === null ? "Close account" : "Withdraw what is left"}
          </Button>
          {closingAt !== null && <Button onClick={() => setDeleting(true)}>Delete account</Button>}
        </div>
      </Panel>
      {isAsking && <ClosingDialog playerId={playerId} onClose={() => setAsking(false)} />}
      {isDeleting && <DeleteDialog onClose={() => setDeleting(false)} />}
    </div>
  );
}
