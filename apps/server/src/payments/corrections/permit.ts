import type { Kobo } from "@holo/kernel/money.ts";
import type { Result } from "@holo/kernel/result.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { Payment } from "../payment.ts";

/**
 * Whether a member of staff may act on a payment, and the record of the act, in its transaction.
 */
export interface Permit<Denied extends string> {
  check(tx: Tx, payment: Payment): Promise<Result<null, Denied>>;
  /** Returns the id of the audit event. */
  record(tx: Tx, payment: Payment, kobo: Kobo): Promise<bigint>;
}
