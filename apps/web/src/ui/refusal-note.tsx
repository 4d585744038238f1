import type { FailureWords } from "./failure.tsx";
import { Note } from "./note.tsx";

/** What keeps an act from being done, told beside it before it is tried. */
export function RefusalNote({ words }: { readonly words: FailureWords }) {
  return (
    <Note icon="warn">
      <b className="lost">{words.title}:</b> {words.text}
    </Note>
  );
}
