import type { ReleasePlatform } from "@holo/protocol/release-terms.ts";
import type { ReleaseView } from "@holo/protocol/releases.ts";
import { useState } from "react";
import { formatBytes } from "../../../lib/native/bytes.ts";
import { PLATFORM_WORDS } from "../../../lib/native/release-text.ts";
import { Button } from "../../../ui/button/button.tsx";
import { CopiedText } from "../../../ui/data/copied-text.tsx";
import { Badge } from "../../../ui/feedback/badge.tsx";

const TIME: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "short" };
const SHOWN_MAX = 5;

interface ReleaseListProps {
  readonly platform: ReleasePlatform;
  readonly releases: readonly ReleaseView[];
  readonly onMakeCurrent: (release: ReleaseView) => void;
}

export function ReleaseList({ platform, releases, onMakeCurrent }: ReleaseListProps) {
  const [showsAll, setShowsAll] = useState(false);
  const { name } = PLATFORM_WORDS[platform];
  const shown = showsAll ? releases : releases.slice(0, SHOWN_MAX);
  return (
    <section className="release-list" aria-label={`${name} versions`}>
      <h3>{name} versions</h3>
      {releases.length === 0 && <p className="muted">Nothing has been uploaded yet.</p>}
      <ul>
        {shown.map((release) => (
          <ReleaseRow key={release.id} release={release} name={name} onMakeCurrent={() => onMakeCurrent(release)} />
        ))}
      </ul>
      {shown.length < releases.length && (
        <Button size="small" kind="quiet" onClick={() => setShowsAll(true)}>
          Show all {releases.length}
        </Button>
      )}
    </section>
  );
}

interface ReleaseRowProps {
  readonly release: ReleaseView;
  readonly name: string;
  readonly onMakeCurrent: () => void;
}

function ReleaseRow({ release, name, onMakeCurrent }: ReleaseRowProps) {
  const { version, fileName, sizeBytes, sha256, url, uploadedAt, isCurrent } = release;
  return (
    <li>
      <p className="release-version">
        <b>{version}</b> {isCurrent && <Badge kind="active">Current</Badge>}
      </p>
      {!isCurrent && (
        <Button size="small" kind="quiet" aria-label={`Make current: ${name} ${version}`} onClick={onMakeCurrent}>
          Make current
        </Button>
      )}
      <p className="meta">
        <time dateTime={new Date(uploadedAt).toISOString()}>{new Date(uploadedAt).toLocaleString("en-GB", TIME)}</time>,{" "}
        {formatBytes(sizeBytes)}
      </p>
      <p className="meta release-file">
        <a className="link alone" href={url} download>
          {fileName}
        </a>
      </p>
      <p className="meta">
        SHA-256 <CopiedText label={`SHA-256 of ${name} ${version}`} text={sha256} isFull={false} />
      </p>
    </li>
  );
}
