import { toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { onCodeRequired } from "../../../lib/api/api.ts";
import { type ReleaseToSend, sendRelease } from "./send-release.ts";
import type { UploadEvent } from "./upload-state.ts";

class StandInRequest {
  static last: StandInRequest;
  readonly upload: { onprogress: ((event: { readonly loaded: number }) => void) | null } = { onprogress: null };
  readonly headers: Record<string, string> = {};
  onload: (() => void) | null = null;
  onerror: (() => void) | null = null;
  status = 0;
  responseText = "";
  opened = "";
  sent: unknown;
  isAborted = false;

  constructor() {
    StandInRequest.last = this;
  }
  open(method: string, url: string) {
    this.opened = `${method} ${url}`;
  }
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }
  send(body: unknown) {
    this.sent = body;
  }
  abort() {
    this.isAborted = true;
  }
  answer(status: number, text: string) {
    this.status = status;
    this.responseText = text;
    this.onload?.();
  }
}

const FILE = new File([new Uint8Array(100)], "holo.exe");
const RELEASE: ReleaseToSend = { file: FILE, platform: "windows", version: "1.2.3" };
let reported: UploadEvent[];

function send(release: ReleaseToSend = RELEASE) {
  reported = [];
  const stop = sendRelease(release, (event) => reported.push(event));
  return { stop, request: StandInRequest.last };
}

/** Lets the answer reach the page. */
const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("XMLHttpRequest", StandInRequest);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("sends the file unchanged, and no version where the file carries it", () => {
  const { request } = send();
  expect(request.opened).toBe("POST /api/admin/releases?platform=windows&version=1.2.3");
  expect(request.headers).toEqual({ "content-type": "application/octet-stream" });
  expect(request.sent).toBe(FILE);
  expect(send({ ...RELEASE, version: null }).request.opened).toBe("POST /api/admin/releases?platform=windows");
});

it("reports progress and the server's answer", async () => {
  const { request } = send();
  request.upload.onprogress?.({ loaded: 40 });
  request.upload.onprogress?.({ loaded: 100 });
  request.answer(200, '{"id":"1"}');
  await settle();
  expect(reported).toEqual([
    { type: "sent", sentBytes: 40 },
    { type: "sent", sentBytes: 100 },
    { type: "kept", release: { id: "1" } },
  ]);
  vi.runAllTimers();
  expect(reported).toHaveLength(3);
});

it("reports a refusal with its text", async () => {
  const refusal = toRefusalView("version_taken");
  send().request.answer(409, JSON.stringify(refusal));
  await settle();
  expect(reported).toEqual([{ type: "refused", refusal }]);
});

it.each([
  [502, "<h1>Bad Gateway</h1>"],
  [413, "{}"],
  [200, ""],
])("treats an answer of %i with %j as a lost connection", async (status, text) => {
  send().request.answer(status, text);
  await settle();
  expect(reported).toEqual([{ type: "lost" }]);
});

it("reports a lost connection, at the latest after a stall", async () => {
  send().request.onerror?.();
  await settle();
  expect(reported).toEqual([{ type: "lost" }]);

  const { request } = send();
  vi.advanceTimersByTime(29_000);
  request.upload.onprogress?.({ loaded: 1 });
  vi.advanceTimersByTime(29_000);
  expect(reported).toEqual([{ type: "sent", sentBytes: 1 }]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(reported.at(-1)).toEqual({ type: "lost" });
  expect(request.isAborted).toBe(true);
});

it("gives the server more time to check a complete file", async () => {
  const { request } = send();
  request.upload.onprogress?.({ loaded: FILE.size });
  vi.advanceTimersByTime(100_000);
  expect(reported).toEqual([{ type: "sent", sentBytes: FILE.size }]);
  request.answer(200, "{}");
  await settle();
  expect(reported.at(-1)).toEqual({ type: "kept", release: {} });
});

it("reports nothing after it was stopped", async () => {
  const { stop, request } = send();
  stop();
  expect(request.isAborted).toBe(true);
  request.upload.onprogress?.({ loaded: 40 });
  request.answer(200, "{}");
  request.onerror?.();
  vi.runAllTimers();
  await settle();
  expect(reported).toEqual([]);
});

it.each([
  [true, { type: "kept", release: {} }],
  [false, { type: "code_cancelled" }],
])(
  "asks staff for a code where the server does, and sends again if it was given: %s [ROLE-25]",
  async (isGiven, end) => {
    onCodeRequired(async () => isGiven);
    const { request } = send();
    request.answer(401, JSON.stringify(toRefusalView("second_factor_required")));
    await settle();
    expect(StandInRequest.last === request).toBe(!isGiven);
    if (isGiven) StandInRequest.last.answer(200, "{}");
    await settle();
    expect(reported).toEqual([end]);
  },
);
