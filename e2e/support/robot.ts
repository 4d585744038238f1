import { randomUUID } from "node:crypto";
import { type CommandId, type GameId, toCommandId } from "@holo/kernel/ids.ts";
import type { ClientFrame, CommandFrame } from "@holo/protocol/socket/client-frames.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import { rulesOf } from "@holo/rules/loaded-games.ts";
import type { GameType } from "@holo/rules/rules.ts";
import { parseSquare } from "@holo/rules/square.ts";
import { evolve, openTable } from "@holo/table/evolve.ts";
import type { LogRecord } from "@holo/table/log-record.ts";
import { DEFAULT_FEE_BPS, toGameFeeBps } from "@holo/table/platform-fee.ts";
import type { LimitMinutes, Stake } from "@holo/table/stakes.ts";
import type { TableState } from "@holo/table/state.ts";
import { WebSocket } from "ws";
import type { TestPlayer } from "../../apps/server/src/accounts/testing/test-players.ts";

type Table = TableState<unknown>;
type Done = Extract<ServerFrame, { readonly type: "done" }>;

type RobotCommand = Order<CommandFrame>;
type Order<Frame> = Frame extends unknown ? Omit<Frame, "commandId" | "sentAgoMs" | "opponentMoves"> : never;

export interface Robot {
  readonly player: TestPlayer;
  create(game: GameType, stake: Stake, limitMinutes?: LimitMinutes): Promise<GameId>;
  join(gameId: GameId): Promise<void>;
  cancel(gameId: GameId): Promise<void>;
  send(act: RobotCommand): Promise<number>;
  move(gameId: GameId, path: string): Promise<void>;
  waitForTable(gameId: GameId, holds: (table: Table) => boolean): Promise<Table>;
  close(): void;
}

/** As of an expectation: a busy machine is slow, not wrong. */
const TIMEOUT_MS = 30_000;

export async function connectRobot(player: TestPlayer, url: string): Promise<Robot> {
  const headers = { cookie: player.cookie, origin: url };
  const socket = new WebSocket(`${url.replace(/^http/, "ws")}/socket`, { headers });
  const tables = new Map<string, Table>();
  const waiting = new Set<() => void>();
  const answers = new Map<string, Extract<ServerFrame, { readonly type: "done" | "refused" }>>();

  function applyRecords(gameId: GameId, records: readonly LogRecord[]): void {
    for (const record of records) {
      const [first] = record.events;
      const before = tables.get(gameId);
      if (before !== undefined && record.version <= before.version) continue;
      if (before !== undefined) tables.set(gameId, evolve(rulesOf(before.game), before, record));
      else if (first?.type === "created") tables.set(gameId, openTable(rulesOf(first.game), gameId, record));
    }
  }

  socket.on("message", (data) => {
    const frame = JSON.parse(String(data)) as ServerFrame;
    if (frame.type === "table") applyRecords(frame.gameId, frame.records);
    if (frame.type === "record") applyRecords(frame.gameId, [frame.record]);
    if (frame.type === "done" || frame.type === "refused") answers.set(frame.commandId, frame);
    for (const look of waiting) look();
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("error", reject);
    socket.once("open", () => resolve());
  });

  function waitFor<Found>(look: () => Found | undefined, what: string): Promise<Found> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(tryLook);
        reject(new Error(`${player.username} waited in vain for ${what}`));
      }, TIMEOUT_MS);
      function tryLook(): void {
        const found = look();
        if (found === undefined) return;
        clearTimeout(timer);
        waiting.delete(tryLook);
        resolve(found);
      }
      waiting.add(tryLook);
      tryLook();
    });
  }

  function sendFrame(frame: ClientFrame): void {
    socket.send(JSON.stringify(frame));
  }

  async function makeFrame(act: RobotCommand, commandId: CommandId): Promise<CommandFrame> {
    switch (act.type) {
      case "create":
      case "join":
      case "offer_rematch":
      case "answer_rematch":
        return { ...act, commandId, sentAgoMs: 0 };
      case "offer_draw":
      case "request_takeback": {
        const { players, movesMade } = await see(act.gameId, () => true);
        return { ...act, commandId, opponentMoves: movesMade[players[0] === player.id ? 1 : 0] };
      }
      default:
        return { ...act, commandId };
    }
  }

  async function runCommand(act: RobotCommand): Promise<Done> {
    const commandId = toCommandId(randomUUID());
    sendFrame(await makeFrame(act, commandId));
    const answer = await waitFor(() => answers.get(commandId), `an answer to ${act.type}`);
    if (answer.type === "refused") throw new Error(`${act.type} was refused: ${answer.refusal.text}`);
    return answer;
  }

  function see(gameId: GameId, holds: (table: Table) => boolean): Promise<Table> {
    if (!tables.has(gameId)) sendFrame({ type: "watch", gameId, since: 0 });
    return waitFor(() => {
      const table = tables.get(gameId);
      return table !== undefined && holds(table) ? table : undefined;
    }, `game ${gameId}`);
  }

  return {
    player,
    async create(game, stake, limitMinutes = 5) {
      const { gameId } = await runCommand({
        type: "create",
        game,
        stake,
        limitMinutes,
        feeBps: toGameFeeBps(stake, DEFAULT_FEE_BPS),
        byInvitation: false,
      });
      return gameId;
    },
    async join(gameId) {
      await runCommand({ type: "join", gameId });
    },
    async cancel(gameId) {
      await runCommand({ type: "cancel", gameId, whileWaiting: false });
    },
    async send(act) {
      const { version } = await runCommand(act);
      return version;
    },
    async move(gameId, path) {
      const table = await see(gameId, (now) => {
        const seat = now.players[0] === player.id ? 1 : 2;
        return now.status === "active" && rulesOf(now.game).toMove(now.position) === seat;
      });
      const commandId = toCommandId(randomUUID());
      sendFrame({
        type: "move",
        commandId,
        gameId,
        atVersion: table.boardVersion,
        path: path.split("-").map(toSquare),
      });
      const outcome = await waitFor(() => {
        const answer = answers.get(commandId);
        return answer ?? (tables.get(gameId)!.boardVersion > table.boardVersion ? "stands" : undefined);
      }, path);
      if (outcome !== "stands" && outcome.type === "refused") {
        throw new Error(`${path} was refused: ${outcome.refusal.text}`);
      }
    },
    waitForTable: see,
    close: () => socket.terminate(),
  };
}

export async function playLine(gameId: GameId, [white, black]: readonly [Robot, Robot], line: string): Promise<void> {
  for (const [ply, path] of line.split(" ").entries()) await (ply % 2 === 0 ? white : black).move(gameId, path);
}

function toSquare(name: string): number {
  const square = parseSquare(name);
  if (!square.ok) throw new Error(`${name} is no square`);
  return square.value;
}
