import { randomUUID } from "node:crypto";
import { checkers } from "@holo/checkers/checkers.ts";
import { type GameId, toCommandId } from "@holo/kernel/ids.ts";
import { makeRandom } from "@holo/kernel/random.ts";
import type { ClientFrame } from "@holo/protocol/socket/client-frames.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import type { GameRules } from "@holo/rules/rules.ts";
import { evolve, openTable } from "@holo/table/evolve.ts";
import type { LogRecord } from "@holo/table/log-record.ts";
import { findSeat, isOpen, type TableState } from "@holo/table/state.ts";
import { WebSocket } from "ws";
import type { TestPlayer } from "./test-client.ts";

const rules: GameRules<unknown> = checkers;

export interface Robot {
  readonly player: Pick<TestPlayer, "id" | "cookie">;
  readonly acknowledged: ReadonlyMap<string, number>;
  state(): TableState<unknown> | null;
  play(gameId: GameId): void;
  send(frame: Extract<ClientFrame, { readonly commandId: string }>): Promise<ServerFrame>;
  /** Opens its page again. */
  reconnect(): void;
  /** Begins no further move. */
  rest(): void;
  /** Whether every move that it began was acknowledged. */
  isAtRest(): boolean;
  stop(): void;
}

/** How a page comes back, and what it notices. */
export interface RobotPage {
  readonly delays: { nextMs(code: number): number; advise(ms: number): void; reset(): void };
  readonly localAddress?: string;
  onTable?(): void;
  onClosed?(): void;
}

const RECONNECT_MS = 60;
const AT_ONCE: RobotPage = { delays: { nextMs: () => RECONNECT_MS, advise: () => undefined, reset: () => undefined } };
/** Maximum thinking time, so that a game is active when a process is killed. */
const THINK_MS = 80;

export function startRobot(
  origin: () => string,
  page: string,
  player: Pick<TestPlayer, "id" | "cookie">,
  seed: number,
  thinkMs = THINK_MS,
  { delays, localAddress, onTable, onClosed }: RobotPage = AT_ONCE,
): Robot {
  const acknowledged = new Map<string, number>();
  const asked = new Map<string, { readonly frame: ClientFrame; readonly answer: (frame: ServerFrame) => void }>();
  let socket: WebSocket;
  let state: TableState<unknown> | null = null;
  let playing: GameId | null = null;
  let pending: { readonly frame: ClientFrame; readonly commandId: string } | null = null;
  let isResting = false;
  let isStopped = false;
  const draw = makeRandom(seed);

  function say(frame: ClientFrame): void {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
  }

  function watch(): void {
    if (playing !== null) say({ type: "watch", gameId: playing, since: state?.version ?? 0 });
  }

  function connect(): void {
    socket = new WebSocket(`${origin().replace("http", "ws")}/socket`, {
      headers: { origin: page, cookie: player.cookie },
      ...(localAddress !== undefined && { localAddress }),
    });
    socket.on("open", () => {
      watch();
      for (const { frame } of asked.values()) say(frame);
      if (pending !== null) say(pending.frame);
    });
    socket.on("message", (data) => receive(JSON.parse(String(data))));
    socket.on("error", () => undefined);
    socket.on("close", (code) => {
      onClosed?.();
      if (!isStopped) setTimeout(connect, delays.nextMs(code));
    });
  }

  function receive(frame: ServerFrame): void {
    if (frame.type === "hello") delays.reset();
    if (frame.type === "restarting") delays.advise(frame.reconnectInMs);
    if (frame.type === "retry" && frame.commandId === pending?.commandId) say(pending.frame);
    if (frame.type === "record") take(frame.record);
    if (frame.type === "table") {
      for (const record of frame.records) take(record);
      onTable?.();
      move();
    }
    if (frame.type !== "done" && frame.type !== "refused") return;
    asked.get(frame.commandId)?.answer(frame);
    asked.delete(frame.commandId);
    if (pending?.commandId !== frame.commandId) return;
    pending = null;
    if (frame.type === "done") acknowledged.set(frame.commandId, frame.version);
    watch();
  }

  function take(record: LogRecord): void {
    if (record.version <= (state?.version ?? 0)) return;
    if (record.version > (state?.version ?? 0) + 1) return watch();
    state = state === null ? openTable(rules, playing!, record) : evolve(rules, state, record);
    if (record.commandId !== undefined && record.commandId === pending?.commandId) {
      acknowledged.set(record.commandId, record.version);
      pending = null;
    }
    move();
  }

  function move(): void {
    if (isResting || state === null || pending !== null || state.status !== "active") return;
    if (findSeat(state, player.id) !== rules.toMove(state.position)) return;
    const legal = rules.legalMoves(state.position);
    const { path } = legal[draw(legal.length)]!;
    const commandId = toCommandId(randomUUID());
    const frame: ClientFrame = { type: "move", commandId, gameId: state.gameId, atVersion: state.boardVersion, path };
    pending = { commandId, frame };
    setTimeout(() => {
      say(frame);
      // A move may be sent twice.
      if (draw(4) === 0) say(frame);
    }, draw(thinkMs));
  }

  connect();
  return {
    player,
    acknowledged,
    state: () => state,
    play(gameId) {
      playing = gameId;
      watch();
    },
    send: (frame) =>
      new Promise((answer) => {
        asked.set(frame.commandId, { frame, answer });
        say(frame);
      }),
    reconnect: () => socket.terminate(),
    rest() {
      isResting = true;
    },
    isAtRest: () => isResting && pending === null,
    stop() {
      isStopped = true;
      socket.terminate();
    },
  };
}

export function isOver(robot: Robot): boolean {
  const state = robot.state();
  return state !== null && !isOpen(state.status);
}
