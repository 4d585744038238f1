import type { CommandId, GameId } from "@holo/kernel/ids.ts";
import type { RefusalView } from "@holo/protocol/refusals/refusals.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import { type Command, type CommandAnswer, createCommandQueue } from "./command-queue.ts";
import { type ConnectionDeps, createConnection } from "./connection.ts";
import type { ConnectionState } from "./connection-status.ts";
import { createProbe } from "./probe.ts";
import { createSubscriptions, type Subscription } from "./subscriptions.ts";
import { createTableSubscriptions, type TableHandlers, type TableSubscription } from "./table-subscriptions.ts";

export interface Socket {
  sendCommand(command: Command): Promise<CommandAnswer>;
  watchTable(gameId: GameId, handlers: TableHandlers): TableSubscription;
  subscribe(subscription: Subscription): () => void;
  onFrame(listener: (frame: ServerFrame) => void): () => void;
  connectionState(): ConnectionState;
  onConnectionChanged(listener: () => void): () => void;
  /** The viewer changed: refuses their open commands and reconnects. */
  reconnect(): void;
  wake(): void;
  sleep(): void;
}

export interface SocketDeps extends ConnectionDeps {
  /** The device's time, which may be changed. */
  wallNow(): number;
  newId(): CommandId;
}

const LOGGED_OUT: RefusalView = { code: "login_required", title: "Error", text: "You must be logged in." };

export function createSocket(deps: SocketDeps, observe: (frame: ServerFrame) => void): Socket {
  const frameListeners = new Set<(frame: ServerFrame) => void>();
  const stateListeners = new Set<() => void>();
  /** Undefined until the first hello. */
  let playerId: string | null | undefined;

  const connection = createConnection(deps, {
    onHello(hello) {
      observe(hello);
      const helloId = hello.player?.id ?? null;
      if (playerId !== undefined && playerId !== helloId) commands.refuseAll(LOGGED_OUT);
      playerId = helloId;
      tables.requestAll();
      subscriptions.requestAll();
      commands.sendAll();
    },
    onFrame(frame) {
      if (frame.type !== "hello") observe(frame);
      probe.received();
      tables.receive(frame);
      commands.receive(frame);
      subscriptions.receive(frame);
      for (const listener of frameListeners) listener(frame);
    },
    onDisconnected() {
      commands.onDisconnected();
      tables.onDisconnected();
      probe.onDisconnected();
    },
    onTick() {
      commands.sendDue();
      tables.probe();
      probe.probeIfQuiet();
    },
    onDoubt() {
      commands.sendDue();
      tables.requestAll();
      if (tables.unansweredSince() === null) probe.probe();
    },
    unansweredSince() {
      const since = [commands, tables, probe].map((asker) => asker.unansweredSince()).filter((at) => at !== null);
      return since.length === 0 ? null : Math.min(...since);
    },
    onStateChanged() {
      for (const listener of stateListeners) listener();
    },
  });
  const commands = createCommandQueue(connection.send, deps);
  const tables = createTableSubscriptions(connection.send, deps.now);
  const subscriptions = createSubscriptions(connection.send);
  const probe = createProbe(connection.send, deps.now);

  /** The first use connects. */
  function connectFirst<Args extends unknown[], Value>(act: (...args: Args) => Value): (...args: Args) => Value {
    return (...args) => {
      connection.start();
      return act(...args);
    };
  }

  return {
    sendCommand: connectFirst((command) => {
      if (connection.state() !== "connected") connection.wake();
      return commands.send(command);
    }),
    watchTable: connectFirst(tables.subscribe),
    subscribe: connectFirst(subscriptions.subscribe),
    onFrame: connectFirst((listener) => {
      frameListeners.add(listener);
      return () => frameListeners.delete(listener);
    }),
    connectionState: connection.state,
    onConnectionChanged(listener) {
      stateListeners.add(listener);
      return () => stateListeners.delete(listener);
    },
    reconnect() {
      commands.refuseAll(LOGGED_OUT);
      playerId = undefined;
      connection.reconnect();
    },
    wake: connection.wake,
    sleep: connection.sleep,
  };
}
