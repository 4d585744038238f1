import type { CommandId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { ok, type Result } from "@holo/kernel/result.ts";
import type { GameRules, Played, Seat } from "@holo/rules/rules.ts";
import type { TableRefusal } from "./command.ts";
import { evolve } from "./evolve.ts";
import type { LogRecord, TableEvent } from "./log-record.ts";
import type { TableState } from "./state.ts";

export type Decision<Position> =
  /** The command was carried out before, at this version. */
  | { readonly type: "repeated"; readonly version: number }
  | { readonly type: "decided"; readonly record: LogRecord; readonly next: TableState<Position> };

export type DecisionResult<Position> = Result<Decision<Position>, TableRefusal>;

export function appendRecord<Position>(
  rules: GameRules<Position>,
  state: TableState<Position>,
  at: Instant,
  by: Seat | 0,
  commandId: CommandId | undefined,
  events: readonly TableEvent[],
  lagMs = 0,
  played?: Played<Position>,
): DecisionResult<Position> {
  const record: LogRecord = {
    version: state.version + 1,
    at,
    by,
    events,
    ...(commandId === undefined ? {} : { commandId }),
    ...(lagMs > 0 ? { lagMs } : {}),
  };
  return ok({ type: "decided", record, next: evolve(rules, state, record, played) });
}
