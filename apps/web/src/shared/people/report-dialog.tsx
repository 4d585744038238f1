import type { GameId } from "@holo/kernel/ids.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import { REPORT_REASONS, type ReportReason } from "@holo/protocol/report-terms.ts";
import { useRef, useState } from "react";
import { callApi } from "../../lib/api/api.ts";
import { toLengthFault } from "../../ui/form/characters.ts";
import { Field } from "../../ui/form/field.tsx";
import { SelectField } from "../../ui/form/select-field.tsx";
import { ConfirmDialog } from "../../ui/overlay/confirm-dialog.tsx";
import { notify } from "../../ui/overlay/notify.ts";
import { REPORT_REASON_NAMES } from "./report-reasons.ts";
import "./report-dialog.css";

const TEXT_MAX = 500;
const REASONS = REPORT_REASONS.map((reason) => ({ value: reason, text: REPORT_REASON_NAMES[reason] }));

interface ReportDialogProps {
  readonly player: PlayerView;
  readonly gameId: GameId;
  readonly onClose: () => void;
}

export function ReportDialog({ player, gameId, onClose }: ReportDialogProps) {
  const [about, setAbout] = useState<"player" | "game">("player");
  const [reason, setReason] = useState<ReportReason>("cheating");
  const [text, setText] = useState("");
  const [isSending, setSending] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const fault = toLengthFault(text, TEXT_MAX);

  async function send(): Promise<void> {
    if (fault !== undefined) return field.current?.focus();
    setSending(true);
    const playerId = about === "player" ? player.id : null;
    const answer = await callApi("report", { body: { gameId, playerId, reason, text: text.trim() } });
    setSending(false);
    if (!answer.ok) {
      notify({ kind: "failed", title: answer.refusal.title, text: answer.refusal.text });
      return;
    }
    notify({ kind: "done", title: "Report sent", text: "It's kept with this game's record." });
    onClose();
  }

  return (
    <ConfirmDialog
      title="Report"
      confirmText="Send Report"
      busyText={isSending && "Sending..."}
      onConfirm={() => void send()}
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
        <Field label="What happened" hint={`${text.length}/${TEXT_MAX}`} error={fault}>
          {(control) => (
            <textarea
              className="input"
              rows={4}
              ref={field}
              value={text}
              onChange={(event) => setText(event.target.value)}
              {...control}
            />
          )}
        </Field>
      </div>
    </ConfirmDialog>
  );
}
