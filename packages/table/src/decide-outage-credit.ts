import { refuse } from "@holo/kernel/result.ts";
import type { GameRules } from "@holo/rules/rules.ts";
import { appendRecord, type Decided } from "./append.ts";
import { CLOCK_STARTS_AFTER_PLIES, OUTAGE_AWAITS_AFTER_MS, OUTAGE_BONUS_MS } from "./clock.ts";
import type { TableCommand } from "./command.ts";
import { toRemaining } from "./remaining.ts";
import { isOpen, type TableState } from "./state.ts";

/**
 * Returns to both clocks what an outage took, plus a bonus (ruling 16). Logged at the end of the
 * outage, so that a second outage before the credit still counts.
 */
export function decideOutageCredit<Position>(
  rules: GameRules<Position>,
  state: TableState<Position>,
  command: Extract<TableCommand, { readonly type: "credit" }>,
): Decided<Position> {
  const { clock } = state;
  const isCredited = clock.creditedTo !== null && clock.creditedTo >= command.outageToAt;
  if (!isOpen(state.status) || isCredited || state.changedAt >= command.outageToAt) return refuse("not_due");
  const isTimed = state.status === "active" && state.pliesEver >= CLOCK_STARTS_AFTER_PLIES;
  const awaiting = state.status === "active" && command.outageToAt - command.outageFromAt > OUTAGE_AWAITS_AFTER_MS;
  const [left1, left2] = isTimed ? toRemaining(rules, state, command.outageFromAt) : clock.remainingMs;
  const bonusMs = isTimed ? OUTAGE_BONUS_MS : 0;
  return appendRecord(rules, state, command.outageToAt, 0, undefined, [
    {
      type: "clock_credited",
      outageFromAt: command.outageFromAt,
      outageToAt: command.outageToAt,
      remainingMs: [left1 + bonusMs, left2 + bonusMs],
      awaiting,
    },
  ]);
}
