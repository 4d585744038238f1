import type { Database } from "../database.ts";

/** The database as a server has it that loses its connection while its commits, all of which stand, are on their way back. */
export function loseCommits(database: Database, isLost: () => boolean = () => true): Database {
  return followCommits(database, async () => {
    if (isLost()) throw new Error("Connection terminated unexpectedly");
  });
}

/** The database as a server has it that hears late of its commits: of each once what `arrive` gives is there. */
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
  return { ...database, kysely };
}
