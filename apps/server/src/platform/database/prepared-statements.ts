import type pg from "pg";

const PREPARED = /^\s*\/\* prepared (\w{1,60}) \*\//;

type Query = (text: unknown, values?: unknown, ...rest: readonly unknown[]) => unknown;

/**
 * Prepares statements that begin with a comment such as `prepared ledger_lock_wallet`, under that
 * name. For hot paths, where planning outweighs execution. A name always has the same text.
 */
export function prepareMarked(client: pg.PoolClient): void {
  const query = client.query.bind(client) as Query;
  const queryByName: Query = (text, values, ...rest) => {
    const name = typeof text === "string" && Array.isArray(values) ? PREPARED.exec(text)?.[1] : undefined;
    return name === undefined ? query(text, values, ...rest) : query({ name, text, values }, ...rest);
  };
  Object.assign(client, { query: queryByName });
}
