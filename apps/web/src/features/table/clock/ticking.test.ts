import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatClock, toAwayTick, toClockTick, toCountdownTick, toMinutesTick } from "./ticking.ts";

if (!process.env.DEEP) fc.configureGlobal({ seed: 20_261_123 });

describe("ticking texts", () => {
  // [CLOCK-06 §2 r16] Clocks show m:ss, with tenths of a second below ten seconds.
  it("show minutes and seconds, and tenths under ten seconds [CLOCK-06]", () => {
    expect(formatClock(600_000)).toBe("10:00");
    expect(formatClock(599_999)).toBe("9:59");
    expect(formatClock(10_000)).toBe("0:10");
    expect(formatClock(9_999)).toBe("0:09.9");
    expect(formatClock(45)).toBe("0:00.0");
    expect(formatClock(0)).toBe("0:00");
    expect(formatClock(-5)).toBe("0:00");
  });

  it("do not tick for a stopped clock or at zero", () => {
    expect(toClockTick(5_000, false).nextMs).toBeNull();
    expect(toClockTick(0, true)).toEqual({ text: "0:00", nextMs: null });
  });

  it("tick when the next text is due", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 600_000 }), (remainingMs) => {
        const { text, nextMs } = toClockTick(remainingMs, true);
        expect(nextMs).not.toBeNull();
        const changedAt = nextMs ?? 0;
        expect(formatClock(remainingMs - changedAt)).not.toBe(text);
        expect(formatClock(remainingMs - changedAt + 2)).toBe(text);
      }),
    );
  });

  it("count down to an instant and stop there", () => {
    expect(toCountdownTick(43_000, 0)).toEqual({ text: "0:43", nextMs: 1_001 });
    expect(toCountdownTick(43_000, 500).text).toBe("0:43");
    expect(toCountdownTick(43_000, 42_999).text).toBe("0:01");
    expect(toCountdownTick(43_000, 50_000)).toEqual({ text: "0:00", nextMs: null });
  });

  it("show minutes, and seconds in the last minute", () => {
    expect(toMinutesTick(28 * 60_000, 0)).toEqual({ text: "28 min", nextMs: 60_001 });
    expect(toMinutesTick(28 * 60_000, 1).text).toBe("28 min");
    expect(toMinutesTick(59_000, 0).text).toBe("0:59");
  });

  it("show a player as offline after five seconds, with the duration [PRES-01]", () => {
    expect(toAwayTick(1_000, 500).text).toBe("Away");
    expect(toAwayTick(1_000, 5_999)).toEqual({ text: "Away", nextMs: 2 });
    expect(toAwayTick(1_000, 6_001).text).toBe("Offline for 0:05");
    expect(toAwayTick(1_000, 24_300)).toEqual({ text: "Offline for 0:23", nextMs: 701 });
  });
});
