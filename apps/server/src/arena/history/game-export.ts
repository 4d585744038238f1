import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { GameType } from "@holo/rules/rules.ts";
import { toGameHistory } from "@holo/table/game-history.ts";
import { isOpen } from "@holo/table/state.ts";
import type { Queries } from "../../platform/database/database.ts";
import { notationOf } from "../game-rules.ts";
import { toPlayerView } from "../lobby/match-view.ts";
import { fold } from "../log/fold.ts";
import { type LogRow, loadGame, loadLog } from "../log/game-store.ts";
import { parseRecord } from "../log/log-record.ts";
import type { LoadPlayers } from "../table/table-content.ts";

/** A game as a file: PGN for chess, PDN for checkers. */
export interface GameFile {
  /** Safe in a header and in every file system. */
  readonly name: string;
  readonly game: GameType;
  readonly text: string;
}

export interface GameExports {
  /**
   * For everyone who may watch, finished or not. `site` is the game's address. Refuses in order
   * `unknown_game`, also for a waiting game that the viewer may not see, and `not_started`.
   */
  loadGameFile(
    gameId: GameId,
    viewer: PlayerId | null,
    site: string,
  ): Promise<Result<GameFile, "unknown_game" | "not_started">>;
}

const ENDINGS: Readonly<Record<GameType, string>> = { checkers: "pdn", chess: "pgn" };

export function openGameExports(queries: Queries, loadPlayers: LoadPlayers): GameExports {
  return {
    async loadGameFile(gameId, viewer, site) {
      const game = await loadGame(queries, gameId);
      if (game === null || (game.status === "waiting" && viewer === null)) return refuse("unknown_game");
      if (game.player2_id === null) return refuse("not_started");
      const [log, players] = await Promise.all([
        loadLog(queries, game.id, 0),
        loadPlayers([game.player1_id, game.player2_id]),
      ]);
      const { state } = fold(game.id, log);
      const nameOf = (id: PlayerId): string => toPlayerView(id, players).username;
      const record = toGameHistory(state, { site, players: [nameOf(game.player1_id), nameOf(game.player2_id)] });
      const tags = isOpen(state.status) ? record.tags : new Map([...record.tags, ...toLagTags(log)]);
      return ok({
        name: `holo-arena-${game.id.slice(0, 8)}.${ENDINGS[game.game_type]}`,
        game: game.game_type,
        text: notationOf(game.game_type).formatGame({ ...record, tags }),
      });
    },
  };
}

/**
 * Network time that was not charged, including moves that were taken back (ruling 16), in custom
 * tags.
 */
function toLagTags(log: readonly LogRow[]): readonly (readonly [string, string])[] {
  const records = log.map(({ text }) => parseRecord(text));
  return (["White", "Black"] as const).map((color, index) => {
    const lags = records.filter(({ by }) => by === index + 1).map(({ lagMs = 0 }) => lagMs);
    const total = lags.reduce((sum, lagMs) => sum + lagMs, 0);
    return [`${color}Lag`, `${total} ms, at most ${Math.max(0, ...lags)} ms a move`];
  });
}
