import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { PROMOTIONS } from "@holo/rules/rules.ts";
import { BOARD_SQUARES } from "@holo/rules/square.ts";
import { OFFER_ANSWERS } from "@holo/table/log-record.ts";
import { z } from "zod";
import { commandId, gameId, gameType } from "../fields.ts";
import { limitMinutes, lobbyFilter, stake } from "../game/games.ts";
import { MATCHES_MAX, MATCHES_PER_PAGE } from "../lobby/match-list-terms.ts";
import { invitationToken } from "../match/invitations.ts";
import type { RefusalCode } from "../refusals/refusals.ts";
import type { View } from "../route.ts";

/** What a client may send. Its type, its parser and its access follow from this one declaration. */
interface ClientFrameDeclaration {
  /** `player`: a visitor gets a refusal, so the frame is a command with an id. */
  readonly access: "anyone" | "player";
  /** The refusal for a visitor. Default: `login_required`. */
  readonly visitorRefusal?: RefusalCode;
  /** All fields besides `type`; others are refused. */
  readonly fields: Readonly<Record<string, z.ZodType>>;
}

/** A checkers capture takes at most 12 pieces, so a path has at most 13 squares. */
const PATH_SQUARES_MAX = 13;
/** A frame with a longer text is malformed; a text too long for chat has its own refusal. */
const TEXT_UNITS_MAX = 1_000;

const number = z.int32().nonnegative();
/** The fee that the player was shown; another one is refused. */
const feeBps = z.int().min(0).max(10_000);
/** Chosen by the client: a command sent again gets the same answer (ruling 1). */
const COMMAND = { commandId };
const GAME_COMMAND = { ...COMMAND, gameId };
/** May take coins, which its player no longer expects a while after the click. */
const SEAT_COMMAND = { sentAgoMs: number };
/** How many moves of the opponent its player had seen. Refused after another. */
const OFFER = { ...GAME_COMMAND, opponentMoves: number };
/** `atVersion`: the `boardVersion` that is agreed to; checked for an acceptance only. */
const OFFER_ANSWER = { ...GAME_COMMAND, offer: number, answer: z.enum(OFFER_ANSWERS), atVersion: number };
const path = z.array(z.int().min(0).lt(BOARD_SQUARES)).min(2).max(PATH_SQUARES_MAX);

