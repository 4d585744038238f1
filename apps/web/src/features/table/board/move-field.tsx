import { gameOf } from "@holo/rules/registry.ts";
import type { Move } from "@holo/rules/rules.ts";
import { useState } from "react";
import { TextField } from "../../../ui/form/text-field.tsx";
import { mayMove, type TableViewModel } from "../view-model.ts";

interface MoveFieldProps {
  readonly viewModel: TableViewModel;
  readonly onMove: (move: Move) => void;
}

export function MoveField({ viewModel, onMove }: MoveFieldProps) {
  const [text, setText] = useState("");
  const [error, setError] = useState("");
  const { rules, table } = viewModel.shown;

  function play(): void {
    if (text.trim() === "") return;
    const parsed = rules.parseMove(table.position, text);
    if (!mayMove(viewModel)) setError("It is not your turn.");
    else if (!parsed.ok) setError(`${text.trim()} isn't a legal move here.`);
    else {
      setText("");
      setError("");
      onMove(parsed.value);
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
        hint={`Such as ${gameOf(table.game).moveExamples}.`}
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
