import type { LogRecord } from "@holo/table/log-record.ts";
import type { Evidence, Span } from "./evidence.ts";

/** Rulings 16 and 30, as the simulation checks them without the product's own code. */
const FIRST_PLIES = 2;
const LAG_PER_MOVE_MAX_MS = 500;
const LAG_PER_GAME_MAX_MS = 10_000;
const BONUS_MS = 10_000;
const BONUSES_MAX = 3;
/** Stalls of a busy machine, which the server does not charge. */
const STALL_MS_MAX = 3_000;

type Seat = 1 | 2;

/** Charges, credits and flags in a game's log that the rules of the clocks do not allow. */
export function findClockFaults(
  log: readonly LogRecord[],
  { outages, disturbances }: Pick<Evidence, "outages" | "disturbances">,
): string[] {
  const found: string[] = [];
  let clocks: [number, number] = [0, 0];
  let turn: Seat = 1;
  let plies = 0;
  let pliesEver = 0;
  let endedAt = Number.POSITIVE_INFINITY;
  let startedAt = 0;
  let turnStartedAt: number | null = null;
  let bonuses = 0;
  const lag: [number, number] = [0, 0];
  const awaited = new Set<Seat>();
  const credited = new Set<number>();

  for (const record of log) {
    const say = (what: string): void => void found.push(`version ${record.version} ${what}`);
    /** The mover may be charged at most the time since the turn began, and not much less. */
    const checkCharge = (chargedMs: number, lagMs: number): void => {
      const elapsedMs = turnStartedAt === null || pliesEver < FIRST_PLIES ? 0 : record.at - turnStartedAt;
      if (chargedMs < 0 || chargedMs > elapsedMs) say(`charges ${chargedMs} ms of ${elapsedMs} ms`);
      const lostMs = turnStartedAt === null ? 0 : toOverlapMs(disturbances, turnStartedAt, record.at);
      if (elapsedMs - chargedMs - lagMs > STALL_MS_MAX + lostMs) say(`charges only ${chargedMs} ms of ${elapsedMs} ms`);
    };
    for (const event of record.events) {
      const other: Seat = turn === 1 ? 2 : 1;
      switch (event.type) {
        case "created":
          clocks = [event.limitMs, event.limitMs];
          break;
        case "joined":
          startedAt = record.at;
          turnStartedAt = record.at;
          break;
        case "moved": {
          if (record.by !== turn) say("is a move out of turn");
          const lagMs = record.lagMs ?? 0;
          lag[turn - 1]! += lagMs;
          if (lagMs > LAG_PER_MOVE_MAX_MS || lag[turn - 1]! > LAG_PER_GAME_MAX_MS)
            say(`forgives ${lagMs} ms of network`);
          checkCharge(event.chargedMs, lagMs);
          if (event.remainingMs[turn - 1] !== clocks[turn - 1]! - event.chargedMs)
            say("charges the mover another time");
          if (event.remainingMs[other - 1] !== clocks[other - 1]) say("changes the clock of the opponent");
          if (event.remainingMs[turn - 1]! <= 0) say("is a move after the flag");
          clocks = [...event.remainingMs];
          plies += 1;
          pliesEver = Math.max(pliesEver, plies);
          turn = other;
          turnStartedAt = awaited.has(turn) ? null : record.at;
          break;
        }
        case "taken_back":
          plies -= event.plies;
          turn = event.seat;
          if (Math.max(...event.remainingMs) > Math.max(...clocks) + 60 * 60_000) say("adds time by a takeback");
          clocks = [...event.remainingMs];
          turnStartedAt = awaited.has(turn) ? null : record.at;
          break;
        case "clock_credited": {
          const bonusMs = event.bonusMs ?? 0;
          if (bonusMs !== 0 && bonusMs !== BONUS_MS) say(`adds a bonus of ${bonusMs} ms`);
          if (bonusMs > 0) bonuses += 1;
          if (bonuses > BONUSES_MAX) say("adds a fourth bonus");
          if (credited.has(event.outageToAt)) say("credits an outage twice");
          credited.add(event.outageToAt);
          if (event.remainingMs[other - 1] !== clocks[other - 1]! + bonusMs) say("changes the clock of the opponent");
          checkCreditCharge(clocks[turn - 1]! + bonusMs - event.remainingMs[turn - 1]!);
          clocks = [...event.remainingMs];
          if (event.awaiting) for (const seat of [1, 2] as const) awaited.add(seat);
          turnStartedAt = turnStartedAt === null || event.awaiting ? null : record.at;
          break;
        }
        case "returned":
        case "wait_ended":
          awaited.delete(event.seat as Seat);
          if (event.seat === turn) turnStartedAt = record.at;
          break;
        case "ended":
          if (event.reason === "time" || event.reason === "time_without_material") {
            const usedMs =
              turnStartedAt === null
                ? 0
                : record.at - turnStartedAt - toOverlapMs(outages.map(toSpan), turnStartedAt, record.at);
            if (usedMs < clocks[turn - 1]!) say(`ends on time ${clocks[turn - 1]! - usedMs} ms too early`);
            if (event.winner === turn) say("gives the game to the player whose time is up");
          }
          endedAt = record.at;
          break;
        case "cancelled":
          endedAt = record.at;
          break;
        default:
          break;
      }
    }
    function checkCreditCharge(chargedMs: number): void {
      const elapsedMs = turnStartedAt === null || pliesEver < FIRST_PLIES ? 0 : Math.max(0, record.at - turnStartedAt);
      if (chargedMs < 0 || chargedMs > elapsedMs) say(`charges ${chargedMs} ms of ${elapsedMs} ms in a credit`);
    }
  }

  // A real outage during a timed game adds a bonus, at most three times.
  const timedFromAt = log.filter(({ events }) => events[0]?.type === "moved").at(FIRST_PLIES - 1)?.at ?? endedAt;
  for (const { fromAt, toAt, cause } of outages) {
    const isDue = cause !== "stall" && startedAt > 0 && timedFromAt < fromAt && endedAt > toAt && bonuses < BONUSES_MAX;
    const hasLaterRecord = log.some(({ at, by }) => at > toAt && by !== 0);
    if (isDue && hasLaterRecord && !credited.has(toAt))
      found.push(`the outage of ${toAt - fromAt} ms was not credited`);
  }
  return found;
}

function toSpan({ fromAt, toAt }: { readonly fromAt: number; readonly toAt: number }): Span {
  return { fromMs: fromAt, toMs: toAt };
}

function toOverlapMs(spans: readonly Span[], fromMs: number, toMs: number): number {
  return spans.reduce((sum, span) => sum + Math.max(0, Math.min(toMs, span.toMs) - Math.max(fromMs, span.fromMs)), 0);
}
