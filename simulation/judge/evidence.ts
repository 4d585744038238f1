import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { LogRecord } from "@holo/table/log-record.ts";
import type { Recording } from "../recording.ts";

/** What went wrong when, as far as the judge must know. */
export interface FaultRecord {
  /** When faults were injected and pushes may have been late. */
  readonly disturbances: Span[];
  /** When servers were down, by the simulation's own clock. */
  readonly downtimes: Downtime[];
  /** When the clock of tables was moved ahead, oldest first. */
  readonly jumps: Jump[];
  readonly frozen: Span[];
  /** When one of several servers was cut from the database. */
  readonly cuts: Span[];
  /** When a server's process was stopped, without a connection being closed. */
  readonly stopped: Span[];
}

export function makeFaultRecord(): FaultRecord {
  return { disturbances: [], downtimes: [], jumps: [], frozen: [], cuts: [], stopped: [] };
}

export interface Evidence extends Readonly<FaultRecord> {
  /** Whether several servers shared the database. */
  readonly isShared: boolean;
  readonly clients: readonly Recording[];
  readonly games: ReadonlyMap<GameId, StoredGame>;
  readonly wallets: ReadonlyMap<PlayerId, readonly StoredBalance[]>;
  readonly outages: readonly StoredOutage[];
  /** Servers that ended, and the games that others took over from them. */
  readonly ends: readonly ServerEnd[];
  readonly claims: readonly Claim[];
  /** Records that a server wrote which did not own the game or had ended. */
  readonly unowned: readonly string[];
  /** Active games that no running server owns. */
  readonly ownerless: readonly GameId[];
  /** From the kernel's statistics, oldest first; empty if it keeps none. */
  readonly busy: readonly BusySample[];
  /** When all was at rest: every push had arrived, and no client acted. Null if it was not. */
  readonly restMs: number | null;
}

export interface StoredGame {
  readonly log: readonly LogRecord[];
  readonly chat: readonly StoredMessage[];
}

export interface StoredMessage {
  readonly number: number;
  readonly commandId: string;
  readonly text: string;
}

/** In micro-coins. */
export interface StoredBalance {
  readonly balance: bigint;
  readonly atMs: number;
}

export interface StoredOutage {
  readonly fromAt: number;
  readonly toAt: number;
  readonly cause: "restart" | "database" | "stall";
}

export interface ServerEnd {
  readonly lastBeatAt: number;
  readonly endedAt: number;
  readonly cause: "stopped" | "gone" | "stalled";
}

export interface Claim {
  readonly gameId: GameId;
  readonly at: number;
  readonly from: ServerEnd;
}

/** The two clocks differ by less. */
const JUMP_MS = 5_000;

/** ms since 1970. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** `busyMs`: for how long the servers have run or waited for a processor so far. */
export interface BusySample {
  readonly atMs: number;
  readonly busyMs: number;
}

export interface Downtime extends Span {
  /** The servers that were down. */
  readonly servers: readonly number[];
  /** Without a warning to its players. */
  readonly isKilled: boolean;
}

export interface Jump {
  readonly atMs: number;
  readonly byMs: number;
}

/** The clock of tables at that time. */
export function toTableTime(ms: number, jumps: readonly Jump[]): number {
  return jumps.reduce((time, { atMs, byMs }) => (ms > atMs ? time + byMs : time), ms);
}

/** Whether the clock of tables was ahead by then. */
export function isAhead(ms: number, jumps: readonly Jump[]): boolean {
  return jumps.some(({ atMs }) => ms >= atMs);
}

/** When the machine's clock said what the clock of tables says here. */
export function toMachineTime(at: number, jumps: readonly Jump[]): number {
  let aheadMs = 0;
  for (const { atMs, byMs } of jumps) if (at - aheadMs - byMs > atMs - JUMP_MS) aheadMs += byMs;
  return at - aheadMs;
}

/** Until when something is due that takes so long, or so long after a disturbance. */
export function toDueMs({ disturbances }: Pick<Evidence, "disturbances">, atMs: number, lastsMs: number): number {
  let dueMs = atMs + lastsMs;
  for (const { fromMs, toMs } of disturbances.toSorted((a, b) => a.fromMs - b.fromMs))
    if (fromMs < dueMs && toMs > atMs) dueMs = Math.max(dueMs, toMs + lastsMs);
  return dueMs;
}

/** An owner that was killed leaves its games unserved until another server has them. */
export function findOutagesOf(
  gameId: GameId,
  { outages, claims }: Pick<Evidence, "outages" | "claims">,
): readonly StoredOutage[] {
  const unserved = claims
    .filter((claim) => claim.gameId === gameId && claim.from.cause === "gone")
    .map(({ at, from }): StoredOutage => ({ fromAt: from.lastBeatAt, toAt: at, cause: "restart" }));
  return [...outages, ...unserved];
}
