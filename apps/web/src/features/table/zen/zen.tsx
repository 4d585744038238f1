import { useEffect, useState } from "react";
import { useConnection } from "../../../lib/socket/socket.ts";
import { IconButton } from "../../../ui/button/button.tsx";
import { topModal } from "../../../ui/overlay/modals.ts";
import { isCutOff } from "../status/turn-text.ts";

interface Zen {
  /** The board and the clocks alone. */
  readonly isOn: boolean;
  readonly set: (on: boolean) => void;
}

/** Z switches it, Escape ends it. It rests while the connection is lost and ends with the game. */
export function useZen(isOver: boolean): Zen {
  const [isChosen, set] = useState(false);
  const isKnown = !isCutOff(useConnection());

  useEffect(() => {
    function handleKey(event: KeyboardEvent): void {
      const { key, target, defaultPrevented, altKey, ctrlKey, metaKey, repeat } = event;
      if (defaultPrevented || altKey || ctrlKey || metaKey || repeat || topModal() !== null) return;
      const isText =
        target instanceof Element && target.matches("input:not([type=radio], [type=range]), textarea, select");
      if (!isText && (key === "z" || key === "Z")) set((was) => !was);
      else if (key === "Escape") set(false);
    }
    addEventListener("keydown", handleKey);
    return () => removeEventListener("keydown", handleKey);
  }, []);

  return { isOn: isChosen && !isOver && isKnown, set };
}

/** At the place of the menu, which Zen hides. */
export function ZenEnd({ onEnd }: { readonly onEnd: () => void }) {
  return (
    <div className="zen-end">
      <h1 className="visually-hidden">Zen</h1>
      <IconButton icon="close" label="End Zen" onClick={onEnd} />
    </div>
  );
}
