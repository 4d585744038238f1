import { RELEASE_PLATFORMS, type ReleasePlatform } from "@holo/protocol/release-terms.ts";
import type { ReleaseView } from "@holo/protocol/releases.ts";
import { useQuery } from "@tanstack/react-query";
import { type RefObject, useRef, useState } from "react";
import { fetchApi } from "../../../lib/api/api.ts";
import { PLATFORM_WORDS } from "../../../lib/native/release-text.ts";
import { Button } from "../../../ui/button/button.tsx";
import { Icon } from "../../../ui/icon/icon.tsx";
import { Collapsible } from "../../../ui/layout/collapsible.tsx";
import { notify } from "../../../ui/overlay/notify.ts";
import { formatRelativeTimeWithin } from "../../../ui/text/relative-time.ts";
import { useNow } from "../../../ui/text/use-now.ts";
import { adminKey, refreshAdmin } from "../admin-queries.ts";
import { Loaded } from "../loaded.tsx";
import { MakeCurrentDialog } from "./make-current-dialog.tsx";
import { ReleaseForm } from "./release-form.tsx";
import { ReleaseList } from "./release-list.tsx";
import { isUnderWay, type UploadEvent } from "./upload-state.ts";
import { useUpload } from "./use-upload.ts";
import "./app-updates.css";

const CLOCK_MS = 30_000;

interface ChosenFile {
  readonly file: File;
  readonly platform: ReleasePlatform;
}

interface OpenedRelease {
  readonly release: ReleaseView;
  /** As the admin sees it: the server refuses the change if another one is current by then. */
  readonly current: ReleaseView | null;
}

export function AppUpdates({ playerId }: { readonly playerId: string }) {
  const query = useQuery({
    queryKey: adminKey(playerId, "releases"),
    queryFn: ({ signal }) => fetchApi("adminReleases", {}, signal),
  });
  const [opened, setOpened] = useState<OpenedRelease | null>(null);
  const panel = useRef<HTMLDivElement>(null);
  // State is kept here, so that an upload continues while the panel is closed.
  const { upload, chosen, choose, leave, addedId, dismissAdded } = useChosenFile(panel);

  /** Another current release is shown only after a refusal, never between reading and pressing. */
  async function showLatest({ release }: OpenedRelease): Promise<void> {
    const { data } = await query.refetch();
    if (data === undefined) return;
    const current = findCurrent(data.releases, release.platform);
    setOpened((open) => (open?.release.id === release.id ? { release, current } : open));
  }

  return (
    <Collapsible title="App Updates" startsOpen>
      <Loaded query={query} loading="Loading versions..." failed="We couldn't load the versions.">
        {({ releases }) => (
          <div className="app-updates" ref={panel}>
            {RELEASE_PLATFORMS.map((platform) => (
              <UploadBox
                key={platform}
                platform={platform}
                current={findCurrent(releases, platform)}
                isBusy={isUnderWay(upload.state)}
                onChosen={(file) => choose({ file, platform })}
              />
            ))}
            {chosen !== null && (
              <ReleaseForm
                key={`${chosen.platform} ${chosen.file.name} ${chosen.file.size} ${chosen.file.lastModified}`}
                {...chosen}
                releases={releases}
                upload={upload}
                onLeave={leave}
              />
            )}
            {releases
              .filter(({ id, isCurrent }) => id === addedId && !isCurrent)
              .map((release) => (
                <AddedRelease
                  key={release.id}
                  release={release}
                  current={findCurrent(releases, release.platform)}
                  onMakeCurrent={() => setOpened({ release, current: findCurrent(releases, release.platform) })}
                  onDismiss={dismissAdded}
                />
              ))}
            {RELEASE_PLATFORMS.map((platform) => (
              <ReleaseList
                key={platform}
                platform={platform}
                releases={releases.filter((release) => release.platform === platform)}
                onMakeCurrent={(release) => setOpened({ release, current: findCurrent(releases, platform) })}
              />
            ))}
            {opened !== null && (
              <MakeCurrentDialog
                {...opened}
                onClose={() => setOpened(null)}
                onOutdated={() => void showLatest(opened)}
              />
            )}
          </div>
        )}
      </Loaded>
    </Collapsible>
  );
}

/** The file that is uploaded here, and then the release that it became. */
function useChosenFile(panel: RefObject<HTMLDivElement | null>) {
  const [chosen, setChosen] = useState<ChosenFile | null>(null);
  /** Uploaded here, and not yet made current or dismissed. */
  const [addedId, setAddedId] = useState<string | null>(null);
  const upload = useUpload(handleUpload);

  function handleUpload(event: UploadEvent) {
    refreshAdmin();
    if (event.type !== "kept") return;
    const { id, platform, version, isCurrent } = event.release;
    setAddedId(id);
    if (isCurrent)
      notify({
        kind: "notice",
        title: "Nothing changed",
        text: `${PLATFORM_WORDS[platform].name} ${version} is the current version already.`,
      });
    leave();
  }

  function choose(file: ChosenFile) {
    upload.change();
    setAddedId(null);
    setChosen(file);
  }

  function leave() {
    upload.change();
    setChosen(null);
    const { current } = panel;
    if (current?.querySelector("form")?.contains(document.activeElement) === true)
      current.querySelector("button")?.focus();
  }

  return { upload, chosen, choose, leave, addedId, dismissAdded: () => setAddedId(null) };
}

function findCurrent(releases: readonly ReleaseView[], platform: ReleasePlatform): ReleaseView | null {
  return releases.find((release) => release.platform === platform && release.isCurrent) ?? null;
}

interface AddedReleaseProps {
  readonly release: ReleaseView;
  readonly current: ReleaseView | null;
  readonly onMakeCurrent: () => void;
  readonly onDismiss: () => void;
}

function AddedRelease({ release, current, onMakeCurrent, onDismiss }: AddedReleaseProps) {
  const { name } = PLATFORM_WORDS[release.platform];
  return (
    <div className="added-release">
      <p role="status">
        <b>
          {name} {release.version} is uploaded.
        </b>{" "}
        {current === null ? "Nobody is offered it yet." : `Everyone is still offered ${current.version}.`}
      </p>
      <div className="release-actions">
        <Button onClick={onDismiss}>Not Now</Button>
        <Button onClick={onMakeCurrent}>Make {release.version} Current</Button>
      </div>
    </div>
  );
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
            "No current version"
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
