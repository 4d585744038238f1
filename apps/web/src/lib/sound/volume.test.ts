import { afterEach, expect, it, vi } from "vitest";
import { stubClosedStorage, stubStorage } from "../testing/stub-storage.ts";
import { loadVolume, parseVolume, saveVolume, VOLUME_MAX } from "./volume.ts";

afterEach(() => vi.unstubAllGlobals());

it.each([
  [null, VOLUME_MAX],
  ["0", 0],
  ["7", 7],
  ["10", 10],
  ["11", VOLUME_MAX],
  ["-1", VOLUME_MAX],
  ["2.5", VOLUME_MAX],
  ["loud", VOLUME_MAX],
])("reads %j as the volume %d [GAME-45]", (kept, volume) => {
  expect(parseVolume(kept)).toBe(volume);
});

it("keeps the volume on the device, and is loud without storage [GAME-45]", () => {
  stubStorage("localStorage");
  saveVolume(3);
  expect(loadVolume()).toBe(3);
  stubClosedStorage("localStorage");
  saveVolume(4);
  expect(loadVolume()).toBe(VOLUME_MAX);
});
