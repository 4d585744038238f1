import type { PlayerId } from "@holo/kernel/ids.ts";
import { DAY_MS, type Instant, SECOND_MS } from "@holo/kernel/instant.ts";
import type { LeaderboardPeriod, LeaderboardView, StandingView } from "@holo/protocol/accounts/players.ts";
import type { GameType } from "@holo/rules/rules.ts";
import type { LoadPlayers } from "../game/game.ts";
import type { Queries } from "../platform/database/database.ts";
import type { Time } from "../platform/time/time.ts";
import { loadPlayerRanking, loadRanking, type PlayerRanking, type Ranking } from "./leaderboard-store.ts";

/** Specification 9. */
const TOP = 3;
const PAGE_ROWS = 20;
const LEADERBOARD_PAGES_MAX = 50;
const KEPT_MS = 5 * SECOND_MS;
/** A ranking is cached for this multiple of its query time; one is computed at a time. */
const KEPT_PER_TAKEN = 20;

const PERIOD_MS: Readonly<Record<Exclude<LeaderboardPeriod, "all">, number>> = { month: 30 * DAY_MS, week: 7 * DAY_MS };

export interface LeaderboardOrder {
  readonly game: GameType | null;
  readonly period: LeaderboardPeriod;
  /** From 1; no rows after the last page. */
  readonly page: number;
  readonly viewer: PlayerId | null;
}

export interface Leaderboard {
  /** Most games, then most wins (specification 9). Losses on time count, cancelled games do not. */
  loadLeaderboard(order: LeaderboardOrder): Promise<LeaderboardView>;
}

interface LeaderboardDeps {
  readonly queries: Queries;
  readonly time: Pick<Time, "now" | "monotonicMs">;
  readonly loadPlayers: LoadPlayers;
}

interface Kept {
  readonly since: Instant | null;
  readonly ranking: Ranking;
  readonly players: number;
}

export function openLeaderboard({ queries, time, loadPlayers }: LeaderboardDeps): Leaderboard {
  const kept = new Map<string, { readonly kept: Promise<Kept>; untilMs: number }>();

  let before: Promise<unknown> = Promise.resolve();

  async function load(game: GameType | null, period: LeaderboardPeriod): Promise<Kept> {
    const since = period === "all" ? null : ((time.now() - PERIOD_MS[period]) as Instant);
    const ranking = await loadRanking(queries, { game, since }, TOP + PAGE_ROWS * LEADERBOARD_PAGES_MAX);
    return { since, ranking, players: ranking.levels.reduce((sum, [, , players]) => sum + players, 0) };
  }

  async function rank(game: GameType | null, period: LeaderboardPeriod): Promise<Kept> {
    const key = `${game} ${period}`;
    const known = kept.get(key);
    const beganMs = time.monotonicMs();
    if (known !== undefined && beganMs < known.untilMs) return await known.kept;
    const asked = { kept: before.then(() => load(game, period)), untilMs: Number.POSITIVE_INFINITY };
    before = asked.kept.catch(() => undefined);
    kept.set(key, asked);
    try {
      const loaded = await asked.kept;
      const nowMs = time.monotonicMs();
      asked.untilMs = nowMs + Math.max(KEPT_MS, (nowMs - beganMs) * KEPT_PER_TAKEN);
      return loaded;
    } catch (fault) {
      kept.delete(key);
      throw fault;
    }
  }

  return {
    async loadLeaderboard({ game, period, page, viewer }) {
      const { since, ranking, players } = await rank(game, period);
      const { first, levels } = ranking;
      const from = TOP + (page - 1) * PAGE_ROWS;
      const top = first.slice(0, TOP);
      const rows = first.slice(from, from + PAGE_ROWS);
      const own =
        viewer === null
          ? null
          : (first.find(({ playerId }) => playerId === viewer) ??
            (await loadPlayerRanking(queries, { game, since }, viewer)));
      const names = await loadPlayers(
        [...top, ...rows, ...(own === null ? [] : [own])].map(({ playerId }) => playerId),
      );
      const findStanding = (ranked: PlayerRanking): readonly StandingView[] => {
        const player = names.get(ranked.playerId);
        const { wins, losses, draws } = ranked;
        return player === undefined ? [] : [{ rank: toRank(levels, ranked), player, wins, losses, draws }];
      };
      return {
        top: top.flatMap(findStanding),
        rows: rows.flatMap(findStanding),
        pages: Math.max(0, Math.ceil((first.length - TOP) / PAGE_ROWS)),
        players,
        own: own === null ? null : (findStanding(own)[0] ?? null),
      };
    },
  };
}

/** One more than the players before this one; equal players share a rank. */
function toRank(levels: Ranking["levels"], { wins, losses, draws }: PlayerRanking): number {
  const games = wins + losses + draws;
  let rank = 1;
  for (const [levelGames, levelWins, players] of levels) {
    if (levelGames < games || (levelGames === games && levelWins <= wins)) break;
    rank += players;
  }
  return rank;
}
