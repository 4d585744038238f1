import { answers, type Database } from "./database.ts";

/**
 * Whether the database answers. Who asks while it is being asked is told the same: anyone may ask, as often as they please, and one question
 * at a time is all that it costs.
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
