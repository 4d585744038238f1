import { Button } from "../../ui/button/button.tsx";
import { CopyButton } from "../../ui/button/copy-button.tsx";
import { Icon } from "../../ui/icon/icon.tsx";
import "./share-link.css";

interface ShareLinkProps {
  readonly url: string;
  readonly text: string;
  /** A picture for the device's own sheet, where that takes one. */
  readonly file?: File | null;
}

export function ShareLink({ url, text, file = null }: ShareLinkProps) {
  return (
    <div className="share-link">
      <div className="share-ways">
        {"share" in navigator && (
          <Button kind="primary" onClick={() => void shareBySheet({ url, text, file })}>
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

async function shareBySheet({ url, text, file }: ShareLinkProps): Promise<void> {
  const files = file == null ? [] : [file];
  const hasFiles = files.length > 0 && navigator.canShare?.({ files }) === true;
  // Rejected when the player closes the sheet.
  await navigator.share({ url, text, ...(hasFiles && { files }) }).catch(() => undefined);
}
