import { IconButton } from "../../ui/icon-button.tsx";
import type { RecordStep } from "./record.ts";
import type { TableRecord } from "./use-record.ts";

const STEPS: readonly { readonly step: RecordStep; readonly label: string }[] = [
  { step: "first", label: "First position" },
  { step: "previous", label: "Previous move" },
  { step: "next", label: "Next move" },
  { step: "last", label: "Last move" },
];

/** Four buttons that walk through a game. They stay where they are at either end, so that a finger can go on pressing. */
export function RecordSteps({ record }: { readonly record: TableRecord }) {
  const { ply, count, step } = record;
  return (
    <div className="record-steps">
      {STEPS.map(({ step: to, label }) => {
        const isEnd = to === "first" || to === "previous" ? ply === 0 : ply === count;
        return <IconButton key={to} icon={to} label={label} aria-disabled={isEnd} onClick={() => !isEnd && step(to)} />;
      })}
    </div>
  );
}
