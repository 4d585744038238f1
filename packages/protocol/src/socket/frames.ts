import type { CommandId, GameId } from "@holo/kernel/ids.ts";
import type { BySeat } from "@holo/rules/by-seat.ts";
import type { GameType, Promotion, Seat, Square } from "@holo/rules/rules.ts";
import type { LogRecord, OfferAnswer } from "@holo/table/log-record.ts";
import type { LimitMinutes, Stake } from "@holo/table/stakes.ts";
import type { RestrictionsView } from "../accounts/restrictions.ts";
import type { OpenGameView, PlayerView } from "../arena/games.ts";
import type { AvailabilityFrame, LobbyChangesFrame, LobbyFilter, LobbyFrame } from "../arena/lobby.ts";
import type { CoinsText } from "../fields.ts";
import type { PaymentView } from "../payments/payments.ts";
import type { MaintenanceView, SettingsView, StatsView } from "../platform.ts";
import type { RefusalView } from "../refusals/refusals.ts";

/**
 * Raised when an older page can no longer use the server. `hello` carries it, and the page then
 * reloads itself once.
 */
export const PROTOCOL_VERSION = 8;
/** Bytes of one frame from a client; larger ones close the connection. */
export const FRAME_BYTES_MAX = 4096;
/** A checkers capture takes at most 12 pieces, so a path has at most 13 squares. */
export const PATH_SQUARES_MAX = 13;
/** Code points of one chat message (specification 5). */
export const CHAT_CHARACTERS_MAX = 200;

/** A command that takes coins is not carried out for the first time later than this. */
export const COMMAND_LATE_AFTER_MS = 30_000;

export type ClientFrame = CommandFrame | WatchFrame;

interface Command {
  /** Chosen by the client: a command sent again gets the same answer (ruling 1). */
  readonly commandId: CommandId;
}

/** A command that may take coins, which its player no longer expects after a while. */
interface SeatCommand {
  /** Since the player's click. Old pages omit it, others at first. */
  readonly sentAgoMs?: number;
}

interface GameCommand extends Command {
  readonly gameId: GameId;
}

interface OfferAnswerFrame extends GameCommand {
  readonly offer: number;
}

export type CommandFrame =
  | (Command &
      SeatCommand & {
        readonly type: "create";
        readonly game: GameType;
        readonly stake: Stake;
        readonly limitMinutes: LimitMinutes;
        /** The fee that the player was shown; another one is refused. */
        readonly feeBps: number;
        /** Only players with its link can join (ruling 42); it never joins a waiting game. */
        readonly byInvitation?: true;
      })
  | (GameCommand &
      SeatCommand & {
        readonly type: "join";
        /** The token from the game's link. */
        readonly invitation?: string;
      })
  | (GameCommand & {
      readonly type: "cancel";
      /** The player saw a waiting game: refused once an opponent has joined. Old pages omit it. */
      readonly whileWaiting?: true;
    })
  | (GameCommand & { readonly type: "resign" })
  | (GameCommand & {
      readonly type: "offer_draw" | "request_takeback";
      /** How many moves of the opponent its player had seen. Refused after another. */
      readonly opponentMoves?: number;
    })
  | (GameCommand &
      SeatCommand & {
        readonly type: "offer_rematch";
        readonly feeBps: number;
      })
  | (OfferAnswerFrame & {
      readonly type: "answer_draw" | "answer_takeback";
      readonly answer: OfferAnswer;
      /** The board version (`boardVersion`) that is agreed to; checked for an acceptance only. */
      readonly atVersion: number;
    })
  | (OfferAnswerFrame &
      SeatCommand & { readonly type: "answer_rematch"; readonly answer: Exclude<OfferAnswer, "decline_all"> })
  /** Its `done` carries the message's number as `version`. */
  | (GameCommand & { readonly type: "chat"; readonly text: string })
  | (GameCommand & {
      readonly type: "move";
      /** The version of the newest log record that changed the board (`boardVersion`). */
      readonly atVersion: number;
      readonly path: readonly Square[];
      readonly promotion?: Promotion;
    });

