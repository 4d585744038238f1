import type { Analysis, Level } from "@holo/engine/engine.ts";
import type { GameType, Move } from "@holo/rules/rules.ts";
import type { EngineMessage, EngineRequest, EngineTask, PathAndPromotion } from "./engine-tasks.ts";

/** One search at a time: the next one waits. Each promise rejects if its search fails. */
export interface OpenEngine {
  /** @param start FEN; null for the start of the game */
  choose(
    game: GameType,
    start: string | null,
    moves: readonly PathAndPromotion[],
    level: Level,
    seed: number,
  ): Promise<Move>;
  analyse(
    game: GameType,
    start: string | null,
    moves: readonly PathAndPromotion[],
    limits: { readonly nodes: number },
  ): Promise<Analysis>;
  /** Ends the worker, also in the middle of a search. What it was asked is never answered. */
  close(): void;
}

/** The worker as the client sees it. */
export interface EnginePort {
  postMessage(request: EngineRequest): void;
  onmessage: ((event: { readonly data: EngineMessage }) => void) | null;
  close(): void;
}

interface Waiting {
  readonly resolve: (result: Move | Analysis) => void;
  readonly reject: (fault: Error) => void;
}

/** The first request starts the worker. */
export function createEngine(start: () => Promise<EnginePort>): OpenEngine {
  const waiting = new Map<number, Waiting>();
  let port: Promise<EnginePort> | null = null;
  let isClosed = false;
  let nextId = 1;

  async function startPort(): Promise<EnginePort> {
    const started = await start();
    started.onmessage = ({ data }) => handle(data);
    if (isClosed) started.close();
    return started;
  }

  function handle(message: EngineMessage): void {
    if (message === "ready") return;
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if ("fault" in message) asked?.reject(new Error(message.fault));
    else asked?.resolve(message.result);
  }

  async function ask(task: EngineTask): Promise<Move | Analysis> {
    const id = nextId++;
    port ??= startPort();
    const started = await port;
    return await new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      if (!isClosed) started.postMessage({ id, task });
    });
  }

  return {
    choose: (game, begun, moves, level, seed) =>
      ask({ type: "choose", game, start: begun, moves, level, seed }) as Promise<Move>,
    analyse: (game, begun, moves, { nodes }) =>
      ask({ type: "analyse", game, start: begun, moves, nodes }) as Promise<Analysis>,
    close() {
      isClosed = true;
      waiting.clear();
      // A failed start was reported to the request that caused it.
      port?.then((started) => started.close()).catch(() => undefined);
    },
  };
}
