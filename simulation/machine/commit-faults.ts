/** Ends this process, or cuts a connection to the database, at named instants of a commit. */
import process from "node:process";
import { setImmediate } from "node:timers";
import pg from "pg";

export const COMMIT_INSTANTS = [
  /** Nothing was sent. */
  "before",
  /** The statement is on its way. */
  "sent",
  /** It is committed, and the answer was not read. */
  "committed",
  /** The answer was read, and nothing was broadcast. */
  "answered",
] as const;
type CommitInstant = (typeof COMMIT_INSTANTS)[number];

/** Comes with the commit after `skip` others, once. */
export interface CommitFault {
  readonly instant: CommitInstant;
  readonly how: "kill" | "cut";
  readonly skip: number;
}

const COMMITS: ReadonlySet<string> = new Set(["commit_moves", "commit_unlocked_moves", "lifecycle_commit"]);

type Query = (this: pg.Client, ...args: unknown[]) => unknown;
interface Stream {
  destroy(): void;
  emit(name: string, ...values: readonly unknown[]): boolean;
}

/** Follows messages `{ commitFault }` of the parent process; null cancels the last one. */
export function followCommitFaults(): void {
  let awaited: (CommitFault & { skip: number }) | null = null;
  process.on("message", ({ commitFault }: { readonly commitFault?: CommitFault | null }) => {
    if (commitFault !== undefined) awaited = commitFault === null ? null : { ...commitFault };
  });

  function take(): CommitFault | null {
    if (awaited === null || awaited.skip > 0) {
      if (awaited !== null) awaited.skip -= 1;
      return null;
    }
    const due = awaited;
    awaited = null;
    return due;
  }

  const client = pg.Client.prototype as unknown as { query: Query };
  const query = client.query;
  client.query = function queryWithFault(...args) {
    const fault = isCommit(args[0]) ? take() : null;
    if (fault === null) return query.apply(this, args);
    const { stream } = (this as unknown as { connection: { stream: Stream } }).connection;
    const strike = (): void => {
      if (fault.how === "kill") process.kill(process.pid, "SIGKILL");
      stream.destroy();
    };
    switch (fault.instant) {
      case "before":
        strike();
        return query.apply(this, args);
      case "sent":
        setImmediate(strike);
        return query.apply(this, args);
      case "committed": {
        const emit = stream.emit;
        stream.emit = (name, ...values) => {
          if (name !== "data") return emit.call(stream, name, ...values);
          strike();
          return false;
        };
        return query.apply(this, args);
      }
      case "answered":
        return answerAfter(query, this, args, strike);
    }
  };
}

function answerAfter(query: Query, client: pg.Client, args: unknown[], strike: () => void): unknown {
  const callback = args.at(-1);
  if (typeof callback !== "function")
    return (query.apply(client, args) as Promise<unknown>).then((answer) => {
      strike();
      return answer;
    });
  const answer = (...answered: readonly unknown[]): void => {
    strike();
    callback(...answered);
  };
  return query.apply(client, [...args.slice(0, -1), answer]);
}

function isCommit(order: unknown): boolean {
  if (typeof order === "string") return order === "commit";
  const { name, text } = order as { readonly name?: string; readonly text?: string };
  return text === "commit" || (name !== undefined && COMMITS.has(name));
}
