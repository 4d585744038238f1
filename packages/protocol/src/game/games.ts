import { LIMIT_MINUTES, STAKES } from "@holo/table/stakes.ts";
import { z } from "zod";
import { coins, gameId, gameType, instant, listed, listedDigits, playerId, seat, text, whole } from "../fields.ts";
import { MATCHES_MAX, MATCHES_PER_PAGE, SEARCH_MAX } from "../lobby/match-list-terms.ts";
import type { Route, View } from "../route.ts";

export const player = z.strictObject({ id: playerId, username: z.string() });
export type PlayerView = View<typeof player>;

const stakeDigits = listedDigits(STAKES);
const limitDigits = listedDigits(LIMIT_MINUTES);
const PAGE_COUNTS = Array.from({ length: MATCHES_MAX / MATCHES_PER_PAGE }, (_, page) =>
  String((page + 1) * MATCHES_PER_PAGE),
);

export const stake = listed(STAKES);
export const limitMinutes = listed(LIMIT_MINUTES);
const listedStatus = z.enum(["pending", "active", "completed"]);
export type ListedStatus = View<typeof listedStatus>;

export const match = z.strictObject({
  id: gameId,
  game: gameType,
  /**
   * `pending` waits for an opponent (specification 3); a game lost on time is `completed` (ruling
   * 11).
   */
  status: z.enum(["pending", "active", "completed", "cancelled"]),
  white: player,
  black: player.nullable(),
  stake,
  feeBps: whole,
  limitMinutes,
  /** Null while the game is in progress, after a draw, or when cancelled. */
  winner: seat.nullable(),
  moveCount: whole,
  /**
   * 64 characters, a8 first: `.` is empty, the letters are those of the game's `pieces`.
   */
  board: z.string().length(64),
  createdAt: instant,
  updatedAt: instant,
});
export type MatchView = View<typeof match>;
export type MatchStatus = MatchView["status"];
export type MatchChange = Pick<MatchView, "id"> & Partial<MatchView>;

export const openGame = z.strictObject({ gameId, status: z.enum(["waiting", "active"]) });
export type OpenGameView = View<typeof openGame>;

/** How many players can be joined on these terms. */
export const availability = match.pick({ game: true, stake: true, limitMinutes: true }).extend({ count: whole });
export type AvailabilityView = View<typeof availability>;

/** Which matches a watched list shows; null means any. */
export const lobbyFilter = z.strictObject({
  status: listedStatus.nullable(),
  game: gameType.nullable(),
  stakeMin: stake,
  stakeMax: stake,
  limitMinutes: limitMinutes.nullable(),
  /** Empty for none. */
  search: text(SEARCH_MAX).trim().toLowerCase(),
});
export type LobbyFilter = View<typeof lobbyFilter>;

const journalEntry = z.strictObject({
  id: z.string(),
  kind: z.enum(["stake", "refund", "win", "draw"]),
  at: instant,
  postings: z.array(z.strictObject({ holder: z.enum(["white", "black", "escrow", "platform"]), amount: coins })),
});
export type JournalEntryView = View<typeof journalEntry>;
export type Holder = JournalEntryView["postings"][number]["holder"];

const headToHead = z.strictObject({ white: whole, black: whole, draws: whole });
export type HeadToHeadView = View<typeof headToHead>;

export const rating = z.strictObject({
  rating: whole,
  /** As of now: it grows while the player plays no rated game. */
  deviation: whole,
});
export type RatingView = View<typeof rating>;

/** What a game did to a player's rating, as of its end. */
const ratingChange = z.strictObject({ before: rating, after: rating });
export type RatingChangeView = View<typeof ratingChange>;

/** One row of a finished game's log as it is stored, for checking its chain of SHA-256 hashes. */
const logRow = z.strictObject({ text: z.string(), hash: z.string() });

const log = z.strictObject({
  /** The hash that the first row is chained to. */
  before: z.string(),
  rows: z.array(logRow),
  /** The hash of the row that ended the game; its settlement carries it too. */
  finalHash: z.string(),
});
export type LogView = View<typeof log>;

const params = z.strictObject({ id: gameId });

export const GAME_ROUTES = {
  /**
   * The newest games the viewer may see, 30 or whole pages more; pending ones only for players
   * (ruling 22). `mine` is for players.
   */
  matches: {
    method: "get",
    path: "/api/matches",
    access: "anyone",
    refusals: ["login_required"],
    query: z.strictObject({
      mine: z.literal("true").optional(),
      status: listedStatus.optional(),
      game: gameType.optional(),
      stakeMin: stakeDigits.optional(),
      stakeMax: stakeDigits.optional(),
      limitMinutes: limitDigits.optional(),
      search: z.string().max(SEARCH_MAX).optional(),
      /** Whole pages of 30. */
      count: z.enum(PAGE_COUNTS).optional(),
    }),
    response: z.strictObject({
      matches: z.array(match),
      hasMore: z.boolean(),
    }),
  },
  match: {
    method: "get",
    path: "/api/matches/{id}",
    access: "anyone",
    refusals: ["unknown_game"],
    params,
    response: match,
  },
  /**
   * For the two players: the journal entries of a game, oldest first. Once the game was played to
   * its end, also the score between them and what it did to their ratings, else null.
   */
  settlement: {
    method: "get",
    path: "/api/matches/{id}/settlement",
    access: "player",
    refusals: ["unknown_game", "not_a_player"],
    params,
    response: z.strictObject({
      entries: z.array(journalEntry),
      headToHead: headToHead.nullable(),
      ratings: z.strictObject({ white: ratingChange, black: ratingChange }).nullable(),
    }),
  },
  log: {
    method: "get",
    path: "/api/matches/{id}/log",
    access: "anyone",
    refusals: ["unknown_game", "game_not_over"],
    params,
    response: log,
  },
} as const satisfies Record<string, Route>;

export const GAME_FILE_ROUTES = {
  gameExport: {
    method: "get",
    path: "/api/matches/{id}/export",
    access: "anyone",
    refusals: ["unknown_game", "not_started"],
  },
  /** A PNG of a finished game, for its link's preview. Crawlers keep away from /api. */
  gamePicture: {
    method: "get",
    path: "/game/{id}/picture.png",
    access: "anyone",
    refusals: ["unknown_game", "game_not_over"],
  },
} as const;

/** The query of a picture, and of the page that names it: a player wants the sum to be seen. */
export const gamePictureQuery = z.strictObject({ amount: z.literal("true").optional() });
