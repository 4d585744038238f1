import { assertNever } from "@holo/kernel/assert.ts";
import {
  type ClientFrame,
  isForPlayers,
  parseFrame,
  visitorRefusalOf,
  type WatchFrame,
} from "@holo/protocol/socket/client-frames.ts";
import type { Lobby } from "../../lobby/lobby.ts";
import type { FrameAdmission } from "../admission/frames.ts";
import { type CommandsDeps, createCommands } from "./commands.ts";
import type { Connection } from "./connection.ts";
import { LobbyWatches } from "./lobby-watches.ts";
import { refuseCommand, refuseFrame, send } from "./send.ts";
import { TableWatches } from "./table-watches.ts";

interface MessageHandler {
  receive(connection: Connection, text: string): void;
  leave(connection: Connection): void;
}

interface MessageHandlerDeps extends Omit<CommandsDeps, "tables"> {
  readonly lobby: Lobby;
  readonly frames: FrameAdmission;
}

export function createMessageHandler(deps: MessageHandlerDeps): MessageHandler {
  const { games, lobby, frames } = deps;
  const tables = new TableWatches(deps);
  const lobbies = new LobbyWatches(deps);
  const commands = createCommands({ ...deps, tables });

  /** False: the connection has read too many tables and lists from the database. */
  function tryRead(connection: Connection, frame: ClientFrame): boolean {
    const needsRead =
      frame.type === "watch_lobby"
        ? !lobby.isLobbyServed(frame.filter)
        : "gameId" in frame && frame.type !== "unwatch" && !games.isServed(frame.gameId);
    return !needsRead || frames.tryRead(connection);
  }

  function receiveWatch(connection: Connection, frame: WatchFrame): void {
    switch (frame.type) {
      case "watch":
        return tables.watch(connection, frame);
      case "unwatch":
        return tables.unwatch(connection, frame.gameId);
      case "watch_stats":
        return lobby.watchStats(connection);
      case "unwatch_stats":
        return lobby.unwatchStats(connection);
      case "watch_lobby":
        return lobbies.watch(connection, frame);
      case "unwatch_lobby":
        return lobbies.unwatch(connection);
      case "watch_availability":
        return lobbies.watchAvailability(connection);
      case "unwatch_availability":
        return lobby.unwatchAvailability(connection);
      case "probe":
        return send(connection, { type: "alive" });
      default:
        return assertNever(frame);
    }
  }

  return {
    receive(connection, text) {
      const parsed = parseFrame(text);
      if (!parsed.ok) return frames.tryWaste(connection) ? refuseFrame(connection, parsed.refusal) : undefined;
      const frame = parsed.value;
      if (!isForPlayers(frame)) return tryRead(connection, frame) ? receiveWatch(connection, frame) : undefined;
      const { player } = connection;
      if (player === null) {
        if (!frames.tryWaste(connection)) return;
        return refuseCommand(connection, frame.commandId, visitorRefusalOf(frame));
      }
      if (tryRead(connection, frame)) commands.receive(connection, player, frame);
    },
    leave(connection) {
      tables.leave(connection);
      lobbies.leave(connection);
      lobby.unwatchStats(connection);
    },
  };
}
