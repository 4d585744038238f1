import { BrokenInvariant } from "@holo/kernel/assert.ts";
import pg from "pg";

/** Data exceptions, broken constraints, faulty statements and exceeded limits of PostgreSQL. */
const REFUSED_BY_DATABASE = /^(22|23|42|54)/;

/** Whether the database refused the data or the statement: another attempt fails as well. */
export function isRefusedByDatabase(error: unknown): boolean {
  return error instanceof pg.DatabaseError && REFUSED_BY_DATABASE.test(error.code ?? "");
}

/** Whether the error proves that its transaction wrote nothing; a lost connection does not. */
export function isRolledBack(error: unknown): boolean {
  return error instanceof BrokenInvariant || isRefusedByDatabase(error);
}
