import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { RefusalCode, RefusalFigures } from "@holo/protocol/refusals/refusals.ts";
import type { Database, Tx } from "../platform/database/database.ts";
import { transact } from "../platform/database/transaction.ts";
import type { Refusal } from "./answer.ts";

export class RefusedInTransaction extends Error {
  override readonly name = "RefusedInTransaction";
  readonly refusal: Refusal;
  constructor(code: RefusalCode, figures: RefusalFigures = {}, lapse?: Refusal["lapse"]) {
    super(code);
    this.refusal = { code, figures, ...(lapse === undefined ? {} : { lapse }) };
  }
}

/** A thrown `RefusedInTransaction` rolls the transaction back and becomes the result. */
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
