import { randomUUID } from "node:crypto";
import { checkers } from "@holo/checkers/checkers.ts";
import { chess } from "@holo/chess/chess.ts";
import type { GameId } from "@holo/kernel/ids.ts";
import type { ClientFrame, ServerFrame } from "@holo/protocol/frames.ts";
import type { GameRules, GameType } from "@holo/rules/rules.ts";
import { parseSquare } from "@holo/rules/square.ts";
import type { Entry } from "@holo/table/entry.ts";
import { evolve, open } from "@holo/table/evolve.ts";
import { DEFAULT_FEE_BPS, type LimitMinutes, type Stake } from "@holo/table/stakes.ts";
import type { TableState } from "@holo/table/state.ts";
import { WebSocket } from "ws";
import type { Person } from "./fixtures.ts";

type Table = TableState<unknown>;
type Done = Extract<ServerFrame, { readonly type: "done" }>;

/** What a player asks for, moves apart; its id is given when it is sent. */
export type Act = WithoutId<Extract<ClientFrame, { readonly commandId: string }>>;
type WithoutId<Frame> = Frame extends unknown ? Omit<Frame, "commandId"> : never;

/** A player without a page: speaks the socket's own frames under the session of somebody's browser. */
export interface Robot {
  readonly person: Person;
  /** Returns the game's id. */
  create(game: GameType, stake: Stake, limitMinutes?: LimitMinutes): Promise<string>;
  join(gameId: string): Promise<void>;
  cancel(gameId: string): Promise<void>;
  /** Resolves once it is carried out, with the version of its entry. */
  act(act: Act): Promise<number>;
  /** Plays `c3-d4` once it is this player's turn; resolves when the move stands. */
  move(gameId: string, path: string): Promise<void>;
  /** The table as it stands, once `holds` is true of it. */
  see(gameId: string, holds: (table: Table) => boolean): Promise<Table>;
  close(): void;
}

const RULES: Readonly<Record<GameType, GameRules<unknown>>> = { checkers, chess };
const PATIENCE_MS = 10_000;

export async function connectRobot(person: Person, url: string): Promise<Robot> {
  const cookies = await person.context.cookies(url);
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const socket = new WebSocket(`${url.replace(/^http/, "ws")}/socket`, { headers: { cookie, origin: url } });
  const tables = new Map<string, Table>();
  const waiting = new Set<() => void>();
  const answers = new Map<string, Extract<ServerFrame, { readonly type: "done" | "refused" }>>();

  function take(gameId: string, entries: readonly Entry[]): void {
    for (const entry of entries) {
      const [first] = entry.events;
      const before = tables.get(gameId);
      if (before !== undefined && entry.version <= before.version) continue;
      if (before !== undefined) tables.set(gameId, evolve(RULES[before.game], before, entry));
      else if (first?.type === "created") tables.set(gameId, open(RULES[first.game], gameId as GameId, entry));
    }
  }

  socket.on("message", (data) => {
    const frame = JSON.parse(String(data)) as ServerFrame;
    if (frame.type === "table") take(frame.gameId, frame.entries);
    if (frame.type === "entry") take(frame.gameId, [frame.entry]);
    if (frame.type === "done" || frame.type === "refused") answers.set(frame.commandId, frame);
    for (const look of waiting) look();
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("error", reject);
    socket.once("open", () => resolve());
  });

  /** What `look` finds, as soon as a frame makes it find something. */
  function until<Found>(look: () => Found | undefined, what: string): Promise<Found> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(tryLook);
        reject(new Error(`${person.username} waited in vain for ${what}`));
      }, PATIENCE_MS);
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

  function say(frame: ClientFrame): void {
    socket.send(JSON.stringify(frame));
  }

  async function carryOut(act: Act): Promise<Done> {
    const commandId = randomUUID();
    say({ ...act, commandId });
    const answer = await until(() => answers.get(commandId), `an answer to ${act.type}`);
    if (answer.type === "refused") throw new Error(`${act.type} was refused: ${answer.refusal.text}`);
    return answer;
  }

  function see(gameId: string, holds: (table: Table) => boolean): Promise<Table> {
    if (!tables.has(gameId)) say({ type: "watch", gameId, since: 0 });
    return until(() => {
      const table = tables.get(gameId);
      return table !== undefined && holds(table) ? table : undefined;
    }, `game ${gameId}`);
  }

  return {
    person,
    async create(game, stake, limitMinutes = 5) {
      const { gameId } = await carryOut({ type: "create", game, stake, limitMinutes, feeBps: DEFAULT_FEE_BPS });
      return gameId;
    },
    async join(gameId) {
      await carryOut({ type: "join", gameId });
    },
    async cancel(gameId) {
      await carryOut({ type: "cancel", gameId });
    },
    async act(act) {
      const { version } = await carryOut(act);
      return version;
    },
    async move(gameId, path) {
      const table = await see(gameId, (now) => {
        const seat = now.players[0] === person.id ? 1 : 2;
        return now.status === "active" && RULES[now.game].toMove(now.position) === seat;
      });
      const moveId = randomUUID();
      say({ type: "move", moveId, gameId, atVersion: table.boardVersion, path: path.split("-").map(toSquare) });
      const outcome = await until(() => {
        const answer = answers.get(moveId);
        return answer ?? (tables.get(gameId)!.boardVersion > table.boardVersion ? "stands" : undefined);
      }, path);
      if (outcome !== "stands" && outcome.type === "refused") {
        throw new Error(`${path} was refused: ${outcome.refusal.text}`);
      }
    },
    see,
    close: () => socket.terminate(),
  };
}

/** Plays a line from the start, by turns. */
export async function playLine(gameId: string, [white, black]: readonly [Robot, Robot], line: string): Promise<void> {
  for (const [ply, path] of line.split(" ").entries()) await (ply % 2 === 0 ? white : black).move(gameId, path);
}

function toSquare(name: string): number {
  const square = parseSquare(name);
  if (!square.ok) throw new Error(`${name} is no square`);
  return square.value;
}
