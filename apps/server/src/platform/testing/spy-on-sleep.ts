import { type MockInstance, onTestFinished, vi } from "vitest";
import { runtime } from "../runtime.ts";

/**
 * Replaces `sleep` for the rest of the test, so that it can check the requested delays: how long a
 * delay takes depends on the machine.
 */
export function spyOnSleep(sleep: (ms?: number) => Promise<unknown>): MockInstance {
  const spy = vi.spyOn(runtime.current, "sleep").mockImplementation((ms) => sleep(ms) as Promise<never>);
  onTestFinished(() => spy.mockRestore());
  return spy;
}
