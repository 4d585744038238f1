import type { GameType, Promotion, Seat, Square } from "@holo/rules/rules.ts";
import type { LogRecord, OfferAnswer } from "@holo/table/log-record.ts";
import type { LimitMinutes, Stake } from "@holo/table/stakes.ts";
import type {
  AvailabilityView,
  ChatMessageView,
  CoinsText,
  MaintenanceView,
  MatchView,
  OpenGameView,
  PlayerView,
  SettingsView,
  StatsView,
} from "./games.ts";
import type { PaymentView } from "./payments.ts";
import type { RefusalView } from "./refusals/refusals.ts";
import type { RestrictionsView } from "./restrictions.ts";

/** Raised when an older page can no longer talk to the server; the hello carries it and the page reloads itself once. */
export const PROTOCOL_VERSION = 4;
/** Bytes of one frame from a client; larger ones close the connection. */
export const FRAME_BYTES_MAX = 4096;
/** A checkers capture takes at most 12 pieces, so a path has at most 13 squares. */
export const PATH_SQUARES_MAX = 13;
/** Characters (code points) of one chat message (specification 5). */
export const CHAT_CHARACTERS_MAX = 200;

/** What a client may send. Every command carries an id of its own: sent again, it gets the same answer (ruling 1). */
export type ClientFrame = CommandFrame | WatchFrame;

export type CommandFrame =
  | {
      readonly type: "create";
      readonly commandId: string;
      readonly game: GameType;
      readonly stake: Stake;
      readonly limitMinutes: LimitMinutes;
      /** The fee that the player was shown: under another one nothing is created and nothing is paid. */
      readonly feeBps: number;
    }
  | { readonly type: "join"; readonly commandId: string; readonly gameId: string }
  | { readonly type: "cancel"; readonly commandId: string; readonly gameId: string }
  | { readonly type: "resign"; readonly commandId: string; readonly gameId: string }
  | { readonly type: "offer_draw"; readonly commandId: string; readonly gameId: string }
  | { readonly type: "request_takeback"; readonly commandId: string; readonly gameId: string }
  /** With the fee that the player was shown, as for `create`. */
  | { readonly type: "offer_rematch"; readonly commandId: string; readonly gameId: string; readonly feeBps: number }
  | {
      readonly type: "answer_draw" | "answer_takeback";
      readonly commandId: string;
      readonly gameId: string;
      /** The version of the entry that made the offer. */
      readonly offer: number;
      readonly answer: OfferAnswer;
      /** The board that is agreed to (`boardVersion`); only an acceptance depends on it. */
      readonly atVersion: number;
    }
  | {
      readonly type: "answer_rematch";
      readonly commandId: string;
      readonly gameId: string;
      readonly offer: number;
      readonly answer: Exclude<OfferAnswer, "decline_all">;
    }
  /** A word to the opponent. Its `done` carries the number of the message as `version`. */
  | { readonly type: "chat"; readonly commandId: string; readonly gameId: string; readonly text: string }
  | {
      readonly type: "move";
      readonly moveId: string;
      readonly gameId: string;
      /** The version of the newest entry that changed the board (`boardVersion`). */
      readonly atVersion: number;
      readonly path: readonly Square[];
      readonly promotion?: Promotion;
    };

export type WatchFrame =
  /**
   * Asks for a table and everything that happens there. `since` is the newest version already known, 0 for none. A player who names the
   * newest chat message they know, 0 for none, is sent what was written since.
   */
  | { readonly type: "watch"; readonly gameId: string; readonly since: number; readonly chatSince?: number }
  | { readonly type: "unwatch"; readonly gameId: string }
  /** Asks for the numbers of players and games, now and whenever they change. */
  | { readonly type: "watch_stats" }
  | { readonly type: "unwatch_stats" }
  | { readonly type: "watch_lobby" }
  | { readonly type: "unwatch_lobby" };

