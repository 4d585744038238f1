import { useRef, useState } from "react";
import { parseNaira } from "./naira-amount.ts";

/** An amount of naira as it is being typed. `onChange` is called with each change, so that what was said of the last try can go. */
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
    /** What the text says; refused while it says nothing. */
    amount: parseNaira(text),
    write,
    /** Says what is wrong with it, and lets it be mended at once. */
    showError(words: string) {
      setError(words);
      ref.current?.focus();
    },
    /** For the AmountField. */
    field: { ref, value: text, error, onChange: write },
  };
}
