import { PROFILE_DEFAULTS } from "@holo/protocol/accounts/profile.ts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { login } from "../session/session.ts";
import { stubClosedStorage, stubStorage } from "../testing/stub-storage.ts";
import { isSwitchedOn, saveSwitchOnDevice } from "./switches.ts";

const PLAYER = {
  id: "player-amaka",
  username: "AmakaPlays",
  email: "amaka@example.com",
  ...PROFILE_DEFAULTS,
  soundEnabled: false,
};

describe("the switches", () => {
  let kept: Map<string, string>;

  beforeEach(() => {
    kept = stubStorage("localStorage");
  });
  afterEach(() => vi.unstubAllGlobals());

  // [PROF-07 §2,3 r29] Notifications are on until the player switches them off, on the profile or in the header.
  it("are on until switched off on this device [PROF-07]", () => {
    expect([isSwitchedOn("sound"), isSwitchedOn("notifications")]).toEqual([true, true]);
    saveSwitchOnDevice("sound", false);
    expect([isSwitchedOn("sound"), isSwitchedOn("notifications")]).toEqual([false, true]);
    saveSwitchOnDevice("sound", true);
    expect(isSwitchedOn("sound")).toBe(true);
  });

  it("are on if storage is blocked", () => {
    stubClosedStorage("localStorage");
    expect(isSwitchedOn("sound")).toBe(true);
  });

  it("follow the player's profile, which this device stores [ENT-01]", async () => {
    saveSwitchOnDevice("notifications", false);
    const session = { player: PLAYER, balance: "0", openGame: null, settings: { rateKobo: 30_600, feeBps: 740 } };
    vi.stubGlobal("fetch", async () => Response.json({ ...session, pausedUntil: null }));
    await login({ email: PLAYER.email, password: "holo-arena" });
    expect([isSwitchedOn("sound"), isSwitchedOn("notifications")]).toEqual([false, true]);
    expect([kept.get("holo.sound"), kept.get("holo.notifications")]).toEqual(["off", "on"]);
  });
});
