import { openMetrics } from "../../platform/metrics/metrics.ts";
import { makeTestTime } from "../../platform/testing/test-time.ts";
import { Admission, type AdmissionDeps, type AdmissionLimits } from "../admission/admission.ts";
import { parseProxies } from "../http/client-address.ts";
import type { ConnectionOwner } from "../socket/connection.ts";
import { SendBudget } from "../socket/send-budget.ts";

const ENOUGH = { burst: 1_000_000, refillMs: 0.001 };
const NO_LIMITS: AdmissionLimits = {
  perKnown: ENOUGH,
  perAddress: ENOUGH,
  perConnectionOfKnown: ENOUGH,
  perConnectionOfStranger: ENOUGH,
  connectionsPerKnownMax: 1_000,
  connectionsPerAddressMax: 1_000,
  strangersMax: 1_000,
  strangersAtOnceMax: 20,
  strangersPauseMs: 0,
  holdMs: 0,
};

export function openTestAdmission(
  limits: Partial<AdmissionLimits> = {},
  deps: Partial<Omit<AdmissionDeps, "limits">> = {},
): Admission {
  return new Admission({
    time: makeTestTime(),
    metrics: openMetrics({ process: false }),
    proxies: parseProxies([]),
    toKnownSource: () => null,
    ...deps,
    limits: { ...NO_LIMITS, ...limits },
  });
}

const VISITOR = { key: "192.0.2.1", address: "192.0.2.1", isKnown: false };

export const TEST_VISITOR: ConnectionOwner = {
  requestId: "a request of tests",
  player: null,
  sessionToken: null,
  meter: openTestAdmission().openMeter(VISITOR),
  budget: new SendBudget(Number.POSITIVE_INFINITY),
};
