import type { FailureText } from "./failure-note.tsx";
import { Note } from "./note.tsx";

/** What keeps an act from being done, told beside it before it is tried. */
export function RefusalNote({ refusal }: { readonly refusal: FailureText }) {
  return (
    <Note icon="warn">
      <b className="lost">{refusal.title}:</b> {refusal.text}
    </Note>
  );
}