export type WatchFrame =
  | {
      readonly type: "watch";
      readonly gameId: GameId;
      /** The newest version already known, 0 for none. */
      readonly since: number;
      /** From a player: the newest chat message already known, 0 for none. */
      readonly chatSince?: number;
      /** The token from the game's link: a game by invitation can be watched before it begins. */
      readonly invitation?: string;
    }
  | { readonly type: "unwatch"; readonly gameId: GameId }
  | { readonly type: "watch_stats" }
  | { readonly type: "unwatch_stats" }
  /** Answered by `lobby`, then `lobby_changes`. Replaces the previous watch. */
  | {
      readonly type: "watch_lobby";
      readonly filter: LobbyFilter;
      /** The maximum length of the list: whole pages. */
      readonly count: number;
      /** Repeated in the answer: frames before it belong to an earlier watch. */
      readonly request: number;
    }
  | { readonly type: "unwatch_lobby" }
  | { readonly type: "watch_availability" }
  | { readonly type: "unwatch_availability" }
  /** Answered by `alive`: a page cannot see whether a quiet connection still works. */
  | { readonly type: "probe" };

/** What a server sends. Instants are ms since 1970. */
export type ServerFrame =
  /** First on every connection. */
  | {
      readonly type: "hello";
      readonly protocol: number;
      readonly player: PlayerView | null;
      readonly serverNow: number;
    }
  | TableFrame
  /** To the player whose command caused it, it carries the commandId as acknowledgement. */
  | { readonly type: "entry"; readonly gameId: GameId; readonly entry: LogRecord }
  /** To the two players only: the messages since `chatSince`, then each new one, in order. */
  | {
      readonly type: "chat";
      readonly gameId: GameId;
      readonly messages: readonly ChatMessageView[];
      /** Answers a watch: messages missing before the first one are too old to be sent. */
      readonly isRest?: boolean;
    }
  /** `sinceAt` is when the player left; null: present. */
  | { readonly type: "presence"; readonly gameId: GameId; readonly seat: Seat; readonly sinceAt: number | null }
  /** The command was carried out, now or earlier. */
  | {
      readonly type: "done";
      readonly commandId: CommandId;
      readonly gameId: GameId;
      readonly version: number;
      readonly status: "waiting" | "active" | "ended";
    }
  | { readonly type: "refused"; readonly commandId: CommandId; readonly refusal: RefusalView }
  /** The command's outcome is unknown: send it again, with the same id. */
  | { readonly type: "retry"; readonly commandId: CommandId }
  | { readonly type: "alive" }
  /** A frame was not understood and changed nothing. */
  | { readonly type: "bad_frame"; readonly refusal: RefusalView }
  | { readonly type: "no_table"; readonly gameId: GameId }
  | { readonly type: "wallet"; readonly balance: CoinsText; readonly sequence: number }
  | { readonly type: "payment"; readonly payment: PaymentView }
  | { readonly type: "open_game"; readonly openGame: OpenGameView | null; readonly sequence: number }
  | LobbyFrame
  | LobbyChangesFrame
  | AvailabilityFrame
  | ({ readonly type: "stats" } & StatsView)
  | { readonly type: "limits"; readonly limits: RestrictionsView }
  /** The exchange rate or the fee changed. Earlier games and payments keep theirs. */
  | ({ readonly type: "settings" } & SettingsView)
  | { readonly type: "maintenance"; readonly maintenance: MaintenanceView | null }
  /** The player became an admin or is one no longer: load the session again. */
  | { readonly type: "role_changed" }
  /** Staff cancelled the player's game, or answered a report of the player. */
  | { readonly type: "notice"; readonly title: string; readonly text: string }
  /** The session ended or changed: reconnect and load the session again. */
  | { readonly type: "session_ended" }
  | { readonly type: "restarting"; readonly reconnectInMs: number };

/**
 * Answers a watch, and is sent again whenever the client has to resync. Records follow `since`
 * without gaps.
 */
export interface TableFrame {
  readonly type: "table";
  readonly gameId: GameId;
  readonly since: number;
  readonly entries: readonly LogRecord[];
  readonly version: number;
  /** The board at that version in FEN; a client whose own fold differs starts again. */
  readonly position: string;
  readonly players: BySeat<PlayerView, PlayerView | null>;
  /** Since when each player is away; null: present. */
  readonly awaySinceAt: BySeat<number | null>;
  readonly serverNow: number;
}

export interface ChatMessageView {
  /** From 1 without gaps in each game. */
  readonly number: number;
  readonly seat: Seat;
  readonly text: string;
  readonly at: number;
}

export const CLOSE = {
  /** The server restarts: reconnect with jitter. */
  restarting: 4001,
  /** Newer connections of the same player replaced this one. */
  tooMany: 4002,
  flooding: 4003,
  /** The client did not read what was sent. */
  slow: 4004,
  sessionEnded: 4005,
  /** A fault of the server: reconnect and resume. */
  faulty: 4006,
  /** The address has too many connections: try again later. */
  busy: 4007,
} as const;
