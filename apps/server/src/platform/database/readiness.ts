import { answers, type Database } from "./database.ts";

/**
 * Checks whether the database responds. Concurrent callers share one query, since /readyz is
 * public.
 */
export function makeReadiness(database: Pick<Database, "pool">): () => Promise<boolean> {
  let asked: Promise<boolean> | null = null;
  return () => {
    asked ??= answers(database).finally(() => {
      asked = null;
    });
    return asked;
  };
}
