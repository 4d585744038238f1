import { assertNever } from "@holo/kernel/assert.ts";
import type { RefusalView } from "@holo/protocol/refusals/refusals.ts";
import type { ReleaseView } from "@holo/protocol/releases.ts";

export type UploadState =
  | { readonly type: "idle" }
  | { readonly type: "sending"; readonly sentBytes: number; readonly totalBytes: number }
  /** Everything is sent and the server checks it. Only its answer says whether it was kept. */
  | { readonly type: "checking" }
  | { readonly type: "failed"; readonly refusal: RefusalView }
  | { readonly type: "done"; readonly release: ReleaseView };

export type UploadEvent =
  | { readonly type: "begun"; readonly totalBytes: number }
  | { readonly type: "sent"; readonly sentBytes: number }
  | { readonly type: "kept"; readonly release: ReleaseView }
  | { readonly type: "refused"; readonly refusal: RefusalView }
  | { readonly type: "lost" }
  | { readonly type: "cancelled" }
  /** Refused, and no code was given: nothing is stored. */
  | { readonly type: "code_cancelled" }
  | { readonly type: "changed" };

export const IDLE: UploadState = { type: "idle" };

const LOST: RefusalView = {
  code: "unavailable",
  title: "Failed to upload",
  text: "The connection was lost. Nothing was saved. Please try again.",
};
const LOST_LATE: RefusalView = {
  code: "unavailable",
  title: "Failed to upload",
  text: "The connection was lost before the server answered. Please try again. No file is saved twice.",
};

export function isUnderWay(state: UploadState): boolean {
  return state.type === "sending" || state.type === "checking";
}

export function evolveUpload(state: UploadState, event: UploadEvent): UploadState {
  switch (event.type) {
    case "begun":
      return isUnderWay(state) ? state : { type: "sending", sentBytes: 0, totalBytes: event.totalBytes };
    case "changed":
      return isUnderWay(state) ? state : IDLE;
    case "sent":
      return state.type === "sending" ? toProgress(state.totalBytes, event.sentBytes) : state;
    case "code_cancelled":
      return IDLE;
    case "kept":
      return isUnderWay(state) ? { type: "done", release: event.release } : state;
    case "refused":
      return { type: "failed", refusal: event.refusal };
    case "lost":
      if (state.type === "sending") return { type: "failed", refusal: LOST };
      return state.type === "checking" ? { type: "failed", refusal: LOST_LATE } : state;
    case "cancelled":
      return state.type === "sending" ? IDLE : state;
    default:
      return assertNever(event);
  }
}

function toProgress(totalBytes: number, sentBytes: number): UploadState {
  return sentBytes >= totalBytes ? { type: "checking" } : { type: "sending", sentBytes, totalBytes };
}
