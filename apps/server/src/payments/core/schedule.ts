import { addMs, DAY_MS, type Instant, MINUTE_MS, SECOND_MS } from "@holo/kernel/instant.ts";

/** A later payment is found by its webhook or the comparison. */
export const UNPAID_MS = DAY_MS;
const DEPOSIT_PAUSE_MS_MIN = 15 * SECOND_MS;
const DEPOSIT_PAUSE_MS_MAX = 30 * MINUTE_MS;
const WITHDRAWAL_PAUSE_MS_MIN = 2 * SECOND_MS;
const WITHDRAWAL_PAUSE_MS_MAX = 5 * MINUTE_MS;
const DOUBLINGS_MAX = 20;

interface Asked {
  readonly kind: "deposit" | "withdrawal" | "revenue";
  readonly attempts: number;
}

/** Doubling pauses: deposits from 15 s to 30 minutes, withdrawals from 2 s to 5 minutes. */
export function toNextAskAt({ kind, attempts }: Asked, now: Instant): Instant {
  const [least, most] =
    kind === "deposit"
      ? [DEPOSIT_PAUSE_MS_MIN, DEPOSIT_PAUSE_MS_MAX]
      : [WITHDRAWAL_PAUSE_MS_MIN, WITHDRAWAL_PAUSE_MS_MAX];
  return addMs(now, Math.min(most, least * 2 ** Math.min(attempts, DOUBLINGS_MAX)));
}
