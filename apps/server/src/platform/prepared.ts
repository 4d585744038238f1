import type pg from "pg";

const PREPARED = /^\s*\/\* prepared (\w{1,60}) \*\//;

type Query = (text: unknown, values?: unknown, ...rest: readonly unknown[]) => unknown;

/**
 * Lets statements of this connection that begin with a comment such as `prepared ledger_lock_wallet` be parsed and planned once, under that name.
 * For the few that run with every game: a statement like these takes longer to plan than to run. A name has one text for ever.
 */
export function prepareMarked(client: pg.PoolClient): void {
  const query = client.query.bind(client) as Query;
  const queryByName: Query = (text, values, ...rest) => {
    const name = typeof text === "string" && Array.isArray(values) ? PREPARED.exec(text)?.[1] : undefined;
    return name === undefined ? query(text, values, ...rest) : query({ name, text, values }, ...rest);
  };
  Object.assign(client, { query: queryByName });
}
