import { type Instant, toInstant } from "@holo/kernel/instant.ts";
import { refuse } from "@holo/kernel/result.ts";
import { ofSeat, replaceSeat } from "@holo/rules/by-seat.ts";
import type { GameRules, Seat } from "@holo/rules/rules.ts";
import { appendRecord, type DecisionResult } from "./append.ts";
import {
  CLOCK_STARTS_AFTER_PLIES,
  type Clock,
  type Delivery,
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
  const { outage, delivery, sentAt = null, losses, isShared = false } = credit;
  const { clock } = state;
  const isMeasured = delivery !== undefined || losses !== undefined;
  if (!isOpen(state.status) || isOutdated(state, outage, isMeasured)) return refuse("not_due");
  const isActive = state.status === "active";
  const isTimed = isActive && state.pliesEver >= CLOCK_STARTS_AFTER_PLIES;
  // A record after the outage shows that a player has returned.
  const isPlayedSince = delivery === undefined && state.changedAt >= outage.toAt;
  const awaiting = isActive && !isPlayedSince && outage.toAt - outage.fromAt > OUTAGE_AWAITS_AFTER_MS;
  const isBonusGiven = isShared && clock.creditedTo !== null && clock.creditedTo > outage.fromAt;
  const isBonusDue = isTimed && outage.cause !== "stall" && clock.bonuses < OUTAGE_BONUSES_MAX && !isBonusGiven;
  const bonusMs = isBonusDue ? OUTAGE_BONUS_MS : 0;
  const at = delivery === undefined ? toInstant(Math.max(outage.toAt, state.changedAt)) : now;
  const mover = rules.toMove(state.position);
  const measured = { ...NO_DELIVERY, sentAt, ...delivery };
  const stallMs = measured.stallMs + findTurnLossMs(clock, credit, mover, measured.sentAt);
  const withoutLoss = toCharge(clock, mover, at, { ...measured, lagMs: 0, stallMs: 0 }).chargedMs;
  const chargedMs = isTimed ? toCharge(clock, mover, at, { ...measured, lagMs: 0, stallMs }).chargedMs : 0;
  // Without a running clock other limits are extended; a stall is too short to affect them.
  const isRunning = isTimed && clock.turnStartedAt !== null;
  const isTimeLost = isRunning ? chargedMs < withoutLoss : outage.cause !== "stall";
  if (!isTimeLost && bonusMs === 0 && !awaiting) return refuse("not_due");
  const charged = replaceSeat(clock.remainingMs, mover, Math.max(0, ofSeat(clock.remainingMs, mover) - chargedMs));
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

/** The outage's share of the turn, in addition to what the deciding server measured itself. */
function findTurnLossMs(
  { turnStartedAt }: Clock,
  { outage, delivery, losses }: Credit,
  mover: Seat,
  sentAt: Delivery["sentAt"],
): number {
  if (turnStartedAt === null) return 0;
  const { fromAt, toAt } = outage;
  const whole = delivery === undefined ? { fromAt, untilAt: toAt } : undefined;
  const loss = losses === undefined ? whole : losses.find(({ seat }) => seat === mover);
  if (loss === undefined) return 0;
  const sinceAt = Math.max(turnStartedAt, sentAt ?? turnStartedAt);
  return Math.max(0, Math.min(loss.untilAt, toAt) - Math.max(loss.fromAt ?? fromAt, sinceAt));
}
