import { PROMOTED, PROMOTIONS, type Promotion, type Seat, type Square } from "@holo/rules/rules.ts";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { classes } from "../../ui/text/classes.ts";
import { toScreenIndex } from "./geometry.ts";
import "./promotion-chooser.css";

interface PromotionChooserProps {
  readonly seat: Seat;
  readonly square: Square;
  readonly isFlipped: boolean;
  readonly onChoose: (promotion: Promotion) => void;
  readonly onCancel: () => void;
}

export function PromotionChooser({ seat, square, isFlipped, onChoose, onCancel }: PromotionChooserProps) {
  const group = useRef<HTMLDivElement>(null);
  const seen = toScreenIndex(square, isFlipped);
  const isBelow = seen >> 3 === 7;

  useEffect(() => {
    const { activeElement } = document;
    group.current?.querySelector("button")?.focus();
    return () => {
      if (activeElement instanceof HTMLElement) activeElement.focus();
    };
  }, []);

  function handleKey(event: KeyboardEvent): void {
    const buttons = [...(group.current?.querySelectorAll("button") ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const inwards = isBelow ? "ArrowUp" : "ArrowDown";
    if (event.key === "Escape") onCancel();
    else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      const next = at + (event.key === inwards ? 1 : -1);
      buttons[(next + buttons.length) % buttons.length]?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div className="promotion">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the key for it is Escape */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a press beside the pieces takes the move back */}
      <div className="beside" onClick={onCancel} />
      <div
        ref={group}
        className={classes("pieces-to-be", isBelow && "below")}
        role="dialog"
        aria-label="Promote to"
        style={{ left: `${(seen & 7) * 12.5}%` }}
        onKeyDown={handleKey}
      >
        {PROMOTIONS.map((promotion) => (
          <button key={promotion} type="button" aria-label={PROMOTED[promotion]} onClick={() => onChoose(promotion)}>
            <svg focusable="false" aria-hidden="true">
              <use href={`#${PROMOTED[promotion]}-${seat}`} />
            </svg>
          </button>
        ))}
      </div>
    </div>
  );
}
