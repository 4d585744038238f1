import { gameOf } from "@holo/rules/registry.ts";
import type { Move } from "@holo/rules/rules.ts";
import { useState } from "react";
import { TextField } from "../../../../ui/form/text-field.tsx";
import type { TableViewModel } from "../../view-model.ts";
import { parseSpokenMove } from "./spoken-move.ts";

const SPOKEN = { discs: "c three to d four", figures: "knight to f three" } as const;

interface MoveFieldProps {
  readonly viewModel: TableViewModel;
  readonly isTurn: boolean;
  readonly onMove: (move: Move) => void;
}

/** Loaded by those who have set it: it reads notation and spoken moves. */
export default function MoveField({ viewModel, isTurn, onMove }: MoveFieldProps) {
  const [text, setText] = useState("");
  const [error, setError] = useState("");
  const { rules, table } = viewModel.shown;

  function play(): void {
    if (text.trim() === "") return;
    const said = parseSpokenMove(rules, table.position, text);
    if (!isTurn) setError("It is not your turn.");
    else if (said.type === "ambiguous") setError(said.ask);
    else if (said.type === "none") setError(`${text.trim()} isn't a legal move here.`);
    else {
      setText("");
      setError("");
      onMove(said.move);
    }
  }

  return (
    <form
      className="move-field"
      onSubmit={(event) => {
        event.preventDefault();
        play();
      }}
    >
      <TextField
        label="Move"
        hint={`Such as ${gameOf(table.game).moveExamples}. You can dictate it: ${SPOKEN[gameOf(table.game).look]}.`}
        error={error === "" ? undefined : error}
        value={text}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="go"
        onChange={(event) => {
          setText(event.target.value);
          setError("");
        }}
      />
    </form>
  );
}
