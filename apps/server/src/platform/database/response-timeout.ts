import type pg from "pg";
import type { Log } from "../log.ts";

type Query = (...given: readonly unknown[]) => unknown;
type Callback = (...outcome: readonly unknown[]) => void;

/**
 * Drops a connection that has not responded in time. A network that swallows
 * packets neither responds nor fails, and TCP's own timeout is 15 minutes. Pending queries are
 * rejected; whether a write among them was committed is unknown.
 *
 * @param toTimeoutMs longer than the statement timeout, whose error then comes first
 */
export function limitResponseTime(client: pg.PoolClient, toTimeoutMs: () => number, log: Log): void {
  const query = client.query.bind(client) as Query;
  let waiting = 0;
  let timer: NodeJS.Timeout | undefined;

  const drop = (): void => {
    log.warn("the database did not answer: its connection is dropped");
    // The pool's type omits `end`, which the pool itself calls on failed connections.
    (client as pg.PoolClient & Pick<pg.Client, "end">)
      .end()
      .catch((err) => log.debug({ err }, "a silent connection could not be closed"));
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