/** What a server sends. */
export type ServerFrame =
  /** First on every connection. */
  | {
      readonly type: "hello";
      readonly protocol: number;
      readonly player: PlayerView | null;
      readonly serverNow: number;
    }
  /** The answer to `watch`, and again whenever the client has to catch up. Entries run on without gaps from `since` + 1. */
  | TableFrame
  /** One more entry. To the player whose command it was it carries the commandId: that is the acknowledgement. */
  | { readonly type: "entry"; readonly gameId: string; readonly entry: LogRecord }
  /** What the two players wrote, to them alone: the rest since `chatSince`, and then each message as it comes. In order, numbered from 1. */
  | {
      readonly type: "chat";
      readonly gameId: string;
      readonly messages: readonly ChatMessageView[];
      /** The answer to a watch: what is missing before the first message is too old to be sent. */
      readonly isRest?: boolean;
    }
  /** A player came or went. `sinceAt` is when they went (ms since 1970), null while they are here. */
  | { readonly type: "presence"; readonly gameId: string; readonly seat: Seat; readonly sinceAt: number | null }
  /** A command was carried out (now or earlier). For `create` and `join` the game to go to, and whether it is active. */
  | {
      readonly type: "done";
      readonly commandId: string;
      readonly gameId: string;
      readonly version: number;
      readonly status: "waiting" | "active" | "ended";
    }
  /** A command was refused and changed nothing. */
  | { readonly type: "refused"; readonly commandId: string; readonly refusal: RefusalView }
  /** A frame was not understood; nothing was done. */
  | { readonly type: "bad_frame"; readonly refusal: RefusalView }
  /** The answer to a watch of a game that does not exist. */
  | { readonly type: "no_table"; readonly gameId: string }
  /** Own balance; a higher `sequence` is newer. */
  | { readonly type: "wallet"; readonly balance: CoinsText; readonly sequence: number }
  /** Own payment begun or changed. */
  | { readonly type: "payment"; readonly payment: PaymentView }
  /** Own open game appeared, started or ended. */
  | { readonly type: "open_game"; readonly openGame: OpenGameView | null; readonly sequence: number }
  /** Lobby watchers: a game appeared or changed. */
  | { readonly type: "match"; readonly match: MatchView }
  /** Lobby watchers: a game is not to be listed any more. */
  | { readonly type: "match_gone"; readonly gameId: string }
  /** Lobby watchers: on which terms opponents wait. Sent whole. */
  | { readonly type: "availability"; readonly waiting: readonly AvailabilityView[] }
  /** Who watches the numbers: how many players are here, how many games are played. */
  | ({ readonly type: "stats" } & StatsView)
  /** Own limits were changed, or a self-exclusion began. */
  | { readonly type: "limits"; readonly limits: RestrictionsView }
  /** The rate and the fee are others from now on; what was begun keeps its own. */
  | ({ readonly type: "settings" } & SettingsView)
  /** Maintenance began, is spoken of in other words, or ended. */
  | { readonly type: "maintenance"; readonly maintenance: MaintenanceView | null }
  /** One's own address was put on the list of admins, or taken off it: ask for the session again. */
  | { readonly type: "role_changed" }
  /** A game of one's own was cancelled by the house, or a report of one's own was answered. */
  | { readonly type: "notice"; readonly title: string; readonly text: string }
  /** The session ended or changed: reconnect and ask for the session again. */
  | { readonly type: "session_ended" }
  /** The server goes down in order; reconnect after about this many ms. */
  | { readonly type: "restarting"; readonly reconnectInMs: number };

export interface TableFrame {
  readonly type: "table";
  readonly gameId: string;
  readonly since: number;
  readonly entries: readonly LogRecord[];
  /** The newest version and the board at it in FEN: the client compares them with its own fold and starts again on a difference. */
  readonly version: number;
  readonly position: string;
  readonly players: readonly [PlayerView, PlayerView | null];
  /** Since when each player is away (ms since 1970), null while they are here. */
  readonly awaySinceAt: readonly [number | null, number | null];
  readonly serverNow: number;
}

/** Close codes of the socket. */
export const CLOSE = {
  /** Reconnect with jitter: the server restarts. */
  restarting: 4001,
  /** The same player opened more connections than one may have. */
  tooMany: 4002,
  /** Too many frames that were not understood, or too many frames. */
  flooding: 4003,
  /** The connection did not read what it was sent. */
  slow: 4004,
  /** The session ended: log in again. */
  sessionEnded: 4005,
  /** Something failed on our side: reconnect and resume. */
  faulty: 4006,
} as const;
