import { openMetrics } from "../../platform/metrics/metrics.ts";
import { makeTestTime } from "../../platform/testing/test-time.ts";
import { type FloodGate, type FloodGateDeps, type FloodLimits, openFloodGate } from "../flood-gate.ts";
import { parseProxies } from "../http/client-address.ts";
import type { ConnectionOwner } from "../socket/connection.ts";
import { SendBudget } from "../socket/send-budget.ts";

const ENOUGH = { burst: 100_000, refillMs: 1 };
const ENOUGH_BYTES = { burst: 2 ** 30, refillMs: 1 };

export function openTestGate(
  limits: Partial<FloodLimits> = {},
  deps: Partial<Omit<FloodGateDeps, "limits">> = {},
): FloodGate {
  return openFloodGate({
    time: makeTestTime(),
    metrics: openMetrics({ process: false }),
    proxies: parseProxies([]),
    toKnownSource: () => null,
    ...deps,
    limits: {
      requestsPerSource: ENOUGH,
      passesPerKnown: ENOUGH,
      wastePerSource: ENOUGH,
      refusalsPerAddress: ENOUGH,
      bytesPerSource: ENOUGH_BYTES,
      bytesOfVisitors: ENOUGH_BYTES,
      ...limits,
    },
  });
}

export const TEST_VISITOR: ConnectionOwner = {
  requestId: "a request of tests",
  player: null,
  sessionToken: null,
  source: { key: "192.0.2.1", address: "192.0.2.1", isKnown: false, isProxied: false },
  limits: { frames: ENOUGH, wastedFrames: ENOUGH },
  budget: new SendBudget(Number.POSITIVE_INFINITY),
};
