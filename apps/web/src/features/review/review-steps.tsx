import { type HistoryStep, stepPly } from "../../shared/board/steps.ts";
import { IconButton } from "../../ui/button/button.tsx";

const STEPS: readonly { readonly step: HistoryStep; readonly label: string }[] = [
  { step: "first", label: "First position" },
  { step: "previous", label: "Previous move" },
  { step: "next", label: "Next move" },
  { step: "last", label: "Last move" },
];

interface ReviewStepsProps {
  readonly ply: number;
  readonly count: number;
  readonly onShow: (ply: number) => void;
}

export function ReviewSteps({ ply, count, onShow }: ReviewStepsProps) {
  return (
    <div className="review-steps">
      {STEPS.map(({ step, label }) => {
        const to = stepPly(ply, count, step);
        return (
          <IconButton key={step} icon={step} label={label} aria-disabled={to === ply} onClick={() => onShow(to)} />
        );
      })}
    </div>
  );
}
