import { type Coins, subtractCoins, ZERO_COINS } from "@holo/kernel/money.ts";
import type { MatchStatus, MatchView } from "@holo/protocol/game/games.ts";
import { gameOf } from "@holo/rules/registry.ts";
import type { GameType, Piece, Seat } from "@holo/rules/rules.ts";
import { type Terms, toTerms } from "@holo/table/platform-fee.ts";
import { isFree, type LimitMinutes, type Stake } from "@holo/table/stakes.ts";

export function formatGame(game: GameType): string {
  return gameOf(game).name;
}

export function formatMode(game: GameType, limitMinutes: LimitMinutes): string {
  return `${formatGame(game)}, ${limitMinutes} minutes`;
}

/** "Free" or "5 HC". */
export function formatStake(stake: Stake): string {
  return isFree(stake) ? "Free" : `${stake} HC`;
}

/** The stakes are per piece (specification 1). */
export function toGameTerms(game: GameType, stake: Stake, feeBps: number): Terms {
  return toTerms(stake, gameOf(game).pieceCount, feeBps);
}

export function toMatchTerms(match: MatchView): Terms {
  return toGameTerms(match.game, match.stake, match.feeBps);
}

export function formatMissingOpponent(status: MatchStatus): string {
  return status === "pending" ? "Waiting for an opponent" : "No opponent came";
}

export function seatOf(match: MatchView, playerId: string | undefined): Seat | null {
  if (playerId === undefined) return null;
  if (match.white.id === playerId) return 1;
  return match.black?.id === playerId ? 2 : null;
}

export type MatchResult =
  | { readonly type: "won" | "lost" | "drawn"; readonly net: Coins }
  /** The whole buy-in was refunded (ruling 4). */
  | { readonly type: "refunded"; readonly net: Coins };

/** The net change of a player's balance: payout less buy-in. Null while the match is open. */
export function toResult(match: MatchView, seat: Seat): MatchResult | null {
  switch (match.status) {
    case "pending":
    case "active":
      return null;
    case "cancelled":
      return { type: "refunded", net: ZERO_COINS };
    case "completed": {
      const { buyIn, winnings, drawReturn } = toMatchTerms(match);
      if (match.winner === null) return { type: "drawn", net: subtractCoins(drawReturn, buyIn) };
      if (match.winner === seat) return { type: "won", net: subtractCoins(winnings, buyIn) };
      return { type: "lost", net: subtractCoins(ZERO_COINS, buyIn) };
    }
  }
}

/** In a list of games: in a free one nothing was paid, so nothing is refunded. */
export function formatResult(type: MatchResult["type"], stake: Stake): string {
  if (type === "refunded") return isFree(stake) ? "Cancelled" : "Refunded";
  return RESULT_WORDS[type];
}

const RESULT_WORDS: Readonly<Record<Exclude<MatchResult["type"], "refunded">, string>> = {
  won: "Won",
  lost: "Lost",
  drawn: "Draw",
};

/**
 * Parses the 64 characters of a match's board (see MatchView). Unknown characters are empty
 * squares.
 */
export function parseBoard(game: GameType, board: string): readonly (Piece | null)[] {
  const pieces = new Map<string, Piece>();
  for (const [kind, [first, second]] of Object.entries(gameOf(game).pieces)) {
    pieces.set(first, { seat: 1, kind }).set(second, { seat: 2, kind });
  }
  return [...board].map((letter) => pieces.get(letter) ?? null);
}
