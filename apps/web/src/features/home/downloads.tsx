import type { ReleaseView } from "@holo/protocol/releases.ts";
import { useId } from "react";
import { formatBytes } from "../../lib/native/bytes.ts";
import { PLATFORM_WORDS } from "../../lib/native/release-text.ts";
import { useReleases } from "../../lib/native/releases.ts";
import { Icon } from "../../ui/icon/icon.tsx";
import "./downloads.css";

export default function Downloads() {
  const releases = useReleases();
  if (releases === null || releases.length === 0) return null;
  return (
    <section className="downloads" aria-labelledby="downloads">
      <h2 id="downloads">Download Desktop & Mobile Apps</h2>
      {releases.map((release) => (
        <Download key={release.platform} release={release} />
      ))}
    </section>
  );
}

function Download({ release: { platform, version, sizeBytes, url } }: { readonly release: ReleaseView }) {
  const factsId = useId();
  return (
    <div className="download">
      <a className="button secondary small" href={url} download aria-describedby={factsId}>
        <Icon name="download" />
        {PLATFORM_WORDS[platform].download}
      </a>
      <p className="meta" id={factsId}>
        Version {version}, {formatBytes(sizeBytes)}
      </p>
    </div>
  );
}
