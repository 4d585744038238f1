import { useId } from "react";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { notify } from "../../ui/notify.ts";
import { type AskKind, toAsk } from "./offers-view.ts";
import type { Scene } from "./scene.ts";
import { useAct } from "./use-act.ts";

const COMMANDS = { draw: "offer_draw", takeback: "request_takeback" } as const;
const ICONS = { draw: "half", takeback: "undo" } as const;

interface AskButtonProps {
  readonly scene: Scene;
  readonly kind: AskKind;
  readonly className?: string;
  /** It was asked. */
  readonly onAsked?: () => void;
}

/** Offer Draw or Request Takeback. What cannot be asked now can still be pressed, to be told why. */
export function AskButton({ scene, kind, className, onAsked }: AskButtonProps) {
  const { underWay, carryOut } = useAct();
  const whyId = useId();
  const ask = toAsk(scene, kind);
  if (ask === null) return null;
  const { label, why } = ask;
  const { gameId } = scene.shown.table;

  function press(): void {
    if (why !== null) {
      notify({ kind: "notice", title: label, text: why });
      return;
    }
    carryOut({ type: COMMANDS[kind], gameId });
    onAsked?.();
  }

  return (
    <>
      <Button
        size="small"
        wide
        {...(className === undefined ? {} : { className })}
        aria-disabled={why === null ? undefined : true}
        aria-describedby={why === null ? undefined : whyId}
        title={why ?? undefined}
        busy={underWay !== null && "Asking..."}
        onClick={press}
      >
        <Icon name={ICONS[kind]} />
        {label}
      </Button>
      {why !== null && (
        <span id={whyId} hidden>
          {why}
        </span>
      )}
    </>
  );
}
