import { assert } from "@holo/kernel/assert.ts";
import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { toCoins, ZERO_COINS } from "@holo/kernel/money.ts";
import type { RefusalCode } from "@holo/protocol/refusals/refusals.ts";
import type { LogRecord, TableEvent } from "@holo/table/log-record.ts";
import type { TableState } from "@holo/table/state.ts";
import { decideDebtRepaymentEntry, type Wallet } from "../../ledger/ledger.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import { Fenced, type OwnFence } from "../../platform/servers/fence.ts";
import type { Refusal } from "../answer.ts";
import { RefusedInTransaction, transactOrRefuse } from "../transact-or-refuse.ts";
import { carryOut, type Prevented, type Verdict } from "./carry-out.ts";
import { type Finding, listSeatFacts } from "./finding.ts";
import { toSettlementEntries } from "./game-entries.ts";
import { lockGame } from "./game-store.ts";
import { type LeftGame, loadLeftGame, withLeftGame, withoutLeftGame } from "./left-game.ts";
import type { LifecycleCommit } from "./lifecycle-commit.ts";
import { type LifecycleJob, toGameChange } from "./lifecycle-job.ts";
import { commitWithin, holdFence } from "./lifecycle-outcome.ts";
import type { EncodedRecord } from "./log-record.ts";
import { toPaidSeat } from "./new-game.ts";
import { findRatings, toRatedGame, toRatingChanges } from "./rating-change.ts";
import { judgeRematch, makeRematch } from "./rematch.ts";
import { findFactsOf, type SeatRules, type SessionCheck } from "./seat-facts.ts";
import { toJoinContent } from "./terms.ts";

/** Runs in the settlement transaction. Returns a refusal, or null after its own writes. */
export type SettlementHook = (tx: Tx, players: TableState<unknown>["players"]) => Promise<RefusalCode | null>;

export interface SettlementChecks {
  /** The joining player's own waiting game on the same terms, which is cancelled with the join. */
  readonly leaves?: GameId | undefined;
  readonly hook?: SettlementHook | undefined;
  readonly session?: SessionCheck | undefined;
}

export type SettlementOutcome =
  | ({ readonly type: "committed" } & Settled)
  /** Another record has this version: resync and decide again. */
  | { readonly type: "stale" }
  /** This server has ended or does not own the game: nothing was written. */
  | { readonly type: "fenced" }
  | ({ readonly type: "refused" } & Refusal);

export interface Settled {
  readonly wallets: readonly Wallet[];
  readonly rematch?: StartedRematch;
  /** The waiting game that was cancelled with the join. */
  readonly left?: TableState<unknown>;
}

interface StartedRematch {
  readonly state: TableState<unknown>;
  readonly encoded: readonly EncodedRecord[];
}

export interface SettlementDeps {
  readonly database: Database;
  readonly lifecycle: LifecycleCommit;
  readonly own: OwnFence;
  readonly seatRules: SeatRules;
}

const SETTLING: ReadonlySet<TableEvent["type"]> = new Set(["joined", "ended", "cancelled", "rematch_started"]);

/** Whether a record moves money or changes seats, and is therefore committed with the ledger. */
export function isSettling(record: LogRecord): boolean {
  return record.events.some(({ type }) => SETTLING.has(type));
}

interface Settlement extends Pick<Settled, "rematch" | "left"> {
  readonly job: LifecycleJob;
  judge(findings: readonly Finding[], job: LifecycleJob): Verdict;
}

export async function settle(
  deps: SettlementDeps,
  record: LogRecord,
  encoded: EncodedRecord,
  hashBefore: string,
  next: TableState<unknown>,
  { hook, session, leaves }: SettlementChecks = {},
): Promise<SettlementOutcome> {
  const left = leaves === undefined ? null : await loadLeftGame(deps.database.kysely, leaves, record.at);
  if (leaves !== undefined && left === null) return { type: "refused", code: "match_gone", figures: {} };
  const settlement = toSettlement(deps.seatRules, record, encoded, hashBefore, next, { session, left });
  try {
    if (hook !== undefined) return await settleHooked(deps, settlement, next, hook);
    const { job, judge } = settlement;
    return toOutcome(await carryOut((own) => deps.lifecycle.commit(own), job, judge), settlement);
  } catch (error) {
    if (error instanceof Fenced) return { type: "fenced" };
    throw error;
  }
}

/** The fence comes first: it stays held while the hook works. */
async function settleHooked(
  { database, lifecycle, own }: SettlementDeps,
  settlement: Settlement,
  { gameId, players }: TableState<unknown>,
  hook: SettlementHook,
): Promise<SettlementOutcome> {
  const { job, judge } = settlement;
  const [change] = job.games;
  const fence = own.fence();
  const work = async (tx: Tx): Promise<SettlementOutcome> => {
    await holdFence(tx, fence);
    const newest = await lockGame(tx, gameId);
    if (newest?.version !== change?.fromVersion || newest?.hash !== change?.hashBefore) return { type: "stale" };
    const refusal = await hook(tx, players);
    if (refusal !== null) throw new RefusedInTransaction(refusal);
    const outcome = toOutcome(await carryOut((next) => commitWithin(tx, fence, next), job, judge), settlement);
    if (outcome.type === "refused") throw new RefusedInTransaction(outcome.code, outcome.figures, outcome.lapse);
    if (outcome.type === "fenced") throw new Fenced(fence);
    assert(outcome.type === "committed", `game ${gameId} changed under its lock`);
    return outcome;
  };
  try {
    const hooked = await lifecycle.inTurn(() => transactOrRefuse(database, work));
    return hooked.ok ? hooked.value : { type: "refused", ...hooked.refusal };
  } catch (error) {
    if (error instanceof Fenced) own.noteFenced();
    throw error;
  }
}

