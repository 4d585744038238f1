import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { RefusalView } from "@holo/protocol/refusals/refusals.ts";
import { RELEASE_UPLOAD_PATH, type ReleasePlatform } from "@holo/protocol/release-terms.ts";
import type { ReleaseView } from "@holo/protocol/releases.ts";
import { isRefusalView, sendWithCode } from "../../../lib/api/api.ts";
import { toFailure } from "../../../lib/api/failure.ts";
import type { UploadEvent } from "./upload-state.ts";

/** An upload without progress for this long is lost. */
const STALL_MS = 30_000;
const ANSWER_MS = 120_000;

export interface ReleaseToSend {
  readonly file: File;
  readonly platform: ReleasePlatform;
  readonly version: string | null;
}

/**
 * Uploads a file and reports `sent` events, then one of `kept`, `refused` and `lost`. Sends again
 * with a code if the server asks for one. Returns a function that aborts it.
 */
export function sendRelease(release: ReleaseToSend, report: (event: UploadEvent) => void): () => void {
  let isStopped = false;
  let abort = () => {};
  async function send(): Promise<Result<UploadEvent, RefusalView>> {
    if (isStopped) return ok({ type: "cancelled" });
    const end = await new Promise<UploadEvent>((resolve) => {
      abort = sendFile(release, (event) => (event.type === "sent" ? report(event) : resolve(event)));
    });
    return end.type === "refused" ? refuse(end.refusal) : ok(end);
  }
  void sendWithCode(send).then((answer) => {
    if (!isStopped) report(answer.ok ? answer.value : toEnd(answer.refusal));
  });
  return () => {
    isStopped = true;
    abort();
  };
}

function toEnd(refusal: RefusalView): UploadEvent {
  return toFailure(refusal) === null ? { type: "code_cancelled" } : { type: "refused", refusal };
}

/** By XMLHttpRequest, since fetch reports no upload progress. */
function sendFile({ file, platform, version }: ReleaseToSend, report: (event: UploadEvent) => void): () => void {
  const query = new URLSearchParams({ platform, ...(version !== null && { version }) });
  const request = new XMLHttpRequest();
  let watchdog: ReturnType<typeof setTimeout>;

  function stop() {
    clearTimeout(watchdog);
    request.onload = null;
    request.onerror = null;
    request.upload.onprogress = null;
    request.abort();
  }
  function lose() {
    stop();
    report({ type: "lost" });
  }
  function watch(ms: number) {
    clearTimeout(watchdog);
    watchdog = setTimeout(lose, ms);
  }

  request.open("POST", `${RELEASE_UPLOAD_PATH}?${query}`);
  request.setRequestHeader("content-type", "application/octet-stream");
  request.upload.onprogress = ({ loaded }) => {
    watch(loaded < file.size ? STALL_MS : ANSWER_MS);
    report({ type: "sent", sentBytes: loaded });
  };
  request.onload = () => {
    clearTimeout(watchdog);
    report(readAnswer(request));
  };
  request.onerror = lose;
  watch(STALL_MS);
  request.send(file);
  return stop;
}

function readAnswer(request: XMLHttpRequest): UploadEvent {
  try {
    const content: unknown = JSON.parse(request.responseText);
    if (request.status >= 200 && request.status < 300) return { type: "kept", release: content as ReleaseView };
    if (isRefusalView(content)) return { type: "refused", refusal: content };
  } catch {
    // A proxy answers in its own format while the server is down.
  }
  return { type: "lost" };
}
