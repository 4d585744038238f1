import type { GameType } from "@holo/rules/rules.ts";
import { useEffect, useId, useRef } from "react";
import { Button } from "../../../ui/button/button.tsx";
import { Switch } from "../../../ui/form/switch.tsx";
import { SoundSwitch } from "../../settings/player-switches.tsx";
import { BoardSettingsForm } from "./settings-form.tsx";
import "./settings-sheet.css";

interface SettingsSheetProps {
  readonly game: GameType;
  readonly onClose: () => void;
  readonly zen: Zen | null;
}

/** The board and the clocks alone. */
interface Zen {
  readonly isOn: boolean;
  readonly set: (on: boolean) => void;
}

/** Beside or below the board, which stays in use and shows each choice at once. Not modal. */
export default function SettingsSheet({ game, onClose, zen }: SettingsSheetProps) {
  const titleId = useId();
  const sheet = useRef<HTMLElement>(null);

  useEffect(() => {
    const opener = document.activeElement;
    const { current: element } = sheet;
    element?.focus({ preventScroll: true });
    return () => {
      // What had the focus gets it back, unless the player is elsewhere by now.
      const isInside = element?.contains(document.activeElement) || document.activeElement === document.body;
      if (isInside && opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    };
  }, []);

  return (
    <section
      ref={sheet}
      className="settings-sheet"
      role="dialog"
      aria-labelledby={titleId}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <h2 id={titleId}>Board settings</h2>
        <Button size="small" onClick={onClose}>
          Done
        </Button>
      </header>
      <div className="sheet-body">
        <BoardSettingsForm game={game}>
          <SoundSwitch />
        </BoardSettingsForm>
        {zen !== null && <Switch label="Zen: board and clocks alone (Z)" on={zen.isOn} onChange={zen.set} />}
      </div>
    </section>
  );
}
