import { Button } from "../../ui/button/button.tsx";
import { CopyButton } from "../../ui/button/copy-button.tsx";
import { copyText } from "../../ui/button/use-copy.ts";
import { Icon } from "../../ui/icon/icon.tsx";
import { notify } from "../../ui/overlay/notify.ts";
import "./share-link.css";

interface ShareLinkProps {
  readonly url: string;
  readonly text: string;
}

export function ShareLink({ url, text }: ShareLinkProps) {
  return (
    <div className="share-link">
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
        <CopyButton text={url} label="Copy link" />
      </div>
      <output className="share-address">{url}</output>
    </div>
  );
}

interface ShareButtonProps extends ShareLinkProps {
  readonly className?: string;
}

export function ShareButton({ url, text, className }: ShareButtonProps) {
  async function share(): Promise<void> {
    if ("share" in navigator) return await shareBySheet({ url, text });
    if (await copyText(url)) notify({ kind: "done", title: "Link copied", text: "Paste it wherever you like." });
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
