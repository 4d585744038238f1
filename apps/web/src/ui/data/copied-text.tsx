import { useCopy } from "../button/use-copy.ts";
import "./copied-text.css";

interface CopiedTextProps {
  readonly label: string;
  readonly text: string;
  readonly isFull: boolean;
}

const SHORT_CHARACTERS = 12;

/** An id or a hash: shortened on screen, copied in full. */
export function CopiedText({ label, text, isFull }: CopiedTextProps) {
  const [isCopied, copy] = useCopy(text);

  return (
    <span className="copied-text">
      <code title={text}>{isFull ? text : shorten(text)}</code>
      {navigator.clipboard !== undefined && (
        <button type="button" className="link" aria-label={`Copy ${label}`} onClick={copy}>
          {isCopied ? "Copied" : "Copy"}
        </button>
      )}
    </span>
  );
}

function shorten(text: string): string {
  return text.length <= SHORT_CHARACTERS + 1 ? text : `${text.slice(0, SHORT_CHARACTERS)}…`;
}
