import type { Level } from "@holo/engine/engine.ts";
import { GAMES } from "@holo/rules/registry.ts";
import { useState } from "react";
import { loadRules } from "../../../shared/board/game-rules.ts";
import { Button } from "../../../ui/button/button.tsx";
import { Segmented } from "../../../ui/form/segmented.tsx";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { Dialog } from "../../../ui/overlay/dialog.tsx";
import { LEVEL_OPTIONS, parseLevel } from "./levels.ts";
import { newPractice, type PracticeGame } from "./practice-game.ts";
import type { PracticeChoices } from "./saved-practice.ts";
import "./new-practice-dialog.css";

const SIDES = [
  { value: "white", text: "White" },
  { value: "black", text: "Black" },
] as const;
const LEVELS = LEVEL_OPTIONS.map(({ value, text }) => ({ value: String(value), text }));

interface NewPracticeDialogProps {
  readonly choices: PracticeChoices;
  readonly onStart: (game: PracticeGame, level: Level) => void;
  readonly onClose: () => void;
}

export default function NewPracticeDialog({ choices, onStart, onClose }: NewPracticeDialogProps) {
  const [chosen, setChosen] = useState(choices);
  const [isStarting, setStarting] = useState(false);

  async function start(): Promise<void> {
    setStarting(true);
    onStart(newPractice(await loadRules(chosen.game), chosen.player), chosen.level);
  }

  return (
    <Dialog
      title="New practice game"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={isStarting && "Starting..."} onClick={() => void start()}>
            Start Game
          </Button>
        </>
      }
    >
      <div className="new-practice">
        <Segmented
          label="Game"
          value={chosen.game}
          options={GAMES.map(({ id, name }) => ({ value: id, text: name }))}
          onChange={(game) => setChosen({ ...chosen, game })}
        />
        <Segmented
          label="You play"
          value={chosen.player === 1 ? "white" : "black"}
          options={SIDES}
          onChange={(side) => setChosen({ ...chosen, player: side === "white" ? 1 : 2 })}
        />
        <SelectField
          label="Computer"
          value={String(chosen.level)}
          options={LEVELS}
          onChange={(value) => {
            setChosen({ ...chosen, level: parseLevel(value) ?? chosen.level });
          }}
        />
      </div>
    </Dialog>
  );
}
