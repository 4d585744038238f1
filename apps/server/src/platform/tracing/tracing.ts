import { AsyncLocalStorage } from "node:async_hooks";
import type { GameId } from "@holo/kernel/ids.ts";

/** What a command waits for, in this order; a command that is decided again repeats them. */
export type Stage = "queue" | "commit" | "broadcast";

/** One player's command, from its frame to its answer. Calls after `end` have no effect. */
export interface CommandTrace {
  /** Ends the stage before it. */
  enter(stage: Stage): void;
  /** Also ends the last stage. `outcome` is that of the answer, or the code of a refusal. */
  end(outcome: string): void;
}

export interface Tracing {
  /** Null if this command is not sampled. */
  start(command: string, gameId: GameId | null): CommandTrace | null;
  /** Sends what is left. */
  close(): Promise<void>;
}

const running = new AsyncLocalStorage<CommandTrace>();

/** Runs work whose `currentTrace` is this one. */
export function runTraced(trace: CommandTrace | null, work: () => void): void {
  if (trace === null) work();
  else running.run(trace, work);
}

export function currentTrace(): CommandTrace | null {
  return running.getStore() ?? null;
}
