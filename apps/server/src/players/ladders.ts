import type { PlayerId } from "@holo/kernel/ids.ts";
import { DAY_MS, type Instant, SECOND_MS } from "@holo/kernel/instant.ts";
import type { LadderView } from "@holo/protocol/accounts/players.ts";
import type { GameType } from "@holo/rules/rules.ts";
import { RANKED_GAMES_MIN } from "@holo/table/rating.ts";
import { type RawBuilder, sql } from "kysely";
import type { LoadPlayers } from "../game/game.ts";
import type { Queries } from "../platform/database/database.ts";
import type { Time } from "../platform/time/time.ts";

const PLACES_MAX = 20;
const WEEK_MS = 7 * DAY_MS;
/** Everyone sees the same places. */
const KEPT_MS = 5 * SECOND_MS;

interface Ladders {
  readonly ratings: LadderView;
  readonly wins: LadderView;
}

export interface LadderLoader {
  loadLadders(game: GameType, viewer: PlayerId | null): Promise<Ladders>;
}

interface LaddersDeps {
  readonly queries: Queries;
  readonly time: Pick<Time, "now" | "monotonicMs">;
  readonly loadPlayers: LoadPlayers;
}

interface Place {
  readonly playerId: PlayerId;
  readonly figure: number;
  readonly rank: number;
}

/** `player_id`, `figure` and `games` of everyone. */
type Figures = RawBuilder<unknown>;

function ratingsOf(game: GameType): Figures {
  return sql`select player_id, round(rating)::int as figure, games from ratings where game_type = ${game} and pool = 'staked'`;
}

function winsOf(game: GameType, since: Instant): Figures {
  return sql`
    select won.player_id, won.figure, own.games from (
      select player_id, count(*)::int as figure from rating_changes
      where pool = 'staked' and score = 1 and rated_at > ${since} and game_type = ${game} group by player_id
    ) won join ratings own on own.player_id = won.player_id and own.game_type = ${game} and own.pool = 'staked'`;
}

async function loadPlaces(queries: Queries, figures: Figures): Promise<readonly Place[]> {
  const { rows } = await sql<Place>`
    select player_id as "playerId", figure, (rank() over (order by figure desc))::int as rank from (${figures}) placed
    where games >= ${RANKED_GAMES_MIN} order by figure desc, player_id limit ${PLACES_MAX}`.execute(queries);
  return rows;
}

async function loadOwn(queries: Queries, figures: Figures, playerId: PlayerId): Promise<LadderView["own"]> {
  const { rows } = await sql<{ figure: number; games: number; above: number; next: number | null }>`
    with everyone as (${figures})
    select own.figure, own.games, count(higher.player_id)::int as above, min(higher.figure) as next
    from everyone own left join everyone higher on higher.games >= ${RANKED_GAMES_MIN} and higher.figure > own.figure
    where own.player_id = ${playerId} group by own.figure, own.games`.execute(queries);
  const [own] = rows;
  if (own === undefined) return null;
  const { figure, games, above, next } = own;
  if (games < RANKED_GAMES_MIN) return { rank: null, figure, games, toNext: null };
  return { rank: above + 1, figure, games, toNext: next === null ? null : next - figure };
}

export function openLadders({ queries, time, loadPlayers }: LaddersDeps): LadderLoader {
  const kept = new Map<
    GameType,
    { readonly places: Promise<readonly (readonly Place[])[]>; readonly untilMs: number }
  >();

  function findPlaces(game: GameType, since: Instant): Promise<readonly (readonly Place[])[]> {
    const nowMs = time.monotonicMs();
    const known = kept.get(game);
    if (known !== undefined && nowMs < known.untilMs) return known.places;
    const places = Promise.all([loadPlaces(queries, ratingsOf(game)), loadPlaces(queries, winsOf(game, since))]);
    kept.set(game, { places, untilMs: nowMs + KEPT_MS });
    places.catch(() => kept.delete(game));
    return places;
  }

  return {
    async loadLadders(game, viewer) {
      const since = (time.now() - WEEK_MS) as Instant;
      const [[rated = [], won = []], ratings, wins] = await Promise.all([
        findPlaces(game, since),
        viewer === null ? null : loadOwn(queries, ratingsOf(game), viewer),
        viewer === null ? null : loadOwn(queries, winsOf(game, since), viewer),
      ]);
      const names = await loadPlayers([...rated, ...won].map(({ playerId }) => playerId));
      const toPlaces = (places: readonly Place[]) =>
        places.flatMap(({ playerId, figure, rank }) => {
          const player = names.get(playerId);
          return player === undefined ? [] : [{ rank, player, figure }];
        });
      return { ratings: { places: toPlaces(rated), own: ratings }, wins: { places: toPlaces(won), own: wins } };
    },
  };
}
