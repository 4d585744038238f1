import { assert } from "@holo/kernel/assert.ts";
import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { gameOf } from "@holo/rules/registry.ts";
import type { GameType } from "@holo/rules/rules.ts";
import { LOG_FORMAT, type LogRecord } from "@holo/table/log-record.ts";
import { toTerms } from "@holo/table/platform-fee.ts";
import type { Stake } from "@holo/table/stakes.ts";
import type { TableState } from "@holo/table/state.ts";
import { type JournalEntry, listWalletOwners, toJournalRows } from "../../ledger/ledger.ts";
import type { Fence } from "../../platform/servers/fence.ts";
import type { Finding } from "./finding.ts";
import { type GameProjection, type LogProjection, toGameProjection, toLogProjection } from "./game-projection.ts";
import type { EncodedRecord } from "./log-record.ts";
import type { RatingChange } from "./rating-change.ts";
import type { SeatRequest } from "./seat-facts.ts";
import { toQuestionRow } from "./seat-facts.ts";

/**
 * One command's changes to games, seats and money: carried out completely or not at all, by
 * `lifecycle_commit`.
 */
export interface LifecycleJob {
  readonly at: Instant;
  readonly games: readonly GameChange[];
  readonly seats: readonly SeatRequest[];
  /** The creator of the waiting game that a player joins, who must be free to play. */
  readonly creatorId?: PlayerId | undefined;
  /** Given by a seeker: no other game may wait on these terms. */
  readonly search?: Search | undefined;
  readonly freed?: { readonly gameId: GameId; readonly seats: number } | undefined;
  readonly entries: readonly JournalEntry[];
  /** Of a game that ends with a result, from the ratings among `judged`. */
  readonly ratings?: readonly RatingChange[] | undefined;
  /** The findings that do not prevent it: it is carried out if they are still the same. */
  readonly judged?: readonly Finding[] | undefined;
}

/** The columns that never change, with a bigint as text. */
interface GameBeginning {
  readonly id: GameId;
  readonly game_type: GameType;
  readonly player1_id: PlayerId;
  readonly stake_amount: Stake;
  readonly fee_bps: number;
  readonly platform_fee: string;
  readonly time_limit: number;
  readonly near_rating: boolean;
  readonly created_at: Instant;
}

export interface GameChange {
  readonly gameId: GameId;
  /** Before the records; 0 for a new game. */
  readonly fromVersion: number;
  /** Of the record with that version; null for a new game. */
  readonly hashBefore: string | null;
  readonly row: GameProjection | (GameProjection & GameBeginning);
  readonly records: readonly ChangeRecord[];
}

interface ChangeRecord {
  readonly encoded: EncodedRecord;
  /** What holds after it. */
  readonly row: LogProjection;
}

export interface Search {
  readonly game: GameType;
  readonly stake: Stake;
  readonly limitMs: number;
  readonly feeBps: number;
  readonly playerId: PlayerId;
  /** Games that wait on these terms, but not for this player. */
  readonly known: readonly GameId[];
}

export function toGameChange(
  next: TableState<unknown>,
  record: LogRecord,
  encoded: EncodedRecord,
  hashBefore: string,
): GameChange {
  return {
    gameId: next.gameId,
    fromVersion: record.version - 1,
    hashBefore,
    row: toGameProjection(next, record),
    records: [{ encoded, row: toLogProjection(next) }],
  };
}

/** `begun`: each record with the state after it. */
export function toNewGame(
  begun: readonly {
    readonly state: TableState<unknown>;
    readonly record: LogRecord;
    readonly encoded: EncodedRecord;
  }[],
  nearRating = false,
): GameChange {
  const newest = begun.at(-1);
  assert(newest !== undefined, "a game begins with a record");
  const { state } = newest;
  return {
    gameId: state.gameId,
    fromVersion: 0,
    hashBefore: null,
    row: {
      id: state.gameId,
      game_type: state.game,
      player1_id: state.players[0],
      stake_amount: state.stake,
      fee_bps: state.feeBps,
      platform_fee: String(toTerms(state.stake, gameOf(state.game).pieceCount, state.feeBps).platformFee),
      time_limit: state.limitMs / 1_000,
      near_rating: nearRating,
      created_at: state.createdAt,
      ...toGameProjection(state, newest.record),
    },
    records: begun.map(({ state, encoded }) => ({ encoded, row: toLogProjection(state) })),
  };
}

