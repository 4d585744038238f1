import { useEffect, useId, useRef, useState } from "react";
import { formatBytes } from "../../lib/native/bytes.ts";
import { PLATFORM_WORDS } from "../../lib/native/release-text.ts";
import { useReleases } from "../../lib/native/releases.ts";
import { Button } from "../../ui/button/button.tsx";
import { Icon } from "../../ui/icon/icon.tsx";
import "./downloads-menu.css";

export default function DownloadsMenu() {
  const releases = useReleases();
  const [isOpen, setOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  const listId = useId();

  useEffect(() => {
    if (!isOpen) return;
    const closeOutside = ({ target }: Event) => {
      if (target instanceof Node && menu.current?.contains(target) === false) setOpen(false);
    };
    const closeByKey = ({ key }: KeyboardEvent) => {
      if (key !== "Escape") return;
      setOpen(false);
      menu.current?.querySelector("button")?.focus();
    };
    document.addEventListener("pointerdown", closeOutside);
    document.addEventListener("focusin", closeOutside);
    document.addEventListener("keydown", closeByKey);
    return () => {
      document.removeEventListener("pointerdown", closeOutside);
      document.removeEventListener("focusin", closeOutside);
      document.removeEventListener("keydown", closeByKey);
    };
  }, [isOpen]);

  if (releases === null || releases.length === 0) return null;
  return (
    <div className="downloads-menu" ref={menu}>
      <Button
        kind="quiet"
        size="small"
        title="Downloads"
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="download" />
        <span className="label">Downloads</span>
      </Button>
      {isOpen && (
        <ul id={listId} aria-label="Downloads">
          {releases.map(({ platform, version, sizeBytes, url }) => (
            <li key={platform}>
              <a href={url} download onClick={() => setOpen(false)}>
                <b>
                  {PLATFORM_WORDS[platform].name} {PLATFORM_WORDS[platform].ending}
                </b>{" "}
                <span className="meta">
                  Version {version}, {formatBytes(sizeBytes)}
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
