import type { LogRecord } from "@holo/table/log-record.ts";
import { z } from "zod";
import { restrictions } from "../accounts/restrictions.ts";
import { coins, commandId, gameId, instant, seat, whole } from "../fields.ts";
import { availability, type MatchChange, match, openGame, player } from "../game/games.ts";
import { payment } from "../payments/payments.ts";
import { maintenance, settings, stats } from "../platform.ts";
import type { RefusalView } from "../refusals/refusals.ts";
import type { View } from "../route.ts";

/** A table's own type, which its evolution alone writes and reads. */
const record = z.custom<LogRecord>((value) => typeof value === "object" && value !== null);
const refusal: z.ZodType<RefusalView> = z.strictObject({
  code: z.custom<RefusalView["code"]>(),
  title: z.string(),
  text: z.string(),
});

const chatMessage = z.strictObject({
  /** From 1 without gaps in each game. */
  number: whole,
  seat,
  text: z.string(),
  at: instant,
});
export type ChatMessageView = View<typeof chatMessage>;

/**
 * Answers a watch, and is sent again whenever the client has to resync. Records follow `since`
 * without gaps.
 */
const table = z.strictObject({
  type: z.literal("table"),
  gameId,
  since: whole,
  records: z.array(record),
  version: whole,
  /** The board at that version in FEN; a client whose own fold differs starts again. */
  position: z.string(),
  players: z.tuple([player, player.nullable()]),
  /** Since when each player is away; null: present. */
  awaySinceAt: z.tuple([instant.nullable(), instant.nullable()]),
  /** Who watch, without the two players, as last told. */
  watchers: whole,
  serverNow: instant,
});
export type TableFrame = View<typeof table>;

/** The whole watched list. */
const lobby = z.strictObject({
  type: z.literal("lobby"),
  /** The watch that it answers; without it the list replaces the previous one. */
  request: whole.exactOptional(),
  /** Newest first. */
  matches: z.array(match),
  hasMore: z.boolean(),
});

const matchChange = match.partial().required({ id: true }) as z.ZodType as z.ZodType<MatchChange>;
const lobbyChanges = z.strictObject({
  type: z.literal("lobby_changes"),
  added: z.array(match).exactOptional(),
  changed: z.array(matchChange).exactOptional(),
  gone: z.array(gameId).exactOptional(),
  hasMore: z.boolean().exactOptional(),
});
export type LobbyChangesFrame = View<typeof lobbyChanges>;

/** What a server sends. Tests check every frame with it; nothing else parses one. */
export const serverFrame = z.discriminatedUnion("type", [
  /** First on every connection. */
  z.strictObject({ type: z.literal("hello"), protocol: whole, player: player.nullable(), serverNow: instant }),
  table,
  /** To the player whose command caused it, it carries the commandId as acknowledgement. */
  z.strictObject({ type: z.literal("record"), gameId, record }),
  /** To the two players only: the messages since `chatSince`, then each new one, in order. */
  z.strictObject({
    type: z.literal("chat"),
    gameId,
    messages: z.array(chatMessage),
    /** Answers a watch: messages missing before the first one are too old to be sent. */
    isRest: z.boolean().exactOptional(),
  }),
  /** `sinceAt` is when the player left; null: present. */
  z.strictObject({ type: z.literal("presence"), gameId, seat, sinceAt: instant.nullable() }),
  /** Others than the two players who watch; at most once a second, and never who. */
  z.strictObject({ type: z.literal("watchers"), gameId, count: whole }),
  /** The command was carried out, now or earlier. */
  z.strictObject({
    type: z.literal("done"),
    commandId,
    gameId,
    version: whole,
    status: z.enum(["waiting", "active", "ended"]),
  }),
  z.strictObject({ type: z.literal("refused"), commandId, refusal }),
  /** The command's outcome is unknown: send it again, with the same id. */
  z.strictObject({ type: z.literal("retry"), commandId }),
  z.strictObject({ type: z.literal("alive") }),
  /** A frame was not understood and changed nothing. */
  z.strictObject({ type: z.literal("bad_frame"), refusal }),
  z.strictObject({ type: z.literal("no_table"), gameId }),
  z.strictObject({ type: z.literal("wallet"), balance: coins, sequence: whole }),
  z.strictObject({ type: z.literal("payment"), payment }),
  z.strictObject({ type: z.literal("open_game"), openGame: openGame.nullable(), sequence: whole }),
  lobby,
  lobbyChanges,
  /** How many players can be joined on each terms. */
  z.strictObject({ type: z.literal("availability"), waiting: z.array(availability) }),
  stats.extend({ type: z.literal("stats") }),
  z.strictObject({ type: z.literal("limits"), limits: restrictions }),
  /** The exchange rate or the fee changed. Earlier games and payments keep theirs. */
  settings.extend({ type: z.literal("settings") }),
  z.strictObject({ type: z.literal("maintenance"), maintenance: maintenance.nullable() }),
  /** The player became an admin or is one no longer: load the session again. */
  z.strictObject({ type: z.literal("role_changed") }),
  /** Staff cancelled the player's game, or answered a report of the player. */
  z.strictObject({ type: z.literal("notice"), title: z.string(), text: z.string() }),
  /** The session ended or changed: reconnect and load the session again. */
  z.strictObject({ type: z.literal("session_ended") }),
  z.strictObject({ type: z.literal("restarting"), reconnectInMs: whole }),
]);
export type ServerFrame = View<typeof serverFrame>;
