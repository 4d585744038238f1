import { useEffect, useRef } from "react";

/** Props of a form: after a refused submission the first invalid field has the focus. */
export function useInvalidFocus() {
  const form = useRef<HTMLFormElement>(null);
  const isDue = useRef(false);

  // After each render: the server's answer may come seconds later.
  useEffect(() => {
    if (isDue.current) focusInvalid();
  });

  function focusInvalid(): void {
    const field = form.current?.querySelector<HTMLElement>("[aria-invalid]");
    if (!field) return;
    isDue.current = false;
    field.focus();
  }

  return {
    ref: form,
    onSubmitCapture: () => {
      isDue.current = true;
      focusInvalid();
    },
    onInput: () => {
      isDue.current = false;
    },
  };
}
