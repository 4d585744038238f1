import { useEffect, useState } from "react";
import { Icon } from "../icon/icon.tsx";
import { notify } from "../overlay/notify.ts";
import { Button } from "./button.tsx";

interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
}

const COPIED_MS = 2_000;

export function CopyButton({ text, label }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);

  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);

  return (
    <Button onClick={() => void copyText(text).then(setCopied)}>
      <Icon name={isCopied ? "check" : "copy"} />
      {isCopied ? "Copied" : label}
    </Button>
  );
}

/** Resolves to false if the browser refuses the clipboard. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // The text is on the page and can be selected.
    notify({
      kind: "failed",
      title: "Not copied",
      text: "Your browser didn't allow it. Please select the text and copy it.",
    });
    return false;
  }
}
