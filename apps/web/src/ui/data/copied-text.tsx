import { useEffect, useState } from "react";
import "./copied-text.css";

interface CopiedTextProps {
  readonly label: string;
  readonly text: string;
  readonly isFull: boolean;
}

const SHORT_CHARACTERS = 12;
const COPIED_MS = 2_000;

/** An id or a hash: shortened on screen, copied in full. */
export function CopiedText({ label, text, isFull }: CopiedTextProps) {
  const [isCopied, setCopied] = useState(false);

  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);

  return (
    <span className="copied-text">
      <code title={text}>{isFull ? text : shorten(text)}</code>
      {navigator.clipboard !== undefined && (
        <button
          type="button"
          className="link"
          aria-label={`Copy ${label}`}
          onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
        >
          {isCopied ? "Copied" : "Copy"}
        </button>
      )}
    </span>
  );
}

function shorten(text: string): string {
  return text.length <= SHORT_CHARACTERS + 1 ? text : `${text.slice(0, SHORT_CHARACTERS)}…`;
}
