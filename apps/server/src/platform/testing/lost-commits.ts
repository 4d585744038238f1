import type { Database } from "../database/database.ts";

/** The database as seen by a server that loses its connection after each commit succeeded. */
export function loseCommits(database: Database, isLost: () => boolean = () => true): Database {
  return followCommits(database, async () => {
    if (isLost()) throw new Error("Connection terminated unexpectedly");
  });
}

/** The database as seen by a server whose commit responses are delayed until `arrive` resolves. */
export function delayCommits(database: Database, arrive: () => Promise<void>): Database {
  return followCommits(database, arrive);
}

function followCommits(database: Database, follow: () => Promise<void>): Database {
  const kysely = new Proxy(database.kysely, {
    get(target, name) {
      const own: unknown = Reflect.get(target, name, target);
      if (name !== "transaction") return typeof own === "function" ? own.bind(target) : own;
      return () => ({
        setIsolationLevel: () => ({
          async execute(work: Parameters<ReturnType<typeof target.transaction>["execute"]>[0]) {
            const value = await target.transaction().execute(work);
            await follow();
            return value;
          },
        }),
      });
    },
  });
  // A named statement outside of a transaction commits by itself.
  const pool = new Proxy(database.pool, {
    get(target, name) {
      const own: unknown = Reflect.get(target, name, target);
      if (name !== "query") return typeof own === "function" ? own.bind(target) : own;
      return async (order: { readonly name?: string }, values?: unknown[]) => {
        const result = await target.query(order as never, values as never);
        if (order.name !== undefined) await follow();
        return result;
      };
    },
  });
  return { ...database, kysely, pool };
}
