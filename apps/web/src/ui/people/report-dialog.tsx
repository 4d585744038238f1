import { type PlayerView, REPORT_REASONS, type ReportReason } from "@holo/protocol/views.ts";
import { useState } from "react";
import { callApi } from "../../lib/api.ts";
import { ChoiceDialog } from "../choice-dialog.tsx";
import { Field } from "../field.tsx";
import { notify } from "../notify.ts";
import { SelectField } from "../select-field.tsx";
import { REPORT_WORDS } from "./report-words.ts";
import "./report-dialog.css";

/** As the wire bounds it, in units of UTF-16. */
const TEXT_MAX = 500;
const REASONS = REPORT_REASONS.map((reason) => ({ value: reason, text: REPORT_WORDS[reason] }));

interface ReportDialogProps {
  readonly player: PlayerView;
  readonly gameId: string;
  readonly onClose: () => void;
}

/** Tells the house of a player or of the game. */
export function ReportDialog({ player, gameId, onClose }: ReportDialogProps) {
  const [about, setAbout] = useState<"player" | "game">("player");
  const [reason, setReason] = useState<ReportReason>("cheating");
  const [text, setText] = useState("");
  const [isSending, setSending] = useState(false);

  async function send(): Promise<void> {
    setSending(true);
    const playerId = about === "player" ? player.id : null;
    const answer = await callApi("report", { body: { gameId, playerId, reason, text: text.trim() } });
    setSending(false);
    if (!answer.ok) {
      notify({ kind: "failed", title: answer.refusal.title, text: answer.refusal.text });
      return;
    }
    notify({ kind: "done", title: "Report sent", text: "It is kept with the record of this game." });
    onClose();
  }

  return (
    <ChoiceDialog
      title="Report"
      act="Send Report"
      busy={isSending && "Sending..."}
      onAct={() => void send()}
      onClose={onClose}
    >
      <div className="report-form">
        <SelectField
          label="About"
          value={about}
          options={[
            { value: "player", text: player.username },
            { value: "game", text: "This game" },
          ]}
          onChange={setAbout}
        />
        <SelectField label="Reason" value={reason} options={REASONS} onChange={setReason} />
        <Field label="What happened" hint={`${text.length}/${TEXT_MAX}`}>
          {(control) => (
            <textarea
              className="input"
              rows={4}
              maxLength={TEXT_MAX}
              value={text}
              onChange={(event) => setText(event.target.value)}
              {...control}
            />
          )}
        </Field>
      </div>
    </ChoiceDialog>
  );
}