function toOutcome(
  end: { readonly type: "committed"; readonly wallets: readonly Wallet[] } | Prevented,
  { rematch, left }: Pick<Settlement, "rematch" | "left">,
): SettlementOutcome {
  switch (end.type) {
    case "committed":
      return { ...end, ...(rematch === undefined ? {} : { rematch }), ...(left === undefined ? {} : { left }) };
    case "stale":
    case "fenced":
    case "refused":
      return end;
    default:
      // Only seekers search, and a repeated join is judged below.
      throw new Error(`a settlement was prevented as ${end.type}`);
  }
}

function toSettlement(
  rules: SeatRules,
  record: LogRecord,
  encoded: EncodedRecord,
  hashBefore: string,
  next: TableState<unknown>,
  { session, left }: { readonly session: SessionCheck | undefined; readonly left: LeftGame | null },
): Settlement {
  const started = record.events.find((event) => event.type === "rematch_started");
  const joined = record.events.find((event) => event.type === "joined");
  const games = [toGameChange(next, record, encoded, hashBefore)];
  const base = { at: record.at, games, seats: [], entries: [] };
  if (started !== undefined) {
    const by = record.by;
    assert(by !== 0, "a player accepted the rematch");
    const { game, job } = makeRematch(next, started, record.at, { by, session });
    return {
      job: { ...base, ...job, games: [...base.games, game.change] },
      rematch: game,
      judge: (findings, own) =>
        findCommon(findings) ?? judgeRematch(rules, findings, next, own, by) ?? { type: "accepted", job: own },
    };
  }
  if (joined !== undefined) {
    assert(record.commandId !== undefined, "a player who sits down sent a command");
    const command = { id: record.commandId, content: toJoinContent(next.gameId) };
    const { seat, entries } = toPaidSeat(next, joined.player, 2, { command, session });
    const creatorId = next.players[0];
    const job = { ...base, seats: [seat], creatorId, entries };
    return {
      job: left === null ? job : withLeftGame(job, left, next),
      ...(left === null ? {} : { left: left.state }),
      judge: (findings, own) =>
        findCommon(findings) ?? judgeJoin(rules, findings, own, creatorId) ?? { type: "accepted", job: own },
    };
  }
  const entries = toSettlementEntries(next, encoded);
  const freed = { gameId: next.gameId, seats: next.players[1] === null ? 1 : 2 };
  const ended = { ...base, freed, entries };
  return {
    job: withRatings(ended, next, []),
    judge: (findings, own) =>
      findCommon(findings) ?? { type: "accepted", job: withRatings(withRepayments(own, findings), next, findings) },
  };
}

function findCommon(findings: readonly Finding[]): Prevented | null {
  if (findings.some(({ type }) => type === "not_owned")) return { type: "fenced" };
  return findings.some(({ type }) => type === "stale") ? { type: "stale" } : null;
}

function judgeJoin(
  { isIneligible, findSeatRefusal }: SeatRules,
  findings: readonly Finding[],
  { seats, at, freed }: LifecycleJob,
  creatorId: PlayerId,
): Prevented | null {
  const [request] = seats;
  assert(request !== undefined, "a join takes a seat");
  const facts = withoutLeftGame(listSeatFacts(findings), freed?.gameId);
  const earlier = findFactsOf(facts, request.playerId)?.command;
  if (earlier !== undefined) {
    if (earlier.gameId === request.gameId) return { type: "stale" };
    return { type: "refused", code: "command_id_reused", figures: {} };
  }
  if (isIneligible(findFactsOf(facts, creatorId), request.stake))
    return { type: "refused", code: "match_gone", figures: {} };
  const refusal = findSeatRefusal(seats, facts, at);
  return refusal === null ? null : { type: "refused", ...refusal };
}

/** Without findings both are new players: the database names the ratings that they have. */
function withRatings(job: LifecycleJob, next: TableState<unknown>, findings: readonly Finding[]): LifecycleJob {
  const rated = toRatedGame(next);
  return rated === null ? job : { ...job, ratings: toRatingChanges(rated, findRatings(findings, rated)) };
}

/** Players with a debt have an empty wallet, and repay from what they receive. */
function withRepayments(job: LifecycleJob, findings: readonly Finding[]): LifecycleJob {
  const repayments = job.entries.flatMap((entry) =>
    entry.postings.flatMap(({ account, amount }) => {
      if (account.kind !== "wallet" || amount <= ZERO_COINS) return [];
      const owing = findings.find((finding) => finding.type === "debt" && finding.player === account.owner);
      if (owing?.type !== "debt") return [];
      const debt = toCoins(BigInt(owing.debt));
      return [decideDebtRepaymentEntry(entry, { playerId: owing.player, balance: amount, debt })];
    }),
  );
  return { ...job, entries: [...job.entries, ...repayments] };
}
