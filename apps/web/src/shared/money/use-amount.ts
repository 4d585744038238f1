import { useRef, useState } from "react";
import { parseNaira } from "./naira-amount.ts";

/** State of a naira input. `onChange` is called with each change, to clear the last failure. */
export function useAmount(onChange: () => void) {
  const ref = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [error, setError] = useState<string>();

  function write(next: string) {
    setText(next);
    setError(undefined);
    onChange();
  }

  return {
    text,
    amount: parseNaira(text),
    write,
    /** Shows an error and focuses the input. */
    showError(words: string) {
      setError(words);
      ref.current?.focus();
    },
    /** Props for AmountField. */
    field: { ref, value: text, error, onChange: write },
  };
}
