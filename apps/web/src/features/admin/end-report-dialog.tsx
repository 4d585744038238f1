import { REPORT_OUTCOMES, type ReportOutcome } from "@holo/protocol/house-views.ts";
import { useState } from "react";
import { callApi } from "../../lib/api.ts";
import { SelectField } from "../../ui/select-field.tsx";
import { ActDialog, type ActWords } from "./act-dialog.tsx";
import { OUTCOME_WORDS } from "./outcome-words.ts";

const WORDS: ActWords = {
  title: "End the Report?",
  text: "Whoever told us is told what came of it, on the page and by mail. What you do about a player is done on that player's page.",
  act: "End Report",
  busy: "Ending...",
  done: "Report ended",
  label: "What you found",
  hint: "For other admins alone.",
};
const OUTCOMES = REPORT_OUTCOMES.map((outcome) => ({ value: outcome, text: OUTCOME_WORDS[outcome] }));
/** As the wire bounds it. */
const NOTE_MAX = 500;

interface EndReportDialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** Asks what came of a report. */
export function EndReportDialog({ id, onClose }: EndReportDialogProps) {
  const [outcome, setOutcome] = useState<ReportOutcome>("acted");
  return (
    <ActDialog
      words={WORDS}
      reasonMax={NOTE_MAX}
      send={(note) => callApi("endReport", { body: { id, outcome, note } })}
      onClose={onClose}
    >
      <SelectField label="What came of it" value={outcome} options={OUTCOMES} onChange={setOutcome} />
    </ActDialog>
  );
}
