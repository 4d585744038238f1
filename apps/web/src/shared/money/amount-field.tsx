import { KOBO_MAX, type Kobo } from "@holo/kernel/money.ts";
import { ok } from "@holo/kernel/result.ts";
import { type KeyboardEvent, type Ref, useRef, useState } from "react";
import { Field } from "../../ui/form/field.tsx";
import { formatAmount, parseNaira } from "./naira-amount.ts";
import "./amount-field.css";

/** Step of the arrow keys in kobo (specification 2: step 100). */
const STEP_KOBO = 10_000n;
const STEPS: Readonly<Record<string, bigint>> = { ArrowUp: STEP_KOBO, ArrowDown: -STEP_KOBO };

interface AmountFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint: string;
  readonly error: string | undefined;
  readonly ref: Ref<HTMLInputElement>;
}

/**
 * Naira in a text input: a number input accepts "1e5", refuses separators and drops invalid text.
 */
export function AmountField({ value, onChange, hint, error, ref }: AmountFieldProps) {
  function step(event: KeyboardEvent) {
    const change = STEPS[event.key];
    const amount = value.trim() === "" ? ok(0n) : parseNaira(value);
    if (change === undefined || !amount.ok) return;
    event.preventDefault();
    const next = amount.value + change;
    if (next >= 0n && next <= KOBO_MAX) onChange(formatAmount(next as Kobo));
  }

  return (
    <Field label="Amount in naira" hint={hint} error={error}>
      {(control) => (
        <span className="amount-field">
          <span aria-hidden="true">₦</span>
          <input
            {...control}
            ref={ref}
            className="input"
            inputMode="decimal"
            autoComplete="off"
            enterKeyHint="done"
            placeholder="0"
            value={value}
            onChange={(event) => onChange(event.target.value)}
            onKeyDown={step}
            onBlur={() => {
              const amount = parseNaira(value);
              if (amount.ok) onChange(formatAmount(amount.value));
            }}
          />
        </span>
      )}
    </Field>
  );
}

/** State of a naira input. `onChange` is called with each change, to clear the last failure. */
export function useAmount(onChange: () => void, initial: Kobo | null = null) {
  const ref = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(initial === null ? "" : formatAmount(initial));
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
    showError(words: string) {
      setError(words);
      ref.current?.focus();
    },
    field: { ref, value: text, error, onChange: write },
  };
}
