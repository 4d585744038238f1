import { STEP_BUTTONS } from "../../shared/board/history/step-buttons.ts";
import { stepPly } from "../../shared/board/steps.ts";
import { IconButton } from "../../ui/button/button.tsx";

interface ReviewStepsProps {
  readonly ply: number;
  readonly count: number;
  readonly onShow: (ply: number) => void;
}

export function ReviewSteps({ ply, count, onShow }: ReviewStepsProps) {
  return (
    <div className="review-steps">
      {STEP_BUTTONS.map(({ step, label }) => {
        const to = stepPly(ply, count, step);
        return (
          <IconButton key={step} icon={step} label={label} aria-disabled={to === ply} onClick={() => onShow(to)} />
        );
      })}
    </div>
  );
}
