import { runtime } from "../../platform/runtime.ts";
import { spyOnSleep } from "../../platform/testing/spy-on-sleep.ts";
import { CLAIM_RETRY_MS } from "../table/tables.ts";

/**
 * Holds the retries of refused claims until the returned function is called. They are few, so that
 * a slow machine would run out of them.
 */
export function holdClaims(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { sleep } = runtime.current;
  spyOnSleep((ms = 0) => (ms === CLAIM_RETRY_MS ? promise : sleep(ms, undefined)));
  return resolve;
}
