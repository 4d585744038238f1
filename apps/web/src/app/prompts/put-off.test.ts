import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { stubClosedStorage, stubStorage } from "../../lib/testing/stub-storage.ts";
import { readPutOff, savePutOff } from "./put-off.ts";

let kept: Map<string, string>;
beforeEach(() => {
  kept = stubStorage("localStorage");
});
afterEach(() => vi.unstubAllGlobals());

it("remembers after a reload what was put off", () => {
  expect(readPutOff()).toBe(null);
  savePutOff({ version: "1.3.0", at: 5 });
  expect(readPutOff()).toEqual({ version: "1.3.0", at: 5 });
});

it.each(["", "{", "1", "null", "[]", '{"version":"1.3.0"}', '{"version":"x","at":1}', '{"version":"1.3.0","at":"1"}'])(
  "takes %j for nothing",
  (text) => {
    savePutOff({ version: "1.3.0", at: 5 });
    for (const key of kept.keys()) kept.set(key, text);
    expect(readPutOff()).toBe(null);
  },
);

it("works without storage", () => {
  stubClosedStorage("localStorage");
  savePutOff({ version: "1.3.0", at: 5 });
  expect(readPutOff()).toBe(null);
});
