import type { Log } from "../log.ts";
import type { Time } from "./time.ts";
import type { TimerWheel } from "./timer-wheel.ts";

interface RepeatedTaskOptions {
  readonly time: Pick<Time, "monotonicMs">;
  readonly wheel: Pick<TimerWheel, "schedule">;
  readonly log: Log;
  readonly everyMs: number;
  readonly failure: string;
  readonly run: () => Promise<unknown>;
}

/** Runs the task now and again a while after each end. Returns the function that stops it. */
export function startRepeatedTask({ time, wheel, log, everyMs, failure, run }: RepeatedTaskOptions): () => void {
  let isStopped = false;
  let cancel = (): void => undefined;

  function turn(): void {
    run()
      .catch((err) => log.error({ err }, failure))
      .finally(() => {
        if (!isStopped) cancel = wheel.schedule(time.monotonicMs() + everyMs, turn);
      });
  }

  turn();
  return () => {
    isStopped = true;
    cancel();
  };
}
