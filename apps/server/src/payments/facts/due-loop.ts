import { addMs, SECOND_MS } from "@holo/kernel/instant.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Log } from "../../platform/log.ts";
import type { Time } from "../../platform/time/time.ts";
import type { TimerWheel } from "../../platform/time/timer-wheel.ts";
import type { Payment } from "../payment.ts";
import { CLAIM_MS, claimDue } from "../store/claim-store.ts";

/** Runs the due steps of all payments. Their rows are the only queue. */
interface DueLoop {
  wake(): void;
  /** Runs everything that is due and resolves afterwards. Tests call it after moving the clock. */
  runDue(): Promise<void>;
  close(): Promise<void>;
}

interface DueLoopDeps {
  readonly database: Database;
  readonly time: Time;
  readonly wheel: TimerWheel;
  readonly log: Log;
  /**
   * One step of a payment. An error is logged, and the payment is due again when its claim ends.
   */
  readonly step: (payment: Payment, claimedUntil: Payment["createdAt"]) => Promise<void>;
  /** False: runs only on `wake` and `runDue`. */
  readonly isPolling?: boolean;
}

const CHECK_EVERY_MS = SECOND_MS;
const STEPS_AT_ONCE = 8;

export function openDueLoop({ database, time, wheel, log, step, isPolling = true }: DueLoopDeps): DueLoop {
  let running: Promise<void> | null = null;
  let isWokenAgain = false;
  let isClosed = false;
  let cancel: () => void = () => undefined;
  if (isPolling) scheduleNext();

  function scheduleNext(): void {
    cancel = wheel.schedule(time.monotonicMs() + CHECK_EVERY_MS, () => {
      wake();
      scheduleNext();
    });
  }

  async function runAll(): Promise<void> {
    while (!isClosed) {
      const now = time.now();
      const claimedUntil = addMs(now, CLAIM_MS);
      const due = await claimDue(database.kysely, now, claimedUntil, STEPS_AT_ONCE);
      if (due.length === 0) return;
      await Promise.all(
        due.map((payment) =>
          step(payment, claimedUntil).catch((err) =>
            log.error({ err, payment: payment.id }, "a payment step failed; it is retried when its claim ends"),
          ),
        ),
      );
    }
  }

  function wake(): void {
    if (isClosed) return;
    if (running !== null) {
      isWokenAgain = true;
      return;
    }
    running = runAll()
      .catch((err) => log.error({ err }, "due payments could not be read"))
      .finally(() => {
        running = null;
        if (isWokenAgain) {
          isWokenAgain = false;
          wake();
        }
      });
  }

  return {
    wake,
    async runDue() {
      wake();
      while (running !== null) await running;
    },
    async close() {
      isClosed = true;
      cancel();
      while (running !== null) await running;
    },
  };
}
