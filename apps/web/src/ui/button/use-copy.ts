import { useEffect, useState } from "react";
import { notify } from "../overlay/notify.ts";

const COPIED_MS = 2_000;

/** Copies a text, and knows for two seconds that it did. */
export function useCopy(text: string): readonly [isCopied: boolean, copy: () => void] {
  const [isCopied, setCopied] = useState(false);

  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);

  return [isCopied, () => void copyText(text).then(setCopied)];
}

/** Resolves to false if the browser refuses the clipboard. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // The text is on the page and can be selected.
    notify({
      kind: "failed",
      title: "Not copied",
      text: `${isSecureContext ? "Your browser didn't allow it." : "This address isn't secure (https)."} Please select the text and copy it.`,
    });
    return false;
  }
}
