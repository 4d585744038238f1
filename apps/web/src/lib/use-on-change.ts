import { useEffect, useRef } from "react";

/** Calls `onChange` after a render with another `value` than the one before, but not on mount. */
export function useOnChange(value: unknown, onChange: () => void): void {
  const last = useRef(value);
  useEffect(() => {
    if (Object.is(last.current, value)) return;
    last.current = value;
    onChange();
  }, [value, onChange]);
}
