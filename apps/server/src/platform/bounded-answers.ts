import type pg from "pg";
import type { Log } from "./log.ts";

type Query = (...given: readonly unknown[]) => unknown;
type Told = (...outcome: readonly unknown[]) => void;

/**
 * Gives this connection up once it has not answered for `answerMsMax`. A network that swallows what is sent neither answers nor fails, and
 * the system's own patience with it is a quarter of an hour. Whoever waits is told that the connection was lost, which of a write leaves
 * unknown whether it stands, and the pool takes another connection: this one may still answer, but to nobody who asked.
 *
 * @param answerMsMax longer than the database lets a statement run, so that its own word about that comes first
 */
export function boundAnswers(client: pg.PoolClient, answerMsMax: number, log: Log): void {
  const query = client.query.bind(client) as Query;
  let waiting = 0;
  let timer: NodeJS.Timeout | undefined;

  const giveUp = (): void => {
    log.warn({ answerMsMax }, "the database did not answer: its connection is given up");
    // The pool's type leaves out what it does itself with connections that fail: it takes this one for such.
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
