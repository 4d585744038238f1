import type { Database } from "../database/database.ts";

export function loseCommits(database: Database, isLost: () => boolean = () => true): Database {
  return followCommits(database, async () => {
    if (isLost()) throw new Error("Connection terminated unexpectedly");
  });
}

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
