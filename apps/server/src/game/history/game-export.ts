import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { type BySeat, ofSeat, replaceSeat } from "@holo/rules/by-seat.ts";
import { notationOf } from "@holo/rules/loaded-games.ts";
import { gameOf } from "@holo/rules/registry.ts";
import { type HistoryNames, toGameHistory } from "@holo/table/game-history.ts";
import { isOpen } from "@holo/table/state.ts";
import type { Queries } from "../../platform/database/database.ts";
import { slices } from "../../platform/time/slices.ts";
import { openFileCache } from "../file-cache.ts";
import { foldInSteps } from "../log/fold.ts";
import { isHiddenFrom, type LogRow, loadGame, loadLog, loadNewestHash } from "../log/game-store.ts";
import { parseRecord } from "../log/log-record.ts";
import { findPlayerView } from "../table/match-view.ts";
import type { LoadPlayers } from "../table/table-content.ts";

interface GameFile {
  /** Safe in a header and in every file system. */
  readonly name: string;
  readonly type: string;
  readonly text: string;
  /** Records that were read to make it; 0 for a file that was made before. */
  readonly recordsRead: number;
}

export interface GameExports {
  /**
   * For everyone who may watch, finished or not. `site` is the game's address. Refuses
   * `too_many_requests` while too many files are being made.
   */
  loadGameFile(
    gameId: GameId,
    viewer: PlayerId | null,
    site: string,
  ): Promise<Result<GameFile, "unknown_game" | "not_started" | "too_many_requests">>;
}

/** Some thousand games of usual length. */
const CACHED_CHARACTERS_MAX = 16 * 1024 * 1024;

export function openGameExports(queries: Queries, loadPlayers: LoadPlayers): GameExports {
  const files = openFileCache<string>(CACHED_CHARACTERS_MAX);

  async function makeText(gameId: GameId, log: readonly LogRow[], names: HistoryNames): Promise<string> {
    const { state } = await slices.run(foldInSteps(gameId, log));
    const history = toGameHistory(state, names);
    const tags = isOpen(state.status) ? history.tags : new Map([...history.tags, ...toLagTags(log)]);
    return await slices.run(notationOf(state.game).formatGameInSteps({ ...history, tags }));
  }

  return {
    async loadGameFile(gameId, viewer, site) {
      const game = await loadGame(queries, gameId);
      if (game === null || (game.status === "waiting" && viewer === null) || isHiddenFrom(viewer, game)) {
        return refuse("unknown_game");
      }
      if (game.player2_id === null) return refuse("not_started");
      const [hash, players] = await Promise.all([
        loadNewestHash(queries, game.id),
        loadPlayers([game.player1_id, game.player2_id]),
      ]);
      const nameOf = (id: PlayerId): string => findPlayerView(id, players).username;
      const names = { site, players: [nameOf(game.player1_id), nameOf(game.player2_id)] } as const;
      let recordsRead = 0;
      // The hash identifies the whole log; names can change.
      const text = await files.get([hash, site, ...names.players].join("\n"), async () => {
        const newest = await loadLog(queries, game.id, 0);
        // A move may have followed since: its text has another key.
        const log = newest.slice(0, 1 + newest.findLastIndex((row) => row.hash === hash));
        recordsRead = log.length;
        return await makeText(game.id, log, names);
      });
      if (text === null) return refuse("too_many_requests");
      const { ending, type } = gameOf(game.game_type).file;
      return ok({ name: `holo-arena-${game.id.slice(0, 8)}.${ending}`, type, text, recordsRead });
    },
  };
}

/**
 * Network time that was not charged, including moves that were taken back (ruling 16), in custom
 * tags.
 */
function toLagTags(log: readonly LogRow[]): readonly (readonly [string, string])[] {
  let totals: BySeat<number> = [0, 0];
  let highest: BySeat<number> = [0, 0];
  for (const { text } of log) {
    // Few records have one: the others need no parsing.
    if (!text.includes('"lagMs"')) continue;
    const { by, lagMs } = parseRecord(text);
    if (by === 0 || lagMs === undefined) continue;
    totals = replaceSeat(totals, by, ofSeat(totals, by) + lagMs);
    highest = replaceSeat(highest, by, Math.max(ofSeat(highest, by), lagMs));
  }
  return (["White", "Black"] as const).map((color, index) => [
    `${color}Lag`,
    `${totals[index]} ms, at most ${highest[index]} ms a move`,
  ]);
}
