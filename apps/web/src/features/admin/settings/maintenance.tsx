import { toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { type SubmitEvent, useState } from "react";
import { callApi } from "../../../lib/api/api.ts";
import { toFailure } from "../../../lib/api/failure.ts";
import { receiveMaintenance, useSession } from "../../../lib/session/session.ts";
import { Button } from "../../../ui/button/button.tsx";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { FailureNote } from "../../../ui/feedback/failure-note.tsx";
import { useAttempts } from "../../../ui/form/attempts.ts";
import { toLengthFault } from "../../../ui/form/characters.ts";
import { TextArea } from "../../../ui/form/text-field.tsx";
import { useInvalidFocus } from "../../../ui/form/use-invalid-focus.ts";
import { Collapsible } from "../../../ui/layout/collapsible.tsx";
import { refreshAdmin } from "../admin-queries.ts";
import "./maintenance.css";

const NOTICE_MAX = 300;

/** During maintenance nothing new begins; running games and withdrawals continue. */
export function Maintenance() {
  const { maintenance } = useSession();
  const [notice, setNotice] = useState("");
  const [error, setError] = useState<string>();
  const { failure, setFailure, attempt } = useAttempts();
  const [sending, setSending] = useState<"notice" | "end" | null>(null);
  const invalidFocus = useInvalidFocus();

  async function switchMaintenance(text: string | null) {
    const sinceAt = maintenance?.sinceAt ?? null;
    setFailure(null);
    setSending(text === null ? "end" : "notice");
    const answer = await attempt(() => callApi("switchMaintenance", { body: { notice: text, sinceAt } }));
    setSending(null);
    if (answer === null) return;
    if (!answer.ok) return setFailure(toFailure(answer.refusal));
    setNotice("");
    receiveMaintenance(answer.value.maintenance);
    refreshAdmin();
    // Its button is gone.
    if (text === null) invalidFocus.ref.current?.querySelector("textarea")?.focus();
  }

  function begin(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setFailure(null);
    if (notice.trim() === "") return setError(toRefusalView("maintenance_text_missing").text);
    if (toLengthFault(notice, NOTICE_MAX) === undefined) void switchMaintenance(notice.trim());
  }

  return (
    <Collapsible title="Maintenance" note={maintenance !== null && <Badge kind="pending">On</Badge>} startsOpen>
      <div className="maintenance">
        <p className="muted">
          During maintenance no games start and nothing is deposited. Games under way and withdrawals go on. Every page
          shows your notice.
        </p>
        <form {...invalidFocus} noValidate onSubmit={begin}>
          <TextArea
            label="What players are told"
            hint={maintenance === null ? "Say until when, if you know." : `Now: ${maintenance.text}`}
            error={error}
            rows={3}
            charactersMax={NOTICE_MAX}
            autoComplete="off"
            value={notice}
            onChange={(event) => {
              setNotice(event.target.value);
              setError(undefined);
              setFailure(null);
            }}
          />
          <div className="actions">
            <Button type="submit" busy={sending === "notice" && "Sending..."} resting={sending === "end"}>
              {maintenance === null ? "Begin Maintenance" : "Change the Notice"}
            </Button>
            {maintenance !== null && (
              <Button
                busy={sending === "end" && "Ending..."}
                resting={sending === "notice"}
                onClick={() => void switchMaintenance(null)}
              >
                End Maintenance
              </Button>
            )}
          </div>
        </form>
        {failure !== null && <FailureNote failure={failure} />}
      </div>
    </Collapsible>
  );
}
