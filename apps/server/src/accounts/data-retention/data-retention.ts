import { MINUTE_MS } from "@holo/kernel/instant.ts";
import type { Log } from "../../platform/log.ts";
import type { Time } from "../../platform/time/time.ts";
import type { TimerWheel } from "../../platform/time/timer-wheel.ts";
import type { Accounts } from "../accounts.ts";

interface DataRetentionOptions {
  readonly accounts: Pick<Accounts, "removeExpiredData">;
  readonly time: Time;
  readonly wheel: TimerWheel;
  readonly log: Log;
}

const RUN_EVERY_MS = 60 * MINUTE_MS;

/** Deletes expired data now and every hour. Returns the function that stops it. */
export function startDataRetention({ accounts, time, wheel, log }: DataRetentionOptions): () => void {
  let isStopped = false;
  let cancel = (): void => undefined;

  function run(): void {
    accounts
      .removeExpiredData()
      .catch((err) => log.error({ err }, "what is not needed of people any more could not be forgotten"))
      .finally(() => {
        if (!isStopped) cancel = wheel.schedule(time.monotonicMs() + RUN_EVERY_MS, run);
      });
  }

  run();
  return () => {
    isStopped = true;
    cancel();
  };
}
