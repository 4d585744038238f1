import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, SECOND_MS } from "@holo/kernel/instant.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Log } from "../../platform/log.ts";
import type { Time } from "../../platform/time/time.ts";
import type { TimerWheel } from "../../platform/time/timer-wheel.ts";
import { loadOverdue, loadWaitingStakes } from "../log/game-store.ts";
import { loadSeatFacts, type SeatRules } from "../log/seat-facts.ts";
import type { Tables } from "./tables.ts";

interface Sweeper {
  stop(): void;
}

interface SweeperDeps {
  readonly queries: Queries;
  readonly tables: Tables;
  readonly time: Time;
  readonly wheel: TimerWheel;
  readonly log: Log;
  readonly seatRules: Pick<SeatRules, "isIneligible">;
  readonly cancelWaiting: (playerId: PlayerId) => Promise<void>;
}

/** A server that has the waiting game in memory has this long to act on its deadline. */
const OVERDUE_AFTER_MS = 3 * SECOND_MS;
const SWEEP_EVERY_MS = 5 * SECOND_MS;

export function openSweeper({ queries, tables, time, wheel, log, seatRules, cancelWaiting }: SweeperDeps): Sweeper {
  let isStopped = false;
  let cancel = schedule();

  function schedule(): () => void {
    return wheel.schedule(time.monotonicMs() + SWEEP_EVERY_MS, sweep);
  }

  /** Reading a waiting game sets its timer, which is due. */
  async function expireOverdue(): Promise<void> {
    const ids = await loadOverdue(queries, addMs(time.now(), -OVERDUE_AFTER_MS));
    await Promise.all(ids.map((gameId) => tables.locate(gameId)));
  }

  /**
   * Self-exclusion cancels the player's waiting game in a second step, which a crash can prevent.
   * After a dispute or a reversal the sweeper is the only step.
   */
  async function cancelIneligible(): Promise<void> {
    const stakes = await loadWaitingStakes(queries);
    if (stakes.size === 0) return;
    const questions = [...stakes.keys()].map((playerId) => ({ playerId }));
    const facts = await loadSeatFacts(queries, questions, time.now());
    const ineligible = facts.filter((own) => seatRules.isIneligible(own, stakes.get(own.player)!));
    for (const { player } of ineligible) await cancelWaiting(player);
  }

  function sweep(): void {
    Promise.all([expireOverdue(), cancelIneligible(), tables.sweep()])
      .catch((err) => log.error({ err }, "the sweeper failed"))
      .finally(() => {
        if (!isStopped) cancel = schedule();
      });
  }

  return {
    stop() {
      isStopped = true;
      cancel();
    },
  };
}
