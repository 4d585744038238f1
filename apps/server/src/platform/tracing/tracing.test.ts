import { AsyncLocalStorage } from "node:async_hooks";
import { afterEach, expect, test, vi } from "vitest";
import { type CommandTrace, currentTrace, runTraced } from "./tracing.ts";

afterEach(() => vi.restoreAllMocks());

test("a command without a trace runs in no context of its own [OPS-30]", () => {
  const enter = vi.spyOn(AsyncLocalStorage.prototype, "run");
  const trace: CommandTrace = { enter: () => undefined, end: () => undefined };
  const found: (CommandTrace | null)[] = [];
  runTraced(null, () => found.push(currentTrace()));
  expect(enter).not.toHaveBeenCalled();
  runTraced(trace, () => found.push(currentTrace()));
  expect(enter).toHaveBeenCalledTimes(1);
  expect(found).toEqual([null, trace]);
});
