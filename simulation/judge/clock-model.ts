import { type BySeat, ofSeat, replaceSeat } from "@holo/rules/by-seat.ts";
import type { LogRecord } from "@holo/table/log-record.ts";
import { type Evidence, type Span, type StoredOutage, toMachineTime, toTableTime } from "./evidence.ts";

/** Rulings 16 and 30, as the simulation checks them without the product's own code. */
const FIRST_PLIES = 2;
const LAG_PER_MOVE_MAX_MS = 500;
const LAG_PER_GAME_MAX_MS = 10_000;
const BONUS_MS = 10_000;
const BONUSES_MAX = 3;
/** Stalls of a busy machine, which the server does not charge. */
const STALL_MS_MAX = 3_000;
/** The silence that became an outage may have begun with the last answer before it. */
const SILENCE_MS_MAX = 1_200;
/** A table notices an expired clock at the next record at the latest, and ends then. */
const EXPIRED_MS_MAX = 4_000;
/** A flag may wait for its commit, and not for the end of an outage. */
const FLAG_DELAY_MS_MAX = 2_000;
const REPORTED_MS_MAX = 1_000;
const AROUND_MS = 20_000;

type Seat = 1 | 2;

/** Charges, credits and flags in a game's log that the rules of the clocks do not allow. */
export function findClockFaults(
  log: readonly LogRecord[],
  { outages, disturbances, jumps }: Pick<Evidence, "outages" | "disturbances" | "jumps">,
  /** When any client was first sent the record of that version, on the clock of tables. */
  seenAt: (version: number) => number | undefined,
): string[] {
  const found: string[] = [];
  const lost = outages.map(({ fromAt, toAt }) => ({ fromMs: fromAt, toMs: toAt }));
  /** Outages and disturbances are on the machine's clock: a jump meanwhile takes no one's time. */
  const toSharedMs = (spans: readonly Span[], fromAt: number, toAt: number): number =>
    toOverlapMs(spans, toMachineTime(fromAt, jumps), toMachineTime(toAt, jumps));
  const toDisturbedMs = (fromAt: number, toAt: number): number => toSharedMs(disturbances, fromAt, toAt);
  let clocks: BySeat<number> = [0, 0];
  let turn: Seat = 1;
  let plies = 0;
  let pliesEver = 0;
  let endedAt = Number.POSITIVE_INFINITY;
  let startedAt = 0;
  let turnStartedAt: number | null = null;
  /** When the position was known to have been sent; undefined if no client received it. */
  let turnSeenAt: number | undefined;
  /** The first record of a turn whose clock had expired. */
  let expiredAt: number | null = null;
  let bonuses = 0;
  let lag: BySeat<number> = [0, 0];
  const awaited = new Set<Seat>();
  const credited = new Set<number>();
  const credits: { readonly fromAt: number; readonly toAt: number }[] = [];

  for (const record of log) {
    const turnBefore: number | null = turnStartedAt;
    const say = (what: string): void => void found.push(`version ${record.version} ${what}`);
    /** The mover may be charged at most the time since the turn began, and not much less. */
    const checkCharge = (chargedMs: number, lagMs: number): void => {
      const elapsedMs = turnStartedAt === null || pliesEver < FIRST_PLIES ? 0 : record.at - turnStartedAt;
      if (chargedMs < 0 || chargedMs > elapsedMs) say(`charges ${chargedMs} ms of ${elapsedMs} ms`);
      if (elapsedMs === 0 || turnStartedAt === null || turnSeenAt === undefined) return;
      // A commit may take long; the mover's time begins once the position is sent.
      const sinceAt = Math.max(turnStartedAt, turnSeenAt);
      const freeMs = record.at - sinceAt - chargedMs - lagMs;
      if (freeMs > STALL_MS_MAX + toDisturbedMs(sinceAt, record.at))
        say(`charges only ${chargedMs} ms of ${record.at - sinceAt} ms`);
    };
    const isTimed = turnStartedAt !== null && pliesEver >= FIRST_PLIES && endedAt === Number.POSITIVE_INFINITY;
    const usedMs = isTimed ? record.at - turnStartedAt! - toSharedMs(lost, turnStartedAt!, record.at) : 0;
    if (usedMs <= ofSeat(clocks, turn) + EXPIRED_MS_MAX) expiredAt = null;
    else if (expiredAt === null) expiredAt = record.at;
    else if (record.at - expiredAt > EXPIRED_MS_MAX + toDisturbedMs(expiredAt, record.at))
      say("comes long after a clock expired");
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
          lag = replaceSeat(lag, turn, ofSeat(lag, turn) + lagMs);
          if (lagMs > LAG_PER_MOVE_MAX_MS || ofSeat(lag, turn) > LAG_PER_GAME_MAX_MS)
            say(`forgives ${lagMs} ms of network`);
          checkCharge(event.chargedMs, lagMs);
          if (ofSeat(event.remainingMs, turn) !== ofSeat(clocks, turn) - event.chargedMs)
            say("charges the mover another time");
          if (ofSeat(event.remainingMs, other) !== ofSeat(clocks, other)) say("changes the clock of the opponent");
          if (ofSeat(event.remainingMs, turn) <= 0) say("is a move after the flag");
          clocks = event.remainingMs;
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
          clocks = event.remainingMs;
          turnStartedAt = awaited.has(turn) ? null : record.at;
          break;
        case "clock_credited": {
          const { bonusMs } = event;
          if (bonusMs !== 0 && bonusMs !== BONUS_MS) say(`adds a bonus of ${bonusMs} ms`);
          if (bonusMs > 0) bonuses += 1;
          if (bonuses > BONUSES_MAX) say("adds a fourth bonus");
          if (credited.has(event.outageToAt)) say("credits an outage twice");
          credited.add(event.outageToAt);
          credits.push({ fromAt: event.outageFromAt, toAt: event.outageToAt });
          if (ofSeat(event.remainingMs, other) !== ofSeat(clocks, other) + bonusMs)
            say("changes the clock of the opponent");
          checkCreditCharge(ofSeat(clocks, turn) + bonusMs - ofSeat(event.remainingMs, turn), event);
          clocks = event.remainingMs;
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
            const isLost = outages.some(
              ({ fromAt, toAt, cause }) =>
                cause !== "stall" &&
                record.at > toTableTime(fromAt, jumps) + SILENCE_MS_MAX &&
                record.at < toTableTime(toAt, jumps) - FLAG_DELAY_MS_MAX,
            );
            if (isLost) say("ends on time during an outage");
            const usedMs =
              turnStartedAt === null ? 0 : record.at - turnStartedAt - toSharedMs(lost, turnStartedAt, record.at);
            if (usedMs < ofSeat(clocks, turn)) say(`ends on time ${ofSeat(clocks, turn) - usedMs} ms too early`);
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
    if (turnStartedAt !== turnBefore) turnSeenAt = seenAt(record.version);
    /** What is not charged is at most what the outage took from this turn. */
    function checkCreditCharge(chargedMs: number, credit: { outageFromAt: number; outageToAt: number }): void {
      const elapsedMs = turnBefore === null || pliesEver < FIRST_PLIES ? 0 : Math.max(0, record.at - turnBefore);
      if (chargedMs < 0 || chargedMs > elapsedMs) say(`charges ${chargedMs} ms of ${elapsedMs} ms in a credit`);
      if (elapsedMs === 0 || turnSeenAt === undefined) return;
      const sinceAt = Math.max(turnBefore!, turnSeenAt);
      const [fromMs, toMs] = [toMachineTime(credit.outageFromAt, jumps), toMachineTime(credit.outageToAt, jumps)];
      const freeMs = record.at - sinceAt - chargedMs - toSharedMs([{ fromMs, toMs }], sinceAt, record.at);
      if (freeMs > STALL_MS_MAX + toDisturbedMs(sinceAt, record.at)) say(`credits ${freeMs} ms beyond its outage`);
    }
  }

  // A real outage during a timed game adds a bonus, at most three times.
  const isCredited = ({ fromAt, toAt }: StoredOutage): boolean =>
    credits.some((credit) => credit.toAt === toAt || (credit.toAt > fromAt && credit.fromAt < toAt));
  const timedFromAt = log.filter(({ events }) => events[0]?.type === "moved").at(FIRST_PLIES - 1)?.at ?? endedAt;
  for (const outage of outages) {
    const { fromAt, toAt, cause } = outage;
    const [beganAt, overAt] = [toTableTime(fromAt, jumps), toTableTime(toAt, jumps)];
    // A resignation that waited for the database may be stored before the outage is reported.
    // The clock of outages does not jump: a game that began ahead of it seems to be newer.
    const isOlder = startedAt > 0 && startedAt < toAt;
    const isTimed = isOlder && timedFromAt < beganAt && endedAt > overAt + REPORTED_MS_MAX;
    const isDue = cause !== "stall" && isTimed && bonuses < BONUSES_MAX;
    const hasLaterRecord = log.some(({ at, by }) => at > overAt && by !== 0);
    if (isDue && hasLaterRecord && !isCredited(outage))
      found.push(`the outage of ${toAt - fromAt} ms was not credited (${listAround(log, fromAt)})`);
  }
  return found;
}

/** The records around an instant, each with its distance to it. */
function listAround(log: readonly LogRecord[], at: number): string {
  const near = log.filter((record) => Math.abs(record.at - at) < AROUND_MS);
  return near
    .map(({ version, by, at: ms, events }) => `${version}: ${events[0]?.type} by ${by} ${ms - at} ms`)
    .join(", ");
}

function toOverlapMs(spans: readonly Span[], fromMs: number, toMs: number): number {
  return spans.reduce((sum, span) => sum + Math.max(0, Math.min(toMs, span.toMs) - Math.max(fromMs, span.fromMs)), 0);
}
