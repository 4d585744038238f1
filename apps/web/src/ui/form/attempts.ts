import { useState } from "react";
import type { FailureText } from "../feedback/failure-note.tsx";

interface Attempts {
  /** Null: the fields changed, so that what is shown is about earlier ones. */
  setFailure(failure: FailureText | null): void;
  /**
   * Sends the form and clears what an earlier attempt left. Null: it was refused, but meanwhile
   * the fields changed or were sent again, so the refusal is about other ones.
   */
  attempt<Answer extends { readonly ok: boolean }>(send: () => Promise<Answer>): Promise<Answer | null>;
}

export function makeAttempts(show: (failure: FailureText | null) => void): Attempts {
  let newest = 0;
  function setFailure(failure: FailureText | null): void {
    if (failure === null) newest += 1;
    show(failure);
  }
  return {
    setFailure,
    async attempt(send) {
      setFailure(null);
      const own = newest;
      const answer = await send();
      return answer.ok || own === newest ? answer : null;
    },
  };
}

/**
 * The failure of a form's newest attempt. Every form goes through it. `clearFields` clears errors
 * that are shown at fields.
 */
export function useAttempts(clearFields?: () => void): Attempts & { readonly failure: FailureText | null } {
  const [failure, show] = useState<FailureText | null>(null);
  const [attempts] = useState(() =>
    makeAttempts((shown) => {
      if (shown === null) clearFields?.();
      show(shown);
    }),
  );
  return { failure, ...attempts };
}
