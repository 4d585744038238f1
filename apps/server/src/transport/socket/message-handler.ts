import { assertNever } from "@holo/kernel/assert.ts";
import type { CommandId, GameId } from "@holo/kernel/ids.ts";
import {
  CLOSE,
  type ClientFrame,
  COMMAND_LATE_AFTER_MS,
  type CommandFrame,
  type ServerFrame,
  type WatchFrame,
} from "@holo/protocol/frames.ts";
import type { PlayerView } from "@holo/protocol/games.ts";
import { MESSAGE_ACCESS } from "@holo/protocol/message-access.ts";
import { parseFrame } from "@holo/protocol/parse-frame.ts";
import { type RefusalCode, type RefusalFigures, toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import type { SessionClaim } from "../../accounts/accounts.ts";
import { type Answer, type Arena, refused, type SessionCheck, toFailure, type WatchCost } from "../../arena/arena.ts";
import type { Log } from "../../platform/log.ts";
import { type CommandTrace, runTraced, type Tracing } from "../../platform/tracing/tracing.ts";
import type { Connection } from "./connection.ts";

/** Tables one connection may watch at once; the page shows one. */
const WATCHED_MAX = 8;

type MoveFrame = Extract<CommandFrame, { readonly type: "move" }>;
type OtherCommandFrame = Exclude<CommandFrame, MoveFrame>;
type WatchLobbyFrame = Extract<WatchFrame, { readonly type: "watch_lobby" }>;
type WatchTableFrame = Extract<WatchFrame, { readonly type: "watch" }>;

interface MessageHandler {
  receive(connection: Connection, text: string): void;
  leave(connection: Connection): void;
}

interface MessageHandlerDeps {
  readonly arena: Arena;
  readonly log: Log;
  /** Null: commands are not traced. */
  readonly tracing: Tracing | null;
  readonly isLive: (connection: Connection) => Promise<boolean>;
  readonly claimSession: (connection: Connection) => SessionClaim | null;
  /** False: the connection has read too many tables and lists from the database. */
  readonly tryAcquireRead: (connection: Connection) => boolean;
  /** Counts a wasted frame. False: the connection is closed for sending too many. */
  readonly tryWasteFrame: (connection: Connection) => boolean;
  /** Runs a visitor's work in the queue of strangers, unless too many wait there. */
  readonly whenTurn: (connection: Connection, work: () => Promise<void>, refuse: () => void) => void;
  readonly closeFlooder: (connection: Connection) => void;
  readonly chargeWatch: (connection: Connection, cost: WatchCost) => void;
}

export function createMessageHandler(deps: MessageHandlerDeps): MessageHandler {
  const { arena, tryAcquireRead, tryWasteFrame, closeFlooder } = deps;
  const watches = createWatches(deps);
  const commands = createCommands(deps, watches);

  function isReadable(connection: Connection, frame: ClientFrame): boolean {
    const needsRead =
      frame.type === "watch_lobby"
        ? !arena.isLobbyServed(frame.filter)
        : "gameId" in frame && frame.type !== "unwatch" && !arena.isServed(frame.gameId);
    if (!needsRead || tryAcquireRead(connection)) return true;
    closeFlooder(connection);
    return false;
  }

  return {
    receive(connection, text) {
      const parsed = parseFrame(text);
      if (!parsed.ok) {
        if (!tryWasteFrame(connection)) return;
        return send(connection, { type: "bad_frame", refusal: toRefusalView(parsed.refusal) });
      }
      const frame = parsed.value;
      if (!isForPlayers(frame)) return isReadable(connection, frame) ? watches.receive(connection, frame) : undefined;
      const { player } = connection;
      if (player === null) {
        if (!tryWasteFrame(connection)) return;
        return refuse(connection, frame.commandId, visitorRefusalOf(frame));
      }
      if (isReadable(connection, frame)) commands.receive(connection, player, frame);
    },
    leave: watches.leave,
  };
}

interface Watches {
  receive(connection: Connection, frame: WatchFrame): void;
  resync(connection: Connection, gameId: GameId, since: number): void;
  leave(connection: Connection): void;
}

function createWatches({ arena, log, whenTurn, chargeWatch }: MessageHandlerDeps): Watches {
  const lobbies = new Map<Connection, WatchLobbyFrame>();

  function watch(connection: Connection, frame: WatchTableFrame): void {
    const { gameId } = frame;
    if (connection.watched.size >= WATCHED_MAX && !connection.watched.has(gameId)) return refuseWatch(connection);
    connection.watched.add(gameId);
    if (connection.player !== null) return void showTable(connection, frame);
    whenTurn(
      connection,
      // The visitor may have left the table while waiting.
      async () => (connection.watched.has(gameId) ? await showTable(connection, frame) : undefined),
      () => {
        connection.watched.delete(gameId);
        refuseWatch(connection);
      },
    );
  }

  function refuseWatch(connection: Connection): void {
    send(connection, { type: "bad_frame", refusal: toRefusalView("too_many_requests") });
  }

  async function showTable(connection: Connection, frame: WatchTableFrame): Promise<void> {
    const { gameId, since, chatSince, invitation } = frame;
    try {
      afterWatch(connection, gameId, await arena.watch(connection, gameId, since, chatSince, invitation));
    } catch (err) {
      log.error({ err, gameId }, "a table could not be sent");
      // The client reconnects and asks again; the database may answer by then.
      connection.close(CLOSE.faulty);
    }
  }

  function watchLobby(connection: Connection, frame: WatchLobbyFrame): void {
    lobbies.set(connection, frame);
    // The visitor may watch something else after waiting.
    const show = async (): Promise<void> =>
      lobbies.get(connection) === frame
        ? await closeOnFault(connection, arena.watchLobby(connection, frame))
        : undefined;
    if (connection.player !== null || arena.isLobbyServed(frame.filter)) return void show();
    whenTurn(connection, show, () => refuseWatch(connection));
  }

  async function closeOnFault(connection: Connection, watching: Promise<void>): Promise<void> {
    try {
      await watching;
    } catch (err) {
      log.error({ err }, "a list could not be sent");
      connection.close(CLOSE.faulty);
    }
  }

  function afterWatch(connection: Connection, gameId: GameId, cost: WatchCost | null): void {
    if (cost === null) {
      connection.watched.delete(gameId);
      return send(connection, { type: "no_table", gameId });
    }
    chargeWatch(connection, cost);
    // The client may have left the table while it was read.
    if (!connection.watched.has(gameId)) arena.unwatch(connection, gameId);
  }

  return {
    receive(connection, frame) {
      switch (frame.type) {
        case "watch":
          return watch(connection, frame);
        case "unwatch":
          connection.watched.delete(frame.gameId);
          return arena.unwatch(connection, frame.gameId);
        case "watch_stats":
          return arena.watchStats(connection);
        case "unwatch_stats":
          return arena.unwatchStats(connection);
        case "watch_lobby":
          return watchLobby(connection, frame);
        case "unwatch_lobby":
          lobbies.delete(connection);
          return arena.unwatchLobby(connection);
        case "watch_availability":
          return void closeOnFault(connection, arena.watchAvailability(connection));
        case "unwatch_availability":
          return arena.unwatchAvailability(connection);
        default:
          return assertNever(frame);
      }
    },
    resync(connection, gameId, since) {
      if (connection.watched.has(gameId)) watch(connection, { type: "watch", gameId, since });
    },
    leave(connection) {
      for (const gameId of connection.watched) arena.dropWatcher(connection, gameId);
      connection.watched.clear();
      lobbies.delete(connection);
      arena.unwatchLobby(connection);
      arena.unwatchAvailability(connection);
      arena.unwatchStats(connection);
    },
  };
}

interface Commands {
  receive(connection: Connection, player: PlayerView, frame: CommandFrame): void;
}

function createCommands(deps: MessageHandlerDeps, watches: Watches): Commands {
  const { arena, log, tracing, isLive, claimSession } = deps;

  function move(connection: Connection, player: PlayerView, frame: MoveFrame, trace: CommandTrace | null): void {
    const { type: _, ...order } = frame;
    const { commandId, gameId, atVersion } = order;
    arena.move({ ...order, player: player.id, lagMs: connection.lagMs() }, (answer) => {
      // A record that carries the commandId is the acknowledgement, if it was sent here.
      const wasSent = answer.type === "done" && !answer.isRepeat && connection.watched.has(gameId);
      if (!wasSent) reply(connection, commandId, answer);
      trace?.end(toOutcome(answer));
      if (answer.type === "refused" && answer.code === "stale_version") watches.resync(connection, gameId, atVersion);
    });
  }

  /**
   * Sockets notice a logout within seconds: too late for commands that take coins. Their session is
   * checked again in the transaction.
   */
  async function run(connection: Connection, player: PlayerView, frame: OtherCommandFrame): Promise<Answer> {
    const isChecked = MESSAGE_ACCESS[frame.type].takesCoins === true;
    if (!isChecked) return await toAnswer(arena, player, frame, undefined);
    const claim = claimSession(connection);
    const refusal = visitorRefusalOf(frame);
    const takesSeat = frame.type === "create" || frame.type === "join";
    if (claim === null || (!takesSeat && !(await isLive(connection)))) return refused(refusal);
    return await toAnswer(arena, player, frame, { claim, refusal });
  }

  async function carryOut(
    connection: Connection,
    player: PlayerView,
    frame: OtherCommandFrame,
    trace: CommandTrace | null,
  ): Promise<void> {
    const answer = await run(connection, player, frame).catch((err) => {
      log.error({ err, command: frame.type }, "a command failed");
      return toFailure(err);
    });
    reply(connection, frame.commandId, answer);
    trace?.end(toOutcome(answer));
  }

  return {
    receive(connection, player, frame) {
      const trace = tracing?.start(frame.type, "gameId" in frame ? frame.gameId : null) ?? null;
      runTraced(trace, () => {
        if (frame.type === "move") move(connection, player, frame, trace);
        else void carryOut(connection, player, frame, trace);
      });
    },
  };
}

function toOutcome(answer: Answer): string {
  return answer.type === "refused" ? answer.code : answer.type;
}

function isForPlayers(frame: ClientFrame): frame is CommandFrame {
  return MESSAGE_ACCESS[frame.type].access === "player";
}

function toAnswer(
  arena: Arena,
  player: PlayerView,
  frame: OtherCommandFrame,
  session: SessionCheck | undefined,
): Promise<Answer> {
  const { commandId } = frame;
  const isLate = "sentAgoMs" in frame && frame.sentAgoMs !== undefined && frame.sentAgoMs > COMMAND_LATE_AFTER_MS;
  switch (frame.type) {
    case "create": {
      const { game, stake, limitMinutes, feeBps, byInvitation } = frame;
      return arena.create({ player, commandId, game, stake, limitMinutes, feeBps, byInvitation, session, isLate });
    }
    case "join":
      return arena.join(player, frame.gameId, commandId, { invitation: frame.invitation, session, isLate });
    case "cancel":
      return arena.cancel(player.id, frame.gameId, commandId, frame.whileWaiting);
    case "resign":
      return arena.resign(player.id, frame.gameId, commandId);
    case "offer_draw":
    case "request_takeback":
      return arena.offer(frame.type, player.id, frame.gameId, commandId);
    case "offer_rematch":
      return arena.offer(frame.type, player.id, frame.gameId, commandId, frame.feeBps, { session, isLate });
    case "answer_draw":
    case "answer_takeback":
    case "answer_rematch":
      return arena.answerOffer({ ...frame, player: player.id, session, isLate });
    case "chat":
      return arena.chat({ player: player.id, commandId, gameId: frame.gameId, text: frame.text });
    default:
      return assertNever(frame);
  }
}

function visitorRefusalOf({ type }: CommandFrame): RefusalCode {
  return MESSAGE_ACCESS[type].visitorRefusal ?? "login_required";
}

function reply(connection: Connection, commandId: CommandId, answer: Answer): void {
  if (answer.type === "refused") return refuse(connection, commandId, answer.code, answer.figures);
  if (answer.type === "unknown") return send(connection, { type: "retry", commandId });
  const { gameId, version, status } = answer;
  send(connection, { type: "done", commandId, gameId, version, status });
}

function refuse(connection: Connection, commandId: CommandId, code: RefusalCode, figures: RefusalFigures = {}): void {
  send(connection, { type: "refused", commandId, refusal: toRefusalView(code, figures) });
}

function send(connection: Connection, frame: ServerFrame): void {
  connection.send(JSON.stringify(frame));
}
