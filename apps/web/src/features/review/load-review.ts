import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { MatchView } from "@holo/protocol/game/games.ts";
import type { Seat } from "@holo/rules/rules.ts";
import { callApi } from "../../lib/api/api.ts";
import { loadRules, type Rules } from "../../shared/board/game-rules.ts";
import { type ReviewedGame, readGame } from "../../shared/evaluation/reviewed-game.ts";
import { seatOf } from "../../shared/match/match.ts";

export interface Review {
  readonly type: "ready";
  readonly match: MatchView;
  readonly seat: Seat;
  readonly rules: Rules;
  readonly reviewed: ReviewedGame;
}

export type LoadedReview =
  | Review
  /** Another attempt may succeed. */
  | { readonly type: "failed"; readonly text: string }
  | { readonly type: "missing" }
  /** There is nothing to review for this player. */
  | { readonly type: "none"; readonly title: string; readonly text: string };

/** Loads a finished game of this player with its moves. */
export async function loadReview(gameId: GameId, playerId: PlayerId): Promise<LoadedReview> {
  const params = { id: gameId };
  const [match, log] = await Promise.all([callApi("match", { params }), callApi("log", { params })]);
  if (!match.ok) return match.refusal.code === "unknown_game" ? { type: "missing" } : toFailed(match.refusal.text);
  const seat = seatOf(match.value, playerId);
  if (seat === null) return toNone("Not your game", "You can review the games that you played yourself.");
  if (!log.ok) {
    if (log.refusal.code !== "game_not_over") return toFailed(log.refusal.text);
    return toNone("This game isn't over", "You can review it as soon as it ends.");
  }
  const rules = await loadRules(match.value.game);
  const reviewed = await readGame(rules, log.value, pause);
  if (reviewed.moves.length === 0) return toNone("Nothing to review", "No move was played in this game.");
  return { type: "ready", match: match.value, seat, rules, reviewed };
}

function toFailed(text: string): LoadedReview {
  return { type: "failed", text };
}

function toNone(title: string, text: string): LoadedReview {
  return { type: "none", title, text };
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
