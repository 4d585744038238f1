import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type CommandId, type GameId, toCommandId } from "@holo/kernel/ids.ts";
import type { ClientFrame } from "@holo/protocol/socket/client-frames.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import { DEFAULT_FEE_BPS } from "@holo/table/platform-fee.ts";
import type { LimitMinutes, Stake } from "@holo/table/stakes.ts";
import type { WebSocket } from "ws";
import { type LifecycleRound, SHORTEST_MATE } from "./shortest-game.ts";

export interface SeekerTerms {
  readonly stake: Stake;
  readonly limitMinutes: LimitMinutes;
}

interface Sought extends LifecycleRound {
  readonly createMs: readonly number[];
  readonly loadGeneratorShare: number;
}

export interface Seekers {
  play(warmUpMs: number, forMs: number, around: { begin(): void; end(): void }): Promise<Sought>;
}

type Done = Extract<ServerFrame, { readonly type: "done" }>;

const DRAIN_MS_MAX = 15_000;

/**
 * Players who seek, play the shortest mate, and seek again at once. Both sides are played here
 * without watching, so that moving needs no broadcast. `termsOf` is by player index.
 */
export function openSeekers(sockets: readonly WebSocket[], termsOf: (index: number) => SeekerTerms): Seekers {
  const asked = new Map<CommandId, (frame: Done) => void>();
  const creators = new Map<GameId, number>();
  /** Games that were joined before their creator's answer was read here. */
  const joined = new Map<GameId, number>();
  let isOpen = false;
  let isMeasured = false;
  let inPlay = 0;
  let ended = 0;
  let createMs: number[] = [];

  sockets.forEach((socket) => {
    socket.on("message", (data) => {
      const text = String(data);
      if (text.startsWith('{"type":"refused"') || text.startsWith('{"type":"bad_frame"')) throw new Error(text);
      if (!text.startsWith('{"type":"done"')) return;
      const frame = JSON.parse(text) as Done;
      asked.get(frame.commandId)?.(frame);
    });
  });

  function ask(index: number, toFrame: (commandId: CommandId) => ClientFrame): Promise<Done> {
    const commandId = toCommandId(randomUUID());
    return new Promise((resolve) => {
      asked.set(commandId, (frame) => {
        asked.delete(commandId);
        resolve(frame);
      });
      sockets[index]!.send(JSON.stringify(toFrame(commandId)));
    });
  }

  async function seek(index: number): Promise<void> {
    const terms = { game: "chess", ...termsOf(index), feeBps: DEFAULT_FEE_BPS } as const;
    const sentMs = performance.now();
    const { gameId, version } = await ask(index, (commandId) => ({
      type: "create",
      sentAgoMs: 0,
      byInvitation: false,
      commandId,
      ...terms,
    }));
    if (isMeasured) createMs.push(performance.now() - sentMs);
    const other = version === 1 ? joined.get(gameId) : creators.get(gameId);
    if (other === undefined) {
      (version === 1 ? creators : joined).set(gameId, index);
      return;
    }
    creators.delete(gameId);
    joined.delete(gameId);
    await play(gameId, version === 1 ? [index, other] : [other, index]);
  }

  async function play(gameId: GameId, players: readonly [number, number]): Promise<void> {
    inPlay += 1;
    for (const [ply, path] of SHORTEST_MATE.entries()) {
      const atVersion = ply + 2;
      await ask(players[(ply % 2) as 0 | 1], (commandId) => ({ type: "move", commandId, gameId, atVersion, path }));
    }
    inPlay -= 1;
    if (isMeasured) ended += 1;
    if (isOpen) for (const index of players) void seek(index);
  }

  async function drain(): Promise<void> {
    const untilMs = performance.now() + DRAIN_MS_MAX;
    while (inPlay > 0 || asked.size > 0) {
      if (performance.now() > untilMs) throw new Error("a server of the benchmark left commands unanswered");
      await sleep(10);
    }
  }

  return {
    async play(warmUpMs, forMs, around) {
      createMs = [];
      ended = 0;
      isOpen = true;
      // Players left waiting by an earlier round are found by the others.
      const waiting = new Set(creators.values());
      for (const index of sockets.keys()) if (!waiting.has(index)) void seek(index);
      await sleep(warmUpMs);
      const cpuBefore = process.cpuUsage();
      around.begin();
      const startedMs = performance.now();
      isMeasured = true;
      await sleep(forMs);
      isMeasured = false;
      const elapsedMs = performance.now() - startedMs;
      around.end();
      const cpu = process.cpuUsage(cpuBefore);
      isOpen = false;
      await drain();
      return {
        games: ended,
        seconds: elapsedMs / 1_000,
        createMs,
        loadGeneratorShare: (cpu.user + cpu.system) / 1_000 / elapsedMs,
      };
    },
  };
}
