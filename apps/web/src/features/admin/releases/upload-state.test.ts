import { toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import type { ReleaseView } from "@holo/protocol/releases.ts";
import { expect, it } from "vitest";
import { evolveUpload, IDLE, isUnderWay, type UploadEvent, type UploadState } from "./upload-state.ts";

const RELEASE = { id: "1", platform: "windows", version: "1.2.3" } as ReleaseView;
const BEGUN: UploadEvent = { type: "begun", totalBytes: 100 };
const ALL_SENT: UploadEvent = { type: "sent", sentBytes: 100 };
const KEPT: UploadEvent = { type: "kept", release: RELEASE };
const REFUSED: UploadEvent = { type: "refused", refusal: toRefusalView("version_taken") };

function follow(...events: readonly UploadEvent[]): UploadState {
  return events.reduce(evolveUpload, IDLE);
}

// [ADMIN-05 §2,6 r28] In App Updates admins upload a Windows .exe or an Android .apk and see the progress. Another
// app, a library, an app without a signature or without the release key's certificate is refused.
it("shows the progress, then waits for the server's answer [ADMIN-05]", () => {
  expect(follow(BEGUN)).toEqual({ type: "sending", sentBytes: 0, totalBytes: 100 });
  expect(follow(BEGUN, { type: "sent", sentBytes: 40 })).toEqual({ type: "sending", sentBytes: 40, totalBytes: 100 });
  expect(follow(BEGUN, ALL_SENT)).toEqual({ type: "checking" });
  expect(follow(BEGUN, ALL_SENT, KEPT)).toEqual({ type: "done", release: RELEASE });
});

it("accepts an answer before everything is sent", () => {
  expect(follow(BEGUN, REFUSED)).toMatchObject({ type: "failed", refusal: { code: "version_taken" } });
  expect(follow(BEGUN, KEPT)).toMatchObject({ type: "done" });
});

it("says after a lost connection whether the file may have been kept, and allows a retry [ERR-37]", () => {
  expect(follow(BEGUN, { type: "lost" })).toMatchObject({
    type: "failed",
    refusal: { text: expect.stringContaining("Nothing was saved") },
  });
  expect(follow(BEGUN, ALL_SENT, { type: "lost" })).toMatchObject({
    type: "failed",
    refusal: { text: expect.stringContaining("No file is saved twice") },
  });
  expect(follow(BEGUN, { type: "lost" }, BEGUN)).toMatchObject({ type: "sending", sentBytes: 0 });
});

it("can be cancelled until everything is sent", () => {
  expect(follow(BEGUN, { type: "cancelled" })).toEqual(IDLE);
  expect(follow(BEGUN, ALL_SENT, { type: "cancelled" })).toEqual({ type: "checking" });
});

it.each<UploadEvent>([{ type: "sent", sentBytes: 50 }, KEPT, { type: "lost" }, { type: "cancelled" }])(
  "ignores a late %o",
  (late) => {
    for (const over of [IDLE, follow(BEGUN, REFUSED), follow(BEGUN, KEPT)]) expect(evolveUpload(over, late)).toBe(over);
  },
);

it("runs one upload at a time, unchanged until its end", () => {
  const sending = follow(BEGUN, { type: "sent", sentBytes: 40 });
  expect(evolveUpload(sending, BEGUN)).toBe(sending);
  expect(evolveUpload(sending, { type: "changed" })).toBe(sending);
  expect(follow(REFUSED, { type: "changed" })).toEqual(IDLE);
  expect([IDLE, sending, follow(BEGUN, ALL_SENT), follow(REFUSED)].map(isUnderWay)).toEqual([false, true, true, false]);
});
