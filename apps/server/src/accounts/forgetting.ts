import { MINUTE_MS } from "@holo/kernel/instant.ts";
import type { Log } from "../platform/log.ts";
import type { Time } from "../platform/time.ts";
import type { TimerWheel } from "../platform/timer-wheel.ts";
import type { Accounts } from "./accounts.ts";

export interface ForgettingOptions {
  readonly accounts: Pick<Accounts, "forget">;
  readonly time: Time;
  readonly wheel: TimerWheel;
  readonly log: Log;
}

/** What is not needed any more is kept for so much longer at most. */
const FORGET_EVERY_MS = 60 * MINUTE_MS;

/** Forgets, from now on and every hour, what is kept of people for no longer than it is needed. Returns what stops it. */
export function startForgetting({ accounts, time, wheel, log }: ForgettingOptions): () => void {
  let isStopped = false;
  let cancel = (): void => undefined;

  function forget(): void {
    accounts
      .forget()
      .catch((err) => log.error({ err }, "what is not needed of people any more could not be forgotten"))
      .finally(() => {
        if (!isStopped) cancel = wheel.schedule(time.monotonicMs() + FORGET_EVERY_MS, forget);
      });
  }

  forget();
  return () => {
    isStopped = true;
    cancel();
  };
}
