import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { RefusalCode, RefusalFigures } from "@holo/protocol/refusals/refusals.ts";
import type { Database, Tx } from "../platform/database/database.ts";
import { transact } from "../platform/database/transaction.ts";
import type { Refusal } from "./answer.ts";

/** A refusal found inside a transaction, thrown to roll it back. */
export class RefusedInTransaction extends Error {
  override readonly name = "RefusedInTransaction";
  readonly refusal: Refusal;
  constructor(code: RefusalCode, figures: RefusalFigures = {}, lapse?: Refusal["lapse"]) {
    super(code);
    this.refusal = { code, figures, ...(lapse === undefined ? {} : { lapse }) };
  }
}

/** Runs a transaction; a thrown `RefusedInTransaction` rolls it back and becomes the result. */
export async function transactOrRefuse<Value>(
  database: Database,
  work: (tx: Tx) => Promise<Value>,
): Promise<Result<Value, Refusal>> {
  try {
    return ok(await transact(database, work));
  } catch (error) {
    if (error instanceof RefusedInTransaction) return refuse(error.refusal);
    throw error;
  }
}
