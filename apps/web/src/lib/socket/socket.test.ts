import { PROTOCOL_VERSION } from "@holo/protocol/socket/socket-terms.ts";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { stubClosedStorage, stubStorage } from "../testing/stub-storage.ts";

const NEWER = PROTOCOL_VERSION + 1;
const START = Date.UTC(2026, 10, 27);

class StandInWebSocket {
  static readonly OPEN = 1;
  static last: StandInWebSocket;
  readonly readyState = StandInWebSocket.OPEN;
  readonly sent: string[] = [];
  onmessage: ((event: { readonly data: string }) => void) | null = null;
  onclose: (() => void) | null = null;

  constructor() {
    StandInWebSocket.last = this;
  }
  send(text: string) {
    this.sent.push(text);
  }
  close() {}
}

let reloads: number;

beforeEach(() => {
  vi.useFakeTimers({ now: START });
  reloads = 0;
  vi.stubGlobal("addEventListener", () => undefined);
  vi.stubGlobal("document", { addEventListener: () => undefined });
  vi.stubGlobal("navigator", { onLine: true });
  vi.stubGlobal("location", { href: "https://play.example.com/", reload: () => (reloads += 1) });
  vi.stubGlobal("WebSocket", StandInWebSocket);
  stubStorage("sessionStorage");
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Loads the page, whose server speaks another protocol. Returns what the page requested. */
async function openPage(protocol: number): Promise<readonly string[]> {
  vi.resetModules();
  const { watchStats } = await import("./socket.ts");
  const stop = watchStats(() => undefined);
  const { last } = StandInWebSocket;
  last.onmessage?.({ data: JSON.stringify({ type: "hello", protocol, player: null, serverNow: START }) });
  stop();
  return last.sent;
}

// [SITE-41 §2] A page of an earlier release that the server no longer understands loads itself again, at most once a
// minute. In a browser that keeps nothing it goes on as it is.
it("reloads a page of an older protocol, and again if it is still old after a minute [SITE-41]", async () => {
  await openPage(PROTOCOL_VERSION);
  expect(reloads).toBe(0);
  await openPage(NEWER);
  expect(reloads).toBe(1);
  vi.setSystemTime(START + 50_000);
  await openPage(NEWER);
  expect(reloads).toBe(1);
  vi.setSystemTime(START + 70_000);
  await openPage(NEWER);
  expect(reloads).toBe(2);
  await openPage(NEWER + 1);
  expect(reloads).toBe(2);
});

it("does not reload for ever if the device's clock is set back", async () => {
  await openPage(NEWER);
  vi.setSystemTime(START - 10_000);
  await openPage(NEWER);
  expect(reloads).toBe(1);
});

it("does not reload without storage, which would never end, and requests its content [SITE-41]", async () => {
  stubClosedStorage("sessionStorage");
  expect(await openPage(NEWER)).toContain('{"type":"watch_stats"}');
  expect(reloads).toBe(0);
});
