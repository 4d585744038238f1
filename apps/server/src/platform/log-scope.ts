import { AsyncLocalStorage } from "node:async_hooks";
import type { CommandId, GameId } from "@holo/kernel/ids.ts";

/** What connects the log lines of one request or command. */
interface LogIds {
  /** Of the HTTP request, or of the one that opened the command's socket. */
  readonly requestId: string;
  readonly commandId?: CommandId;
  readonly gameId?: GameId;
}

/** Adds its ids to each log line that its work writes, until `end`. */
export class LogScope {
  readonly ids: LogIds;
  #isEnded = false;

  constructor(ids: LogIds) {
    this.ids = ids;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** The answer was sent. Timers and loops that it started run on without ids. */
  end(): void {
    this.#isEnded = true;
  }
}

const running = new AsyncLocalStorage<LogScope | null>();

/** Null: the work belongs to no request, whatever has started it. */
export function runInLogScope<Value>(scope: LogScope | null, work: () => Value): Value {
  return running.run(scope, work);
}

export function currentLogScope(): LogScope | null {
  return running.getStore() ?? null;
}

/** A new object each time, which the log extends. */
export function readLoggedIds(): object {
  const scope = running.getStore();
  return scope === undefined || scope === null || scope.isEnded ? {} : { ...scope.ids };
}