const CLIENT_FRAMES = {
  create: {
    access: "player",
    visitorRefusal: "create_login_required",
    fields: {
      ...COMMAND,
      ...SEAT_COMMAND,
      game: gameType,
      stake,
      limitMinutes,
      feeBps,
      /** Only players with its link can join (ruling 42); it never joins a waiting game. */
      byInvitation: z.boolean(),
      /** Matchmaking keeps to a band around the player's rating, which widens while they wait. */
      nearRating: z.literal(true).exactOptional(),
    },
  },
  join: {
    access: "player",
    visitorRefusal: "join_login_required",
    fields: { ...GAME_COMMAND, ...SEAT_COMMAND, invitation: invitationToken.exactOptional() },
  },
  cancel: {
    access: "player",
    visitorRefusal: "cancel_login_required",
    /** `whileWaiting`: refused once an opponent has joined. */
    fields: { ...GAME_COMMAND, whileWaiting: z.boolean() },
  },
  resign: { access: "player", fields: GAME_COMMAND },
  offer_draw: { access: "player", fields: OFFER },
  request_takeback: { access: "player", fields: OFFER },
  offer_rematch: { access: "player", fields: { ...GAME_COMMAND, ...SEAT_COMMAND, feeBps } },
  answer_draw: { access: "player", fields: OFFER_ANSWER },
  answer_takeback: { access: "player", fields: OFFER_ANSWER },
  answer_rematch: {
    access: "player",
    fields: { ...GAME_COMMAND, ...SEAT_COMMAND, offer: number, answer: z.enum(OFFER_ANSWERS).exclude(["decline_all"]) },
  },
  /** Its `done` carries the message's number as `version`. */
  chat: { access: "player", fields: { ...GAME_COMMAND, text: z.string().max(TEXT_UNITS_MAX) } },
  move: {
    access: "player",
    fields: {
      ...GAME_COMMAND,
      /** The version of the newest log record that changed the board (`boardVersion`). */
      atVersion: number,
      path,
      promotion: z.enum(PROMOTIONS).exactOptional(),
    },
  },
  watch: {
    access: "anyone",
    fields: {
      gameId,
      /** The newest version already known, 0 for none. */
      since: number,
      /** From a player: the newest chat message already known, 0 for none. */
      chatSince: number.exactOptional(),
      /** The token from the game's link: a game by invitation can be watched before it begins. */
      invitation: invitationToken.exactOptional(),
    },
  },
  unwatch: { access: "anyone", fields: { gameId } },
  watch_stats: { access: "anyone", fields: {} },
  unwatch_stats: { access: "anyone", fields: {} },
  /** Answered by `lobby`, then `lobby_changes`. Replaces the previous watch. */
  watch_lobby: {
    access: "anyone",
    fields: {
      filter: lobbyFilter,
      /** The maximum length of the list: whole pages. */
      count: z.int().positive().max(MATCHES_MAX).multipleOf(MATCHES_PER_PAGE),
      /** Repeated in the answer: frames before it belong to an earlier watch. */
      request: number,
    },
  },
  unwatch_lobby: { access: "anyone", fields: {} },
  watch_availability: { access: "anyone", fields: {} },
  unwatch_availability: { access: "anyone", fields: {} },
  /** Answered by `alive`: a page cannot see whether a quiet connection still works. */
  probe: { access: "anyone", fields: {} },
} as const satisfies Record<string, ClientFrameDeclaration>;

type ClientFrames = typeof CLIENT_FRAMES;
type ClientFrameType = keyof ClientFrames;
type ClientFrameOf<Type extends ClientFrameType> = Type extends ClientFrameType
  ? ClientFrames[Type]["fields"] extends infer Fields extends ClientFrameDeclaration["fields"]
    ? View<z.ZodObject<{ readonly type: z.ZodLiteral<Type> } & Fields, z.core.$strict>>
    : never
  : never;

type TypeWithAccess<Access> = {
  [Type in ClientFrameType]: ClientFrames[Type]["access"] extends Access ? Type : never;
}[ClientFrameType];

export type ClientFrame = ClientFrameOf<ClientFrameType>;
export type CommandFrame = ClientFrameOf<TypeWithAccess<"player">>;
export type WatchFrame = ClientFrameOf<TypeWithAccess<"anyone">>;
/** Commands that may take coins. */
export type SeatCommandFrame = Extract<CommandFrame, { readonly sentAgoMs: number }>;

const SCHEMAS = new Map<unknown, z.ZodType>(
  Object.entries(CLIENT_FRAMES).map(([type, { fields }]) => [
    type,
    z.strictObject({ type: z.literal(type), ...fields }),
  ]),
);

/** Refuses unknown fields, so that a client cannot add a board, a time or a balance (ruling 1). */
export function parseFrame(text: string): Result<ClientFrame, "bad_request"> {
  let value: { readonly type?: unknown } | null;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse("bad_request");
  }
  const parsed = SCHEMAS.get(value?.type)?.safeParse(value);
  return parsed?.success ? ok(parsed.data as ClientFrame) : refuse("bad_request");
}

/** What a visitor is told who sends a command. */
export function visitorRefusalOf({ type }: CommandFrame): RefusalCode {
  const { visitorRefusal = "login_required" }: ClientFrameDeclaration = CLIENT_FRAMES[type];
  return visitorRefusal;
}

export function isForPlayers(frame: ClientFrame): frame is CommandFrame {
  return CLIENT_FRAMES[frame.type].access === "player";
}
