import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { stubDevice } from "../testing/stub-device.ts";
import { stubClosedStorage, stubStorage } from "../testing/stub-storage.ts";

const GONE = new TypeError("Failed to fetch dynamically imported module");

let device: EventTarget;
let isServerThere = true;
let entry = "https://play.example.com/assets/index-1a2b3c4d.js";
let reloads = 0;
let page: { pathname: string; reload: () => void };

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  isServerThere = true;
  entry = "https://play.example.com/assets/index-1a2b3c4d.js";
  reloads = 0;
  page = { pathname: "/game/1", reload: () => (reloads += 1) };
  device = stubDevice();
  vi.stubGlobal("document", { querySelector: () => ({ src: entry }) });
  vi.stubGlobal("location", page);
  stubStorage("sessionStorage");
  vi.stubGlobal("fetch", () =>
    isServerThere ? Promise.resolve(new Response("the page")) : Promise.reject(new TypeError("Failed to fetch")),
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function ask(load: () => Promise<string>, options = {}): Promise<string> {
  const { loadChunk } = await import("./load-chunk.ts");
  let outcome = "waits";
  loadChunk(load, options).then(
    (part) => {
      outcome = part;
    },
    (fault) => {
      outcome = String(fault);
    },
  );
  await vi.advanceTimersByTimeAsync(60_000);
  return outcome;
}

const never = () => Promise.reject(GONE);

it("loads a chunk once the server is reachable, without a reload", async () => {
  isServerThere = false;
  setTimeout(() => (isServerThere = true), 20_000);
  expect(await ask(() => (isServerThere ? Promise.resolve("the part") : never()))).toBe("the part");
  expect(reloads).toBe(0);
});

it("loads a chunk at once when the device is online again", async () => {
  isServerThere = false;
  const { loadChunk } = await import("./load-chunk.ts");
  const load = loadChunk(() => (isServerThere ? Promise.resolve("the part") : never()));
  await vi.advanceTimersByTimeAsync(20_000);
  isServerThere = true;
  device.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(0);
  expect(vi.getTimerCount()).toBe(0);
  await expect(load).resolves.toBe("the part");
});

it("survives two lost requests", async () => {
  let asked = 0;
  expect(await ask(() => (++asked < 3 ? never() : Promise.resolve("the part")))).toBe("the part");
  expect(reloads).toBe(0);
});

it("reloads once per address and build for a missing chunk, then rejects", async () => {
  expect(await ask(never)).toBe("waits");
  expect(reloads).toBe(1);
  expect(await ask(never)).toBe(String(GONE));
  expect(reloads).toBe(1);
  page.pathname = "/matches";
  await ask(never);
  expect(reloads).toBe(2);
  entry = "https://play.example.com/assets/index-5e6f7a8b.js";
  await ask(never);
  expect(reloads).toBe(3);
});

it("never reloads for an optional or prefetched chunk", async () => {
  expect(await ask(never, { isOptional: true })).toBe(String(GONE));
  const { fetchChunk } = await import("./load-chunk.ts");
  await expect(fetchChunk(never)).rejects.toBe(GONE);
  expect(reloads).toBe(0);
});

it("does not reload without storage, which would never end", async () => {
  stubClosedStorage("sessionStorage");
  expect(await ask(never)).toBe(String(GONE));
  expect(reloads).toBe(0);
});
