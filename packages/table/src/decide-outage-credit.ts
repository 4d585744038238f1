import { type Instant, toInstant } from "@holo/kernel/instant.ts";
import { refuse } from "@holo/kernel/result.ts";
import { ofSeat, replaceSeat } from "@holo/rules/by-seat.ts";
import type { GameRules } from "@holo/rules/rules.ts";
import { appendRecord, type DecisionResult } from "./append.ts";
import {
  CLOCK_STARTS_AFTER_PLIES,
  type Clock,
  NO_DELIVERY,
  OUTAGE_AWAITS_AFTER_MS,
  OUTAGE_BONUS_MS,
  OUTAGE_BONUSES_MAX,
  type Outage,
  toCharge,
} from "./clock.ts";
import type { TableCommand } from "./command.ts";
import { isOpen, type TableState } from "./state.ts";

type Credit = Extract<TableCommand, { readonly type: "credit" }>;

/**
 * Charges the running clock for the turn less the outage and adds a bonus to both (rulings 16, 30).
 * The record of an unmeasured outage is dated at its end, so that a later one is still credited.
 */
export function decideOutageCredit<Position>(
  rules: GameRules<Position>,
  state: TableState<Position>,
  credit: Credit,
  now: Instant,
): DecisionResult<Position> {
  const { outage, delivery } = credit;
  const { clock } = state;
  if (!isOpen(state.status) || isOutdated(state, outage, delivery !== undefined)) return refuse("not_due");
  const isActive = state.status === "active";
  const isTimed = isActive && state.pliesEver >= CLOCK_STARTS_AFTER_PLIES;
  // A record after the outage shows that a player has returned.
  const isPlayedSince = delivery === undefined && state.changedAt >= outage.toAt;
  const awaiting = isActive && !isPlayedSince && outage.toAt - outage.fromAt > OUTAGE_AWAITS_AFTER_MS;
  // Two servers report one outage with other ends: its bonus is given once.
  const isBonusGiven = clock.creditedTo !== null && clock.creditedTo > outage.fromAt;
  const isBonusDue = isTimed && outage.cause !== "stall" && clock.bonuses < OUTAGE_BONUSES_MAX && !isBonusGiven;
  const bonusMs = isBonusDue ? OUTAGE_BONUS_MS : 0;
  const at = delivery === undefined ? toInstant(Math.max(outage.toAt, state.changedAt)) : now;
  const mover = rules.toMove(state.position);
  const sentAt = delivery?.sentAt ?? null;
  const stallMs = delivery?.stallMs ?? toOverlapMs(clock, outage);
  const withoutLoss = toCharge(clock, mover, at, { ...NO_DELIVERY, sentAt }).chargedMs;
  const chargedMs = isTimed ? toCharge(clock, mover, at, { ...NO_DELIVERY, sentAt, stallMs }).chargedMs : 0;
  // Without a running clock other limits are extended; a stall is too short to affect them.
  const isRunning = isTimed && clock.turnStartedAt !== null;
  const isTimeLost = isRunning ? chargedMs < withoutLoss : outage.cause !== "stall";
  if (!isTimeLost && bonusMs === 0 && !awaiting) return refuse("not_due");
  const leftMs = ofSeat(clock.remainingMs, mover) - chargedMs;
  // The clock has run out besides: its flag comes next, which no answer to an offer may precede.
  if (isRunning && leftMs <= 0 && bonusMs === 0) return refuse("not_due");
  const charged = replaceSeat(clock.remainingMs, mover, Math.max(0, leftMs));
  return appendRecord(rules, state, at, 0, undefined, [
    {
      type: "clock_credited",
      outageFromAt: outage.fromAt,
      outageToAt: outage.toAt,
      remainingMs: [charged[0] + bonusMs, charged[1] + bonusMs],
      bonusMs,
      awaiting,
    },
  ]);
}

/** Whether the outage was credited before, or ended before this game could lose time by it. */
function isOutdated(state: TableState<unknown>, { toAt }: Outage, isMeasured: boolean): boolean {
  if (state.clock.creditedTo !== null && state.clock.creditedTo >= toAt) return true;
  // Without a measurement, a later record means that the turn was charged meanwhile.
  return (isMeasured ? (state.startedAt ?? state.createdAt) : state.changedAt) >= toAt;
}

/** The outage's share of the turn. */
function toOverlapMs({ turnStartedAt }: Clock, { fromAt, toAt }: Outage): number {
  return turnStartedAt === null ? 0 : Math.max(0, toAt - Math.max(fromAt, turnStartedAt));
}
