import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";
import { type MockInstance, onTestFinished, vi } from "vitest";

/**
 * Replaces `setTimeout` of node:timers/promises for the rest of the test, so that it can check the
 * requested delays: how long a delay takes depends on the machine.
 */
export function spyOnSleep(sleep: (ms?: number) => Promise<unknown>): MockInstance {
  const spy = vi.spyOn(timers, "setTimeout").mockImplementation((ms) => sleep(ms) as Promise<never>);
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
  return spy;
}
