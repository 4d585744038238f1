import { assertNever } from "@holo/kernel/assert.ts";
import type { CommandId, GameId } from "@holo/kernel/ids.ts";
import { CLOSE, type ClientFrame, type CommandFrame, type ServerFrame } from "@holo/protocol/frames.ts";
import type { PlayerView } from "@holo/protocol/games.ts";
import { parseFrame } from "@holo/protocol/parse-frame.ts";
import { type RefusalCode, type RefusalFigures, toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { type Answer, type Arena, refused } from "../../arena/arena.ts";
import type { Log } from "../../platform/log.ts";
import type { Broadcast } from "./broadcast.ts";
import type { Connection } from "./connection.ts";

/** Tables that one connection may watch; the page shows one. */
const WATCHED_MAX = 8;

/** Commands that may take coins. */
const TAKING_COINS: ReadonlySet<CommandFrame["type"]> = new Set(["create", "join", "offer_rematch", "answer_rematch"]);

/** Refusals to visitors with specific texts (specification 8). */
const LOGIN_REQUIRED: Partial<Readonly<Record<CommandFrame["type"], RefusalCode>>> = {
  create: "create_login_required",
  join: "join_login_required",
  cancel: "cancel_login_required",
};

/** Handles a connection's frames: parses each, passes it to the arena and answers. */
export interface SocketSession {
  receive(connection: Connection, text: string): void;
  leave(connection: Connection): void;
}

export interface SocketSessionDeps {
  readonly arena: Arena;
  readonly fanOut: Broadcast;
  readonly log: Log;
  /** Whether the connection's session is still valid. */
  readonly isLive: (connection: Connection) => Promise<boolean>;
  /** Consumes a token for reading a table from the database. */
  readonly takeRead: (connection: Connection) => boolean;
}

export function openSocketSession({ arena, fanOut, log, isLive, takeRead }: SocketSessionDeps): SocketSession {
  function hear(connection: Connection, text: string): void {
    const frame = parseFrame(text);
    if (!frame.ok) return say(connection, { type: "bad_frame", refusal: toRefusalView(frame.refusal) });
    if (needsRead(frame.value) && !takeRead(connection)) return connection.close(CLOSE.flooding);
    carry(connection, frame.value);
  }

  function needsRead(frame: ClientFrame): boolean {
    return "gameId" in frame && frame.type !== "unwatch" && !arena.isServed(frame.gameId);
  }

  function carry(connection: Connection, frame: ClientFrame): void {
    switch (frame.type) {
      case "move":
        return move(connection, frame);
      case "create":
      case "join":
      case "cancel":
      case "resign":
      case "offer_draw":
      case "request_takeback":
      case "offer_rematch":
      case "answer_draw":
      case "answer_takeback":
      case "answer_rematch":
      case "chat":
        return command(connection, frame);
      case "watch":
        return watch(connection, frame.gameId, frame.since, frame.chatSince);
      case "unwatch":
        connection.watched.delete(frame.gameId);
        return arena.unwatch(connection, frame.gameId);
      case "watch_stats":
        fanOut.watchStats(connection);
        return say(connection, { type: "stats", ...arena.stats() });
      case "unwatch_stats":
        return fanOut.unwatchStats(connection);
      case "watch_lobby":
        connection.isInLobby = true;
        fanOut.enterLobby(connection);
        if (connection.player !== null) say(connection, { type: "availability", waiting: arena.availability() });
        return;
      case "unwatch_lobby":
        connection.isInLobby = false;
        return fanOut.leaveLobby(connection);
      default:
        return assertNever(frame);
    }
  }

  function move(connection: Connection, frame: Extract<ClientFrame, { readonly type: "move" }>): void {
    const { commandId, gameId, atVersion, path, promotion } = frame;
    if (connection.player === null) return refuse(connection, commandId, "login_required");
    const order = {
      player: connection.player.id,
      commandId,
      gameId: gameId,
      atVersion,
      path,
    };
    arena.move(promotion === undefined ? order : { ...order, promotion }, (answer) => {
      // The log record with the commandId acknowledges the command if this connection receives it.
      const wasSent = answer.type === "done" && !answer.isRepeat && connection.watched.has(order.gameId);
      if (!wasSent) reply(connection, commandId, answer);
      const isBehind = answer.type === "refused" && answer.code === "stale_version";
      if (isBehind && connection.watched.has(order.gameId)) watch(connection, order.gameId, atVersion);
    });
  }

  function command(connection: Connection, frame: Exclude<CommandFrame, { readonly type: "move" }>): void {
    const { commandId } = frame;
    askAs(connection, frame).then(
      (answer) => reply(connection, commandId, answer),
      (err) => {
        log.error({ err, command: frame.type }, "a command failed");
        refuse(connection, commandId, "something_went_wrong");
      },
    );
  }

  async function askAs(
    connection: Connection,
    frame: Exclude<CommandFrame, { readonly type: "move" }>,
  ): Promise<Answer> {
    const { player } = connection;
    // Sockets notice a logout within seconds; commands that take coins check at once.
    if (player === null || (TAKING_COINS.has(frame.type) && !(await isLive(connection)))) {
      return refused(LOGIN_REQUIRED[frame.type] ?? "login_required");
    }
    return await ask(player, frame);
  }

  function ask(player: PlayerView, frame: Exclude<CommandFrame, { readonly type: "move" }>): Promise<Answer> {
    const commandId = frame.commandId;
    const playerId = player.id;
    switch (frame.type) {
      case "create": {
        const { game, stake, limitMinutes, feeBps } = frame;
        return arena.create({ player, commandId, game, stake, limitMinutes, feeBps });
      }
      case "join":
        return arena.join(player, frame.gameId, commandId);
      case "cancel":
        return arena.cancel(playerId, frame.gameId, commandId);
      case "resign":
        return arena.resign(playerId, frame.gameId, commandId);
      case "offer_draw":
      case "request_takeback":
        return arena.offer(frame.type, playerId, frame.gameId, commandId);
      case "offer_rematch":
        return arena.offer(frame.type, playerId, frame.gameId, commandId, frame.feeBps);
      case "answer_draw":
      case "answer_takeback":
      case "answer_rematch":
        return arena.answerOffer({ ...frame, player: playerId, commandId, gameId: frame.gameId });
      case "chat":
        return arena.chat({ player: playerId, commandId, gameId: frame.gameId, text: frame.text });
      default:
        return assertNever(frame);
    }
  }

  function watch(connection: Connection, gameId: GameId, since: number, chatSince?: number): void {
    if (connection.watched.size >= WATCHED_MAX && !connection.watched.has(gameId)) {
      return say(connection, { type: "bad_frame", refusal: toRefusalView("too_many_requests") });
    }
    connection.watched.add(gameId);
    arena.watch(connection, gameId, since, chatSince).then(
      (isThere) => {
        // The client may have unsubscribed or disconnected meanwhile.
        if (isThere && !connection.watched.has(gameId)) arena.unwatch(connection, gameId);
        if (isThere) return;
        connection.watched.delete(gameId);
        say(connection, { type: "no_table", gameId });
      },
      (err) => {
        log.error({ err, gameId }, "a table could not be shown");
        // The client asks again after reconnecting.
        connection.close(CLOSE.faulty);
      },
    );
  }

  return {
    receive: hear,
    leave(connection) {
      for (const gameId of connection.watched) arena.dropWatcher(connection, gameId);
      connection.watched.clear();
    },
  };
}

function reply(connection: Connection, commandId: CommandId, answer: Answer): void {
  if (answer.type === "refused") return refuse(connection, commandId, answer.code, answer.figures);
  const { gameId, version, status } = answer;
  say(connection, { type: "done", commandId, gameId, version, status });
}

function refuse(connection: Connection, commandId: CommandId, code: RefusalCode, figures: RefusalFigures = {}): void {
  say(connection, { type: "refused", commandId, refusal: toRefusalView(code, figures) });
}

function say(connection: Connection, frame: ServerFrame): void {
  connection.send(JSON.stringify(frame));
}
