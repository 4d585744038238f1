import type { Instant } from "@holo/kernel/instant.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import type { TableCommand } from "@holo/table/command.ts";
import type { LogScope } from "../../platform/log-scope.ts";
import type { CommandTrace } from "../../platform/tracing/tracing.ts";
import type { Answer } from "../answer.ts";
import type { SettlementChecks } from "../log/settlement.ts";

export interface Arrival {
  /** Of its first copy, by the clock of the table's server. */
  readonly at: Instant;
  readonly lostMs: number;
  /** Network time of the command's connection (ruling 39). */
  readonly lagMs: number;
  /** How long the player thought by the measurement of another server; absent without one. */
  readonly thinkMs?: number | undefined;
}

/** For a command that charges no clock. */
export const UNMEASURED = { lostMs: 0, lagMs: 0 } as const;

export interface QueuedCommand extends Arrival, SettlementChecks {
  /** Deciding replaces a `delivery` in it by the measured one. */
  readonly command: TableCommand;
  /** Null: the table could not tell; the command is to be routed again, under the same id. */
  readonly answer: (answer: Answer | null) => void;
  /** The player of a `join`, by name: the record carries only the id. */
  readonly joiner?: PlayerView | undefined;
  /** Its player no longer expects it: refused as `too_late` unless it was carried out before. */
  readonly isLate?: boolean | undefined;
  readonly trace?: CommandTrace | null;
  readonly logScope?: LogScope | null | undefined;
}
