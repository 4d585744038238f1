import path from "node:path";
import type { GameId } from "@holo/kernel/ids.ts";
import { formatCoins } from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { gameOf } from "@holo/rules/registry.ts";
import type { CancelReason, EndReason } from "@holo/table/log-record.ts";
import { toTerms } from "@holo/table/platform-fee.ts";
import { isFree } from "@holo/table/stakes.ts";
import { isOpen } from "@holo/table/state.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import { openSideProcess } from "../../platform/side-process/side-process.ts";
import { openFileCache } from "../file-cache.ts";
import { GAME_COLUMNS, type GameRow } from "../log/game-store.ts";
import { loadMatchViews } from "../table/match-view.ts";
import type { LoadPlayers } from "../table/table-content.ts";
import type { GamePicture } from "./game-picture.ts";

interface PictureFile {
  readonly png: Uint8Array<ArrayBuffer>;
  readonly isNew: boolean;
}

export interface GamePictures {
  /**
   * A PNG of a game that two players began and that is over, which everyone may see. Refuses
   * `too_many_requests` while too many pictures are being made.
   */
  loadGamePicture(
    gameId: GameId,
    options: { readonly withAmount: boolean },
  ): Promise<Result<PictureFile, "unknown_game" | "game_not_over" | "too_many_requests">>;
}

/** About 300 pictures. */
const CACHED_BYTES_MAX = 32 * 1024 * 1024;

/** Beside this file, also in the bundle of a release. */
const PROGRAM = new URL(`picture-process${path.extname(import.meta.url)}`, import.meta.url);

const renderer = openSideProcess<GamePicture, Uint8Array<ArrayBuffer>>(PROGRAM, { name: "the drawing of pictures" });

type Ended = GameRow & { readonly end_reason: EndReason | CancelReason };

export function openGamePictures(queries: Queries, loadPlayers: LoadPlayers): GamePictures {
  const files = openFileCache<Uint8Array<ArrayBuffer>>(CACHED_BYTES_MAX);

  return {
    async loadGamePicture(gameId, { withAmount }) {
      const { rows } = await sql<Ended>`
        select ${GAME_COLUMNS}, g.end_reason from current_games g where g.id = ${gameId}`.execute(queries);
      const game = rows[0];
      if (game === undefined || game.player2_id === null) return refuse("unknown_game");
      if (isOpen(game.status)) return refuse("game_not_over");
      const picture = await toPicture(game, withAmount, loadPlayers);
      let isNew = false;
      // Names can change, and their game stays as it is.
      const png = await files.get(JSON.stringify(picture), async () => {
        isNew = true;
        return await renderer.ask(picture);
      });
      return png === null ? refuse("too_many_requests") : ok({ png, isNew });
    },
  };
}

async function toPicture(game: Ended, withAmount: boolean, loadPlayers: LoadPlayers): Promise<GamePicture> {
  const [match] = await loadMatchViews([game], loadPlayers);
  const { white, black, board, moveCount, limitMinutes, winner, status } = match!;
  const outcome = status === "cancelled" ? "cancelled" : winner === null ? "draw" : "win";
  return {
    game: game.game_type,
    board,
    names: [white.username, black?.username ?? ""],
    outcome,
    winner,
    headline: HEADLINES[game.end_reason],
    moveCount,
    limitMinutes,
    amount: withAmount && !isFree(game.stake_amount) ? toAmount(game, outcome) : null,
  };
}

function toAmount(game: Ended, outcome: GamePicture["outcome"]): string {
  const terms = toTerms(game.stake_amount, gameOf(game.game_type).pieceCount, game.fee_bps);
  switch (outcome) {
    case "win":
      return `Winner received ${formatCoins(terms.winnings)} HC`;
    case "draw":
      return `Each received ${formatCoins(terms.drawReturn)} HC`;
    case "cancelled":
      return `Each got back ${formatCoins(terms.buyIn, "up")} HC`;
  }
}

const HEADLINES: Readonly<Record<EndReason | CancelReason, string>> = {
  checkmate: "Checkmate",
  no_pieces: "All pieces taken",
  no_moves: "No moves left",
  resignation: "Won by resignation",
  time: "Won on time",
  stalemate: "Draw by stalemate",
  threefold_repetition: "Draw by repetition",
  fifty_moves: "Draw by fifty moves",
  insufficient_material: "Draw: too few pieces",
  three_kings: "Draw by three kings",
  kings_only: "Draw by kings only",
  balance_of_kings: "Draw by balance of kings",
  main_road: "Draw on the main road",
  few_pieces: "Draw by few pieces",
  agreement: "Draw agreed",
  time_without_material: "Draw on time",
  too_long: "Draw by length",
  player: "Cancelled",
  not_joined: "Cancelled",
  paired_elsewhere: "Cancelled",
  first_move: "No first move",
  void: "Void after an outage",
  staff: "Cancelled by staff",
};
