import { assert } from "@holo/kernel/assert.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import type { MatchStatus, MatchView, PlayerView } from "@holo/protocol/game/games.ts";
import { type BySeat, ofSeat } from "@holo/rules/by-seat.ts";
import { rulesOf } from "@holo/rules/loaded-games.ts";
import { gameOf } from "@holo/rules/registry.ts";
import type { GameRules } from "@holo/rules/rules.ts";
import { BOARD_SQUARES } from "@holo/rules/square.ts";
import type { LimitMinutes } from "@holo/table/stakes.ts";
import type { Status, TableState } from "@holo/table/state.ts";
import type { GameRow } from "../log/game-store.ts";
import type { LoadPlayers } from "./table-content.ts";

/** 64 characters, a8 first, as in MatchView. */
function toBoardText(rules: GameRules<unknown>, position: unknown): string {
  const { pieces } = gameOf(rules.game);
  let text = "";
  for (let square = 0; square < BOARD_SQUARES; square += 1) {
    const piece = rules.pieceAt(position, square);
    const letters = piece === null ? undefined : pieces[piece.kind];
    text += piece === null || letters === undefined ? "." : ofSeat(letters, piece.seat);
  }
  return text;
}

/** Specification 3 and ruling 11: waiting is pending, timeout is completed. */
function toMatchStatus(status: Status): MatchStatus {
  if (status === "waiting") return "pending";
  return status === "timeout" ? "completed" : status;
}

function toMatchView(row: GameRow, players: ReadonlyMap<PlayerId, PlayerView>): MatchView {
  const rules = rulesOf(row.game_type);
  const position = rules.parsePosition(row.board_state);
  assert(position.ok, `game ${row.id} has an invalid board`);
  return {
    id: row.id,
    game: row.game_type,
    status: toMatchStatus(row.status),
    white: findPlayerView(row.player1_id, players),
    black: row.player2_id === null ? null : findPlayerView(row.player2_id, players),
    stake: row.stake_amount,
    feeBps: row.fee_bps,
    limitMinutes: (row.time_limit / 60) as LimitMinutes,
    winner: row.winner_id === null ? null : row.winner_id === row.player1_id ? 1 : 2,
    moveCount: row.move_count,
    board: toBoardText(rules, position.value),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export async function loadMatchViews(
  rows: readonly GameRow[],
  loadPlayers: LoadPlayers,
): Promise<readonly MatchView[]> {
  const ids = new Set(rows.flatMap((row) => [row.player1_id, row.player2_id]).filter((id) => id !== null));
  const players = await loadPlayers([...ids]);
  return rows.map((row) => toMatchView(row, players));
}

export function toTableMatchView(
  state: TableState<unknown>,
  players: BySeat<PlayerView, PlayerView | null>,
): MatchView {
  const rules = rulesOf(state.game);
  return {
    id: state.gameId,
    game: state.game,
    status: toMatchStatus(state.status),
    white: players[0],
    black: players[1],
    stake: state.stake,
    feeBps: state.feeBps,
    limitMinutes: (state.limitMs / 60_000) as LimitMinutes,
    winner: state.result?.winner ?? null,
    moveCount: state.moves.length,
    board: toBoardText(rules, state.position),
    createdAt: state.createdAt,
    updatedAt: state.changedAt,
  };
}

/** The specification's fallback for an unknown name (section 3). */
export function findPlayerView(id: PlayerId, players: ReadonlyMap<PlayerId, PlayerView>): PlayerView {
  return players.get(id) ?? { id, username: "Player" };
}
