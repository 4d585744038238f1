import { REPORT_OUTCOMES, type ReportOutcome } from "@holo/protocol/report-terms.ts";
import { useState } from "react";
import { callApi } from "../../../lib/api/api.ts";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { ReasonDialog, type ReasonDialogTexts, type SendAnswer } from "../reason-dialog.tsx";

export const OUTCOME_NAMES: Readonly<Record<ReportOutcome, string>> = {
  acted: "We acted",
  nothing_found: "Nothing against the rules",
  unclear: "Could not tell",
};

const TEXTS: ReasonDialogTexts = {
  title: "End the Report?",
  body: "The player who reported this sees the result here and by email. To act on a player, open that player's page.",
  submit: "End Report",
  busy: "Ending...",
  done: "Report ended",
  reasonLabel: "What you found",
  reasonHint: "Only admins see this.",
};
const OUTCOMES = [
  { value: "", text: "Select a result" },
  ...REPORT_OUTCOMES.map((outcome) => ({ value: outcome, text: OUTCOME_NAMES[outcome] })),
] as const;
const NOTE_MAX = 500;

interface EndReportDialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

export function EndReportDialog({ id, onClose }: EndReportDialogProps) {
  const [outcome, setOutcome] = useState<ReportOutcome | "">("");
  const [error, setError] = useState<string>();

  async function send(note: string): Promise<SendAnswer> {
    if (outcome !== "") return await callApi("endReport", { body: { id, outcome, note } });
    setError("Please choose the result.");
    return { ok: false, refusal: null };
  }

  return (
    <ReasonDialog texts={TEXTS} reasonMax={NOTE_MAX} send={send} onClose={onClose}>
      <SelectField
        label="Result"
        error={error}
        value={outcome}
        options={OUTCOMES}
        onChange={(chosen) => {
          setOutcome(chosen);
          setError(undefined);
        }}
      />
    </ReasonDialog>
  );
}
