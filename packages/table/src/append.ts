import type { CommandId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { ok, type Result } from "@holo/kernel/result.ts";
import type { GameRules, Played, Seat } from "@holo/rules/rules.ts";
import type { TableRefusal } from "./command.ts";
import type { Entry, TableEvent } from "./entry.ts";
import { evolve } from "./evolve.ts";
import type { TableState } from "./state.ts";

export type Decision<Position> =
  /** Nothing new: this very command was carried out before, at this version. */
  | { readonly type: "repeated"; readonly version: number }
  | { readonly type: "decided"; readonly entry: Entry; readonly next: TableState<Position> };

export type Decided<Position> = Result<Decision<Position>, TableRefusal>;

/** The entry that these events make, and the table after it. */
export function append<Position>(
  rules: GameRules<Position>,
  state: TableState<Position>,
  at: Instant,
  by: Seat | 0,
  commandId: CommandId | undefined,
  events: readonly TableEvent[],
  lagMs = 0,
  played?: Played<Position>,
): Decided<Position> {
  const entry: Entry = {
    version: state.version + 1,
    at,
    by,
    events,
    ...(commandId === undefined ? {} : { commandId }),
    ...(lagMs > 0 ? { lagMs } : {}),
  };
  return ok({ type: "decided", entry, next: evolve(rules, state, entry, played) });
}
