import { RELEASE_VERSION_DEFAULT, type ReleasePlatform } from "@holo/protocol/release-terms.ts";
import type { ReleaseView } from "@holo/protocol/releases.ts";
import { type SubmitEvent, useEffect, useState } from "react";
import { formatBytes } from "../../../lib/native/bytes.ts";
import { PLATFORM_WORDS } from "../../../lib/native/release-text.ts";
import { Button } from "../../../ui/button/button.tsx";
import { FailureNote } from "../../../ui/feedback/failure-note.tsx";
import { Progress } from "../../../ui/feedback/progress.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { useInvalidFocus } from "../../../ui/form/use-invalid-focus.ts";
import { parseVersion, toNextVersion } from "./release-check.ts";
import { isUnderWay, type UploadState } from "./upload-state.ts";
import type { useUpload } from "./use-upload.ts";

interface ReleaseFormProps {
  readonly file: File;
  /** Of the button that chose the file. The server refuses a file of another one. */
  readonly platform: ReleasePlatform;
  readonly releases: readonly ReleaseView[];
  readonly upload: ReturnType<typeof useUpload>;
  readonly onLeave: () => void;
}

export function ReleaseForm({ file, platform, releases, upload, onLeave }: ReleaseFormProps) {
  const { state, start, cancel, change } = upload;
  const [version, setVersion] = useState("");
  const [error, setError] = useState<string>();
  const invalidFocus = useInvalidFocus();
  const isBusy = isUnderWay(state);
  const failure = state.type === "failed" ? state.refusal : null;

  useEffect(() => {
    if (failure?.code === "version_taken") setVersion((given) => toNextVersion(releases, platform) ?? given);
  }, [failure, releases, platform]);

  const { ref } = invalidFocus;
  useEffect(() => ref.current?.querySelector("input")?.focus(), [ref]);

  function send(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const parsed = parseVersion(version);
    if (!parsed.ok) return setError(parsed.refusal.text);
    void start({ file, platform, version: parsed.value });
  }

  return (
    <form {...invalidFocus} className="release-form" noValidate aria-label="New version" onSubmit={send}>
      <p className="release-file">
        <b>{file.name}</b>{" "}
        <span className="meta">
          for {PLATFORM_WORDS[platform].name}, {formatBytes(file.size)}
        </span>
      </p>
      <TextField
        label="Version"
        placeholder="From the file"
        hint={`Leave empty to use the file's version, or ${RELEASE_VERSION_DEFAULT}.`}
        error={error}
        inputMode="decimal"
        autoComplete="off"
        disabled={isBusy}
        value={version}
        onChange={(event) => {
          setVersion(event.target.value);
          setError(undefined);
          change();
        }}
      />
      <div className="release-actions">
        {state.type !== "checking" && <Button onClick={isBusy ? cancel : onLeave}>Cancel</Button>}
        <Button type="submit" busy={isBusy && "Uploading..."}>
          {failure === null ? "Upload" : "Try Again"}
        </Button>
      </div>
      {isBusy && <Sending state={state} />}
      {failure !== null && <FailureNote failure={{ title: "Failed to upload", text: failure.text }} />}
    </form>
  );
}

function Sending({ state }: { readonly state: UploadState }) {
  const isSending = state.type === "sending" && state.totalBytes > 0;
  const percent = isSending ? Math.floor((state.sentBytes / state.totalBytes) * 100) : 100;
  return (
    <div className="release-progress">
      <Progress label="Upload" percent={percent} />
      <p className="small muted">
        {state.type === "sending"
          ? `${formatBytes(state.sentBytes)} of ${formatBytes(state.totalBytes)}`
          : "Upload complete. Checking the file..."}
      </p>
    </div>
  );
}
