import { REPORT_OUTCOMES, type ReportOutcome } from "@holo/protocol/report-terms.ts";
import { useState } from "react";
import { callApi } from "../../../lib/api/api.ts";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { ReasonDialog, type ReasonDialogTexts } from "../reason-dialog.tsx";

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
const OUTCOMES = REPORT_OUTCOMES.map((outcome) => ({ value: outcome, text: OUTCOME_NAMES[outcome] }));
const NOTE_MAX = 500;

interface EndReportDialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

export function EndReportDialog({ id, onClose }: EndReportDialogProps) {
  const [outcome, setOutcome] = useState<ReportOutcome>("acted");
  return (
    <ReasonDialog
      texts={TEXTS}
      reasonMax={NOTE_MAX}
      send={(note) => callApi("endReport", { body: { id, outcome, note } })}
      onClose={onClose}
    >
      <SelectField label="Result" value={outcome} options={OUTCOMES} onChange={setOutcome} />
    </ReasonDialog>
  );
}
