import type { CommandId, GameId } from "@holo/kernel/ids.ts";
import type { ServerFrame } from "@holo/protocol/frames.ts";
import type { AvailabilityView, MatchView } from "@holo/protocol/games.ts";
import type { StatsView } from "@holo/protocol/platform.ts";
import type { RefusalView } from "@holo/protocol/refusals/refusals.ts";
import { type Command, type CommandAnswer, createCommandQueue } from "./command-queue.ts";
import { type ConnectionDeps, type ConnectionState, createConnection } from "./connection.ts";
import { createTableSubscriptions, type TableHandlers, type TableSubscription } from "./table-subscriptions.ts";

export interface LobbyHandlers {
  readonly onMatch: (match: MatchView) => void;
  readonly onMatchGone: (gameId: GameId) => void;
  readonly onAvailability: (waiting: readonly AvailabilityView[]) => void;
  /** The lobby was not updated since the previous connection: load the lists again. */
  readonly onResumed?: () => void;
}

export interface Socket {
  sendCommand(command: Command): Promise<CommandAnswer>;
  watchTable(gameId: GameId, handlers: TableHandlers): TableSubscription;
  /** Returns a function that unsubscribes. */
  watchLobby(handlers: LobbyHandlers): () => void;
  /** Numbers of players and games. Returns a function that unsubscribes. */
  watchStats(listener: (stats: StatsView) => void): () => void;
  /** Receives every frame. Returns a function that unsubscribes. */
  onFrame(listener: (frame: ServerFrame) => void): () => void;
  connectionState(): ConnectionState;
  onConnectionChanged(listener: () => void): () => void;
  /** The viewer changed: refuses their open commands and reconnects. */
  reconnect(): void;
  wake(): void;
  sleep(): void;
}

export interface SocketDeps extends ConnectionDeps {
  newId(): CommandId;
}

const SIGNED_OUT: RefusalView = { code: "login_required", title: "Error", text: "You must be logged in." };

/** The page's socket. @param observe receives every frame first */
export function createSocket(deps: SocketDeps, observe: (frame: ServerFrame) => void): Socket {
  const frameListeners = new Set<(frame: ServerFrame) => void>();
  const stateListeners = new Set<() => void>();
  const lobby = new Set<LobbyHandlers>();
  const statsListeners = new Set<(stats: StatsView) => void>();
  /** Undefined until the first hello. */
  let playerId: string | null | undefined;
  let isFirstHello = true;

  const connection = createConnection(deps, {
    onHello(hello) {
      observe(hello);
      const helloId = hello.player?.id ?? null;
      if (playerId !== undefined && playerId !== helloId) commands.refuseAll(SIGNED_OUT);
      playerId = helloId;
      subscriptions.requestAll();
      if (lobby.size > 0) connection.send({ type: "watch_lobby" });
      if (statsListeners.size > 0) connection.send({ type: "watch_stats" });
      if (!isFirstHello) for (const handlers of lobby) handlers.onResumed?.();
      isFirstHello = false;
      commands.sendAll();
    },
    onFrame(frame) {
      if (frame.type !== "hello") observe(frame);
      subscriptions.receive(frame);
      commands.receive(frame);
      receiveLobbyFrame(frame);
      if (frame.type === "stats") for (const listener of statsListeners) listener(frame);
      for (const listener of frameListeners) listener(frame);
    },
    onDisconnected() {
      commands.onDisconnected();
      subscriptions.onDisconnected();
    },
    onTick() {
      commands.sendDue();
      subscriptions.probe();
    },
    unansweredSince() {
      const since = [commands.unansweredSince(), subscriptions.unansweredSince()].filter((at) => at !== null);
      return since.length === 0 ? null : Math.min(...since);
    },
    onStateChanged() {
      for (const listener of stateListeners) listener();
    },
  });
  const commands = createCommandQueue(connection.send, deps.now, deps.newId);
  const subscriptions = createTableSubscriptions(connection.send, deps.now);

  function receiveLobbyFrame(frame: ServerFrame): void {
    for (const handlers of lobby) {
      if (frame.type === "match") handlers.onMatch(frame.match);
      else if (frame.type === "match_gone") handlers.onMatchGone(frame.gameId);
      else if (frame.type === "availability") handlers.onAvailability(frame.waiting);
    }
  }

  return {
    sendCommand(command) {
      connection.start();
      if (connection.state() !== "connected") connection.wake();
      return commands.send(command);
    },
    watchTable(gameId, handlers) {
      connection.start();
      return subscriptions.subscribe(gameId, handlers);
    },
    watchLobby(handlers) {
      connection.start();
      lobby.add(handlers);
      // Every subscriber gets the whole lobby, so a second one asks again.
      connection.send({ type: "watch_lobby" });
      return () => {
        if (lobby.delete(handlers) && lobby.size === 0) connection.send({ type: "unwatch_lobby" });
      };
    },
    watchStats(listener) {
      connection.start();
      statsListeners.add(listener);
      // Every subscriber gets the numbers at once, so a second one asks again.
      connection.send({ type: "watch_stats" });
      return () => {
        if (statsListeners.delete(listener) && statsListeners.size === 0) connection.send({ type: "unwatch_stats" });
      };
    },
    onFrame(listener) {
      connection.start();
      frameListeners.add(listener);
      return () => frameListeners.delete(listener);
    },
    connectionState: connection.state,
    onConnectionChanged(listener) {
      stateListeners.add(listener);
      return () => stateListeners.delete(listener);
    },
    reconnect() {
      commands.refuseAll(SIGNED_OUT);
      playerId = undefined;
      connection.reconnect();
    },
    wake: connection.wake,
    sleep: connection.sleep,
  };
}
