import { IconButton } from "../../../ui/button/icon-button.tsx";
import type { HistoryStep } from "./history.ts";
import type { GameHistory } from "./use-history.ts";

const STEPS: readonly { readonly step: HistoryStep; readonly label: string }[] = [
  { step: "first", label: "First position" },
  { step: "previous", label: "Previous move" },
  { step: "next", label: "Next move" },
  { step: "last", label: "Last move" },
];

/** Steps through the game. The buttons stay in place at both ends, for repeated presses. */
export function HistorySteps({ record }: { readonly record: GameHistory }) {
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
