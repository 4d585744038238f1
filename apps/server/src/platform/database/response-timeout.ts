import type { Duplex } from "node:stream";
import type pg from "pg";
import type { Log } from "../log.ts";
import { clearTimeout, setTimeout } from "../runtime.ts";
import { SilentDatabase } from "./database-failure.ts";

type Query = (...given: readonly unknown[]) => unknown;
interface Connected {
  readonly connection: { readonly stream: Duplex };
}
type Callback = (...outcome: readonly unknown[]) => void;

/**
 * Drops a connection that has not responded in time: TCP's own timeout is 15 minutes. Pending
 * queries are rejected; whether a write among them was committed is unknown.
 */
export function limitResponseTime(client: pg.ClientBase, toTimeoutMs: () => number, log: Log): void {
  const query = client.query.bind(client) as Query;
  let waiting = 0;
  let timer: NodeJS.Timeout | undefined;

  const drop = (): void => {
    log.warn({ err: new SilentDatabase("no answer in time") }, "the database did not respond; dropping the connection");
    // Types omit what the pool itself calls on failed connections.
    const { connection } = client as pg.ClientBase & Connected;
    (client as pg.ClientBase & Pick<pg.Client, "end">)
      .end()
      .catch((err) => log.debug({ err }, "a silent connection could not be closed"));
    // After an error without its end, `end` would wait for the other side, and queries with it.
    connection.stream.destroy();
  };
  const restartTimer = (): void => {
    clearTimeout(timer);
    if (waiting > 0) timer = setTimeout(drop, toTimeoutMs());
  };
  const settle = (): void => {
    waiting -= 1;
    restartTimer();
  };

  const timedQuery: Query = (...given) => {
    waiting += 1;
    if (waiting === 1) restartTimer();
    const callback = given.at(-1);
    if (typeof callback === "function") {
      const settleThenCall: Callback = (...outcome) => {
        settle();
        callback(...outcome);
      };
      return query(...given.slice(0, -1), settleThenCall);
    }
    const answer = query(...given) as Promise<unknown>;
    answer.then(settle, settle);
    return answer;
  };
  Object.assign(client, { query: timedQuery });
}
