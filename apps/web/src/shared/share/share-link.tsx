import { useEffect, useState } from "react";
import { Button } from "../../ui/button/button.tsx";
import { Icon } from "../../ui/icon/icon.tsx";
import { notify } from "../../ui/overlay/notify.ts";
import "./share-link.css";

interface ShareLinkProps {
  readonly url: string;
  readonly text: string;
}

const COPIED_MS = 2_000;

export function ShareLink({ url, text }: ShareLinkProps) {
  return (
    <div className="share-link">
      <output className="share-address">{url}</output>
      <div className="share-ways">
        {"share" in navigator && (
          <Button kind="primary" onClick={() => void shareBySheet({ url, text })}>
            <Icon name="send" />
            Share
          </Button>
        )}
        <a
          className="button secondary"
          href={`https://wa.me/?text=${encodeURIComponent(`${text} ${url}`)}`}
          target="_blank"
          rel="noopener noreferrer"
        >
          WhatsApp
        </a>
        <CopyButton url={url} />
      </div>
    </div>
  );
}

function CopyButton({ url }: { readonly url: string }) {
  const [isCopied, setCopied] = useState(false);

  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);

  return (
    <Button onClick={() => void copy(url).then(setCopied)}>
      <Icon name={isCopied ? "check" : "upload"} />
      {isCopied ? "Copied" : "Copy link"}
    </Button>
  );
}

interface ShareButtonProps extends ShareLinkProps {
  readonly className?: string;
}

export function ShareButton({ url, text, className }: ShareButtonProps) {
  async function share(): Promise<void> {
    if ("share" in navigator) return await shareBySheet({ url, text });
    if (await copy(url)) notify({ kind: "done", title: "Link copied", text: "Paste it wherever you like." });
  }
  return (
    <Button size="small" {...(className !== undefined && { className })} onClick={() => void share()}>
      <Icon name="send" />
      <span>Share</span>
    </Button>
  );
}

async function shareBySheet({ url, text }: ShareLinkProps): Promise<void> {
  // Rejected when the player closes the sheet.
  await navigator.share({ url, text }).catch(() => undefined);
}

/** Resolves to false if the browser refuses the clipboard. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // The address is on the page and can be selected.
    notify({
      kind: "failed",
      title: "Not copied",
      text: "Your browser didn't allow it. Please select and copy the address.",
    });
    return false;
  }
}