/** Everything that only one job of a batch may concern. */
export function toKeys({ games, seats, entries, search, creatorId, ratings = [] }: LifecycleJob): readonly string[] {
  return [
    ...games.map(({ gameId }) => gameId),
    ...seats.map(({ playerId }) => playerId),
    ...entries.flatMap(listWalletOwners),
    ...ratings.map(({ player_id: playerId }) => playerId),
    ...(search === undefined ? [] : [formatTerms(search)]),
    ...(creatorId === undefined ? [] : [creatorId]),
  ];
}

/** Names the terms of a seeker; also the lock of `lifecycle_lock`. */
function formatTerms({ game, stake, limitMs }: Pick<Search, "game" | "stake" | "limitMs">): string {
  return `${game} ${stake} ${limitMs}`;
}

/** The argument of `lifecycle_commit`. Jobs are numbered in their order. */
export function formatBatch({ serverId, databaseStart }: Fence, jobs: readonly LifecycleJob[]): string {
  const of = <Row extends object>(toRows: (job: LifecycleJob) => readonly Row[]) =>
    jobs.flatMap((job, index) => toRows(job).map((row) => ({ job: index, ...row })));
  return JSON.stringify({
    server: serverId,
    start: databaseStart,
    jobs: jobs.map(({ judged }, job) => (judged === undefined ? { job } : { job, judged })),
    people: of(toPeople),
    payees: of(toPayees),
    searches: of(({ search }) => (search === undefined ? [] : [toSearchRow(search)])),
    games: of(({ games }) =>
      games.map(({ gameId, fromVersion, hashBefore, row }) => ({
        id: gameId,
        version: fromVersion,
        hash_before: hashBefore,
        // The server that seats the second player owns the game. Any server changes one that waits.
        row: { ...row, owner: row.player2_id === null ? null : serverId },
      })),
    ),
    logs: of(({ games }) => games.flatMap(toLogRows)),
    frees: of(({ freed }) => (freed === undefined ? [] : [{ game_id: freed.gameId, seats: freed.seats }])),
    wallets: of(({ entries }) => entries.flatMap(listWalletOwners).map((owner) => ({ owner }))),
    ratings: of(({ ratings = [] }) => ratings),
    ...toJournalRows(jobs),
  });
}

function toPeople({ at, games, seats, creatorId }: LifecycleJob) {
  return [
    ...seats.map((request) => ({
      ...toQuestionRow(request, at),
      seat: request.seat,
      content: request.command?.content,
    })),
    ...(creatorId === undefined ? [] : [{ player: creatorId, at, game_id: games[0]?.gameId }]),
  ];
}

function toPayees({ entries }: LifecycleJob) {
  return entries
    .filter(({ settledGame }) => settledGame !== null)
    .flatMap(({ postings }) => postings.filter(({ account }) => account.kind === "wallet"))
    .map(({ account }) => ({ player: account.owner }));
}

function toSearchRow(search: Search) {
  return {
    terms: formatTerms(search),
    game_type: search.game,
    stake: search.stake,
    time_limit: search.limitMs / 1_000,
    fee_bps: search.feeBps,
    player: search.playerId,
    known: search.known,
  };
}

function toLogRows({ gameId, records }: GameChange) {
  return records.map(({ encoded: { version, text, hash }, row }) => ({
    game_id: gameId,
    version,
    format: LOG_FORMAT,
    record: text,
    hash,
    ...row,
  }));
}
