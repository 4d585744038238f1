import { describe, expect, it } from "vitest";
import { createServerClock } from "./server-clock.ts";

describe("the server's clock", () => {
  it("follows the least delayed message", () => {
    let local = 100;
    const clock = createServerClock(() => local, 0);
    clock.observe(1_000);
    local = 200;
    clock.observe(1_060);
    expect(clock.now()).toBe(1_100);
    local = 300;
    clock.observe(1_290);
    expect(clock.now()).toBe(1_290);
  });

  // [CLOCK-13 §7] Every instant that is shown is computed from the server's clock: ages, rates, waits and bans are
  // right on a device whose clock is hours off.
  it("follows an answer's date until the first message, and reports jumps [CLOCK-13]", () => {
    // The device's clock is three hours ahead.
    const clock = createServerClock(() => 0, 10_800_000 + 999);
    const corrected: number[] = [];
    const stop = clock.onCorrected(() => void corrected.push(clock.now()));
    clock.suggest(Number.NaN);
    clock.suggest(1_000);
    clock.suggest(2_000);
    expect(clock.now()).toBe(1_000);
    clock.observe(2_500);
    clock.observe(2_600);
    clock.suggest(9_000);
    expect(clock.now()).toBe(2_600);
    stop();
    clock.observe(9_000);
    expect(corrected).toEqual([1_000, 2_500]);
  });

  it("starts with a guess and keeps its estimate until a new connection", () => {
    let local = 100;
    const clock = createServerClock(() => local, 5_000);
    expect(clock.now()).toBe(5_100);
    clock.observe(9_000);
    clock.reset();
    local = 150;
    expect(clock.now()).toBe(9_050);
    clock.observe(8_000);
    expect(clock.now()).toBe(8_000);
  });
});
