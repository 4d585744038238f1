import type { ServerFrame } from "@holo/protocol/frames.ts";
import type { RefusalView } from "@holo/protocol/refusals.ts";
import type { AvailabilityView, MatchView, StatsView } from "@holo/protocol/views.ts";
import { type Command, type CommandAnswer, createCommands } from "./socket-commands.ts";
import { type ConnectionState, createLine, type LineWorld } from "./socket-line.ts";
import { createTables, type TableHandlers, type TableWatch } from "./socket-tables.ts";

export interface LobbyHandlers {
  readonly onMatch: (match: MatchView) => void;
  readonly onMatchGone: (gameId: string) => void;
  readonly onAvailability: (waiting: readonly AvailabilityView[]) => void;
  /** The lobby was out of sight since the connection before: ask for the lists again. */
  readonly onResumed?: () => void;
}

export interface Socket {
  sendCommand(command: Command): Promise<CommandAnswer>;
  watchTable(gameId: string, handlers: TableHandlers): TableWatch;
  /** Returns what ends it. */
  watchLobby(handlers: LobbyHandlers): () => void;
  /** Hears how many players are here and how many games are played. Returns what ends it. */
  watchStats(listener: (stats: StatsView) => void): () => void;
  /** Hears every frame as it comes. Returns what ends it. */
  onFrame(listener: (frame: ServerFrame) => void): () => void;
  connectionState(): ConnectionState;
  onConnectionChanged(listener: () => void): () => void;
  /** Who is at this page has changed: unanswered commands of the one before are refused, and the server is met anew. */
  renew(): void;
  wake(): void;
  sleep(): void;
}

export interface SocketWorld extends LineWorld {
  newId(): string;
}

const SIGNED_OUT: RefusalView = { code: "login_required", title: "Error", text: "You must be logged in." };

/** The page's side of the socket, on whatever world it is given. @param observe hears every frame before anyone else */
export function createSocket(world: SocketWorld, observe: (frame: ServerFrame) => void): Socket {
  const frameListeners = new Set<(frame: ServerFrame) => void>();
  const stateListeners = new Set<() => void>();
  const lobby = new Set<LobbyHandlers>();
  const statsListeners = new Set<(stats: StatsView) => void>();
  /** Undefined until a hello has said who the server takes this page for. */
  let playerId: string | null | undefined;
  let isFirstHello = true;

  const line = createLine(world, {
    onHello(hello) {
      observe(hello);
      const helloId = hello.player?.id ?? null;
      if (playerId !== undefined && playerId !== helloId) commands.refuseAll(SIGNED_OUT);
      playerId = helloId;
      tables.askAll();
      if (lobby.size > 0) line.send({ type: "watch_lobby" });
      if (statsListeners.size > 0) line.send({ type: "watch_stats" });
      if (!isFirstHello) for (const handlers of lobby) handlers.onResumed?.();
      isFirstHello = false;
      commands.sendAll();
    },
    onFrame(frame) {
      if (frame.type !== "hello") observe(frame);
      tables.take(frame);
      commands.take(frame);
      takeLobbyFrame(frame);
      if (frame.type === "stats") for (const listener of statsListeners) listener(frame);
      for (const listener of frameListeners) listener(frame);
    },
    onLost() {
      commands.onLost();
      tables.onLost();
    },
    onTick() {
      commands.sendDue();
      tables.probe();
    },
    owedSince() {
      const since = [commands.owedSince(), tables.owedSince()].filter((at) => at !== null);
      return since.length === 0 ? null : Math.min(...since);
    },
    onStateChanged() {
      for (const listener of stateListeners) listener();
    },
  });
  const commands = createCommands(line.send, world.now, world.newId);
  const tables = createTables(line.send, world.now);

  function takeLobbyFrame(frame: ServerFrame): void {
    for (const handlers of lobby) {
      if (frame.type === "match") handlers.onMatch(frame.match);
      else if (frame.type === "match_gone") handlers.onMatchGone(frame.gameId);
      else if (frame.type === "availability") handlers.onAvailability(frame.waiting);
    }
  }

  return {
    sendCommand(command) {
      line.start();
      if (line.state() !== "connected") line.wake();
      return commands.send(command);
    },
    watchTable(gameId, handlers) {
      line.start();
      return tables.watch(gameId, handlers);
    },
    watchLobby(handlers) {
      line.start();
      lobby.add(handlers);
      // every watcher is sent the lobby whole, so a second one asks again
      line.send({ type: "watch_lobby" });
      return () => {
        if (lobby.delete(handlers) && lobby.size === 0) line.send({ type: "unwatch_lobby" });
      };
    },
    watchStats(listener) {
      line.start();
      statsListeners.add(listener);
      // every watcher is told at once, so a second one asks again
      line.send({ type: "watch_stats" });
      return () => {
        if (statsListeners.delete(listener) && statsListeners.size === 0) line.send({ type: "unwatch_stats" });
      };
    },
    onFrame(listener) {
      line.start();
      frameListeners.add(listener);
      return () => frameListeners.delete(listener);
    },
    connectionState: line.state,
    onConnectionChanged(listener) {
      stateListeners.add(listener);
      return () => stateListeners.delete(listener);
    },
    renew() {
      commands.refuseAll(SIGNED_OUT);
      playerId = undefined;
      line.renew();
    },
    wake: line.wake,
    sleep: line.sleep,
  };
}
