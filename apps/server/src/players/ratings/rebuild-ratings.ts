import { assert } from "@holo/kernel/assert.ts";
import type { GameId } from "@holo/kernel/ids.ts";
import { HOUR_MS, type Instant } from "@holo/kernel/instant.ts";
import type { TableEvent } from "@holo/table/log-record.ts";
import { toPool } from "@holo/table/rating.ts";
import { sql } from "kysely";
import { parseRecord, type RatedGame } from "../../game/game.ts";
import type { Tx } from "../../platform/database/database.ts";
import { RatingFold } from "./rated-games.ts";

export interface RebuiltRatings {
  readonly games: number;
  /** Rows of changes and of ratings that differed from what the logs say. */
  readonly corrected: number;
}

const GAMES_PER_PAGE = 500;
/** Longer than a settlement takes and clocks differ: games may become visible out of order. */
const OVERLAP_MS = HOUR_MS;

/**
 * Computes all ratings again from the logs and stores what differs. Games go on meanwhile; those
 * that end wait only while the difference is written.
 */
export async function rebuildRatings(tx: Tx): Promise<RebuiltRatings> {
  await sql`create temp table rebuilt_changes (like rating_changes including all) on commit drop`.execute(tx);
  const fold = new RatingFold();
  const games = await rateNewGames(tx, fold);
  await sql`lock table ratings, rating_changes in share row exclusive mode`.execute(tx);
  const newest = await rateNewGames(tx, fold);
  return { games: games + newest, corrected: await storeDifference(tx) };
}

async function rateNewGames(tx: Tx, fold: RatingFold): Promise<number> {
  let count = 0;
  let sinceAt = 0;
  for (;;) {
    const page = await loadPage(tx, sinceAt);
    const last = page.at(-1);
    if (last === undefined) return count;
    const changes = page.flatMap((game) => fold.rate(game));
    await sql`
      insert into rebuilt_changes
      select * from jsonb_populate_recordset(null::rating_changes, ${JSON.stringify(changes)}::jsonb)`.execute(tx);
    count += page.length;
    sinceAt = last.at - OVERLAP_MS;
  }
}

interface LoggedGame {
  readonly id: GameId;
  readonly created: string;
  readonly joined: string;
  readonly ended: string;
}

/** The next games with a result, in the order in which they ended. */
async function loadPage(tx: Tx, sinceAt: number): Promise<readonly RatedGame[]> {
  const { rows } = await sql<LoggedGame>`
    select game.id, created.record as created, joined.record as joined, ended.record as ended
    from (
      select id, completed_at, started_at from games
      where status in ('completed', 'timeout') and completed_at >= ${sinceAt}
        and not exists (select from rebuilt_changes rated where rated.game_id = games.id)
      order by completed_at, started_at, id limit ${GAMES_PER_PAGE}
    ) game
    join game_log created on created.game_id = game.id and created.version = 1
    join lateral (select record from game_log where game_id = game.id and record like '%"type":"joined"%'
      order by version limit 1) joined on true
    join lateral (select record from game_log where game_id = game.id and record like '%"type":"ended"%'
      order by version desc limit 1) ended on true
    order by game.completed_at, game.started_at, game.id`.execute(tx);
  return rows.map(toRatedGame);
}

function toRatedGame(row: LoggedGame): RatedGame {
  const { game, stake, player: white } = findEvent(row.created, "created").event;
  const { player: black } = findEvent(row.joined, "joined").event;
  const { event, at } = findEvent(row.ended, "ended");
  return { gameId: row.id, game, pool: toPool(stake), players: [white, black], winner: event.winner, at };
}

type EventOf<Type extends TableEvent["type"]> = Extract<TableEvent, { readonly type: Type }>;

function findEvent<Type extends TableEvent["type"]>(
  text: string,
  type: Type,
): { readonly event: EventOf<Type>; readonly at: Instant } {
  const { events, at } = parseRecord(text);
  const event = events.find((one): one is EventOf<Type> => one.type === type);
  assert(event !== undefined, `the record says "${type}"`);
  return { event, at };
}

/** Deletes what is wrong and adds what is missing, so that equal rows are never touched. */
async function storeDifference(tx: Tx): Promise<number> {
  await sql`
    create temp table rebuilt_ratings on commit drop as
    select distinct on (player_id, game_type, pool) player_id, game_type, pool, rating, deviation, volatility, games, rated_at
    from rebuilt_changes order by player_id, game_type, pool, games desc`.execute(tx);
  await sql`analyze rebuilt_changes, rebuilt_ratings`.execute(tx);
  const wrong = await Promise.all([
    sql`delete from rating_changes stored where not exists (
      select from rebuilt_changes rebuilt where rebuilt.player_id = stored.player_id and rebuilt.game_id = stored.game_id
        and to_jsonb(rebuilt) = to_jsonb(stored))`.execute(tx),
    sql`delete from ratings stored where not exists (
      select from rebuilt_ratings rebuilt where rebuilt.player_id = stored.player_id and rebuilt.game_type = stored.game_type
        and rebuilt.pool = stored.pool and to_jsonb(rebuilt) = to_jsonb(stored))`.execute(tx),
  ]);
  const added = await Promise.all([
    sql`insert into rating_changes select * from rebuilt_changes on conflict (player_id, game_id) do nothing`.execute(
      tx,
    ),
    sql`insert into ratings select * from rebuilt_ratings on conflict (player_id, game_type, pool) do nothing`.execute(
      tx,
    ),
  ]);
  return wrong.concat(added).reduce((sum, { numAffectedRows = 0n }) => sum + Number(numAffectedRows), 0);
}
