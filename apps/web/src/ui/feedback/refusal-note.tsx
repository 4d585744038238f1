import type { FailureText } from "./failure-note.tsx";
import { Note } from "./note.tsx";

/** Says in advance why an action would be refused. */
export function RefusalNote({ refusal }: { readonly refusal: FailureText }) {
  return (
    <Note icon="warn">
      <b className="lost">{refusal.title}:</b> {refusal.text}
    </Note>
  );
}
