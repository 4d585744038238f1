import { type Coins, subtractCoins, ZERO_COINS } from "@holo/kernel/money.ts";
import type { MatchStatus, MatchView } from "@holo/protocol/arena/games.ts";
import type { GameType, Piece, PieceKind, Seat } from "@holo/rules/rules.ts";
import { type Terms, toTerms } from "@holo/table/platform-fee.ts";
import type { LimitMinutes } from "@holo/table/stakes.ts";

/** Pieces of each player at the start. The stake is per piece (specification 1). */
export const PIECE_COUNTS: Readonly<Record<GameType, number>> = { checkers: 12, chess: 16 };
const GAME_NAMES: Readonly<Record<GameType, string>> = { checkers: "Checkers", chess: "Chess" };

export function formatGame(game: GameType): string {
  return GAME_NAMES[game];
}

export function formatMode(game: GameType, limitMinutes: LimitMinutes): string {
  return `${GAME_NAMES[game]}, ${limitMinutes} minutes`;
}

export function toMatchTerms(match: MatchView): Terms {
  return toTerms(match.stake, PIECE_COUNTS[match.game], match.feeBps);
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

const CHECKERS_KINDS: Readonly<Record<string, PieceKind>> = { a: "man", b: "man" };
const CHESS_KINDS: Readonly<Record<string, PieceKind>> = {
  p: "pawn",
  n: "knight",
  b: "bishop",
  r: "rook",
  q: "queen",
  k: "king",
};

/**
 * Parses the 64 characters of a match's board (see MatchView). Unknown characters are empty
 * squares.
 */
export function parseBoard(game: GameType, board: string): readonly (Piece | null)[] {
  return [...board].map((letter) => (game === "checkers" ? parseDisc(letter) : parseChessman(letter)));
}

function parseDisc(letter: string): Piece | null {
  const lower = letter.toLowerCase();
  const kind = CHECKERS_KINDS[lower];
  if (kind === undefined) return null;
  return { seat: lower === "a" ? 1 : 2, kind: letter === lower ? kind : "crowned" };
}

function parseChessman(letter: string): Piece | null {
  const lower = letter.toLowerCase();
  const kind = CHESS_KINDS[lower];
  return kind === undefined ? null : { seat: letter === lower ? 2 : 1, kind };
}
