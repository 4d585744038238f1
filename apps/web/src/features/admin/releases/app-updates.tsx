import { RELEASE_PLATFORMS, type ReleasePlatform } from "@holo/protocol/release-terms.ts";
import type { ReleaseView } from "@holo/protocol/releases.ts";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { fetchApi } from "../../../lib/api/api.ts";
import { PLATFORM_WORDS } from "../../../lib/native/release-text.ts";
import { refreshReleases } from "../../../lib/native/releases.ts";
import { Button } from "../../../ui/button/button.tsx";
import { Icon } from "../../../ui/icon/icon.tsx";
import { Collapsible } from "../../../ui/layout/collapsible.tsx";
import { notify } from "../../../ui/overlay/notify.ts";
import { formatRelativeTimeWithin } from "../../../ui/text/relative-time.ts";
import { useNow } from "../../../ui/text/use-now.ts";
import { adminKey, refreshAdmin } from "../admin-queries.ts";
import { Loaded } from "../loaded.tsx";
import { ReleaseForm } from "./release-form.tsx";
import { ReleaseList } from "./release-list.tsx";
import { isUnderWay, type UploadEvent } from "./upload-state.ts";
import { useUpload } from "./use-upload.ts";
import "./app-updates.css";

const CLOCK_MS = 30_000;

/** The native apps: the current version, earlier ones, and the upload of a new one. */
export function AppUpdates({ playerId }: { readonly playerId: string }) {
  const query = useQuery({
    queryKey: adminKey(playerId, "releases"),
    queryFn: ({ signal }) => fetchApi("adminReleases", {}, signal),
  });
  const [file, setFile] = useState<File | null>(null);
  const panel = useRef<HTMLDivElement>(null);
  // State lives here, so that an upload continues while the panel is closed.
  const upload = useUpload(hear);

  function hear(event: UploadEvent) {
    refreshAdmin();
    if (event.type !== "kept") return;
    tellKept(event.release);
    leave();
    refreshReleases();
  }

  function choose(chosen: File) {
    upload.change();
    setFile(chosen);
  }

  /** Closes the form and keeps the focus inside this panel. */
  function leave() {
    upload.change();
    setFile(null);
    const { current } = panel;
    if (current?.querySelector("form")?.contains(document.activeElement) === true)
      current.querySelector("button")?.focus();
  }

  return (
    <Collapsible title="App Updates" startsOpen>
      <Loaded query={query} loading="Loading versions..." failed="The versions could not be loaded.">
        {({ releases }) => (
          <div className="app-updates" ref={panel}>
            {RELEASE_PLATFORMS.map((platform) => (
              <UploadBox
                key={platform}
                platform={platform}
                current={releases.find((release) => release.platform === platform && release.isCurrent) ?? null}
                isBusy={isUnderWay(upload.state)}
                onChosen={choose}
              />
            ))}
            {file !== null && (
              <ReleaseForm
                key={`${file.name} ${file.size} ${file.lastModified}`}
                file={file}
                releases={releases}
                upload={upload}
                onLeave={leave}
              />
            )}
            {RELEASE_PLATFORMS.map((platform) => (
              <ReleaseList
                key={platform}
                platform={platform}
                releases={releases.filter((release) => release.platform === platform)}
              />
            ))}
          </div>
        )}
      </Loaded>
    </Collapsible>
  );
}

/** Uploading the same file again creates no version and does not change the current one. */
function tellKept({ platform, version, isCurrent }: ReleaseView) {
  const app = `${PLATFORM_WORDS[platform].name} ${version}`;
  if (isCurrent) notify({ kind: "done", title: "Version uploaded", text: `${app} is offered to everybody now.` });
  else
    notify({
      kind: "notice",
      title: "Nothing changed",
      text: `${app} was already uploaded. It isn't the current version.`,
    });
}

interface UploadBoxProps {
  readonly platform: ReleasePlatform;
  readonly current: ReleaseView | null;
  readonly isBusy: boolean;
  readonly onChosen: (file: File) => void;
}

function UploadBox({ platform, current, isBusy, onChosen }: UploadBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  const now = useNow(CLOCK_MS);
  const { name, ending } = PLATFORM_WORDS[platform];
  return (
    <div className="upload-box">
      <div>
        <h3>
          {name} {ending}
        </h3>
        <p className="meta">
          {current === null ? (
            "None yet"
          ) : (
            <>
              Current {current.version},{" "}
              <span className="unbroken">uploaded {formatRelativeTimeWithin(current.uploadedAt, now)}</span>
            </>
          )}
        </p>
      </div>
      <input
        ref={input}
        type="file"
        accept={ending}
        hidden
        aria-label={`${name} ${ending}`}
        onChange={({ target }) => {
          const chosen = target.files?.[0];
          // Lets the same file be chosen again.
          target.value = "";
          if (chosen !== undefined) onChosen(chosen);
        }}
      />
      <Button
        size="small"
        resting={isBusy}
        aria-label={`Upload ${name} ${ending}`}
        onClick={() => input.current?.click()}
      >
        <Icon name="upload" />
        Upload
      </Button>
    </div>
  );
}
