import type pg from "pg";
import type { Log } from "../log.ts";

type Query = (...given: readonly unknown[]) => unknown;
type Told = (...outcome: readonly unknown[]) => void;

/**
 * Drops a connection that has not responded for `answerMsMax`. A network that swallows packets
 * neither responds nor fails, and TCP's own timeout is 15 minutes. Pending queries are rejected;
 * whether a write among them was committed is unknown.
 *
 * @param answerMsMax longer than the statement timeout, so that the database's error comes first
 */
export function limitResponseTime(client: pg.PoolClient, answerMsMax: number, log: Log): void {
  const query = client.query.bind(client) as Query;
  let waiting = 0;
  let timer: NodeJS.Timeout | undefined;

  const giveUp = (): void => {
    log.warn({ answerMsMax }, "the database did not answer: its connection is given up");
    // The pool's type omits `end`, which the pool itself calls on failed connections.
    (client as pg.PoolClient & Pick<pg.Client, "end">)
      .end()
      .catch((err) => log.debug({ err }, "a silent connection could not be closed"));
  };
  const expect = (): void => {
    clearTimeout(timer);
    if (waiting > 0) timer = setTimeout(giveUp, answerMsMax);
  };
  const hear = (): void => {
    waiting -= 1;
    expect();
  };

  const queryInTime: Query = (...given) => {
    waiting += 1;
    if (waiting === 1) expect();
    const tell = given.at(-1);
    if (typeof tell === "function") {
      const hearThenTell: Told = (...outcome) => {
        hear();
        tell(...outcome);
      };
      return query(...given.slice(0, -1), hearThenTell);
    }
    const answer = query(...given) as Promise<unknown>;
    answer.then(hear, hear);
    return answer;
  };
  Object.assign(client, { query: queryInTime });
}
