import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { findPlayers, loadAccountEmail } from "../../accounts/accounts.ts";
import type { Database } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import { foldDeposits, loadFacts } from "../facts/fact-store.ts";
import { isDeposit } from "../payment.ts";
import type { Paystack } from "../provider/paystack.ts";
import { loadByReference, lockPaymentAndLimits } from "../store/payment-store.ts";
import type { Permit } from "./permit.ts";

export interface DisputeAnswer {
  readonly reference: string;
  readonly disputeId: string;
  readonly evidence: string;
}

export type DisputeAnswerRefusal = "unknown_payment" | "dispute_over" | "provider_silent";

interface AnswerDisputeDeps {
  readonly database: Database;
  readonly paystack: Pick<Paystack, "answerDispute">;
}

/** Moves nothing: the bank decides, and its decision comes as a dispute's fact. */
export async function answerDispute<Denied extends string>(
  { database, paystack }: AnswerDisputeDeps,
  { reference, disputeId, evidence }: DisputeAnswer,
  permit: Permit<Denied>,
): Promise<Result<null, DisputeAnswerRefusal | Denied>> {
  const deposit = await loadByReference(database.kysely, reference);
  if (deposit === null || !isDeposit(deposit)) return refuse("unknown_payment");
  const { disputes } = foldDeposits(await loadFacts(database.kysely, deposit.id));
  if (disputes.get(disputeId)?.stage !== "open") return refuse("dispute_over");
  const permitted = await transact(database, async (tx) => {
    const locked = await lockPaymentAndLimits(tx, reference);
    return locked === null ? refuse("unknown_payment" as const) : await permit.check(tx, locked);
  });
  if (!permitted.ok) return permitted;
  const email = await loadAccountEmail(database.kysely, deposit.playerId);
  const name = (await findPlayers(database.kysely, [deposit.playerId])).get(deposit.playerId)?.username ?? "";
  const answered = await paystack.answerDispute({ id: disputeId, email: email ?? "", name, evidence });
  if (!answered.ok) return refuse(answered.refusal.type === "refused" ? "dispute_over" : "provider_silent");
  await transact(database, (tx) => permit.record(tx, deposit, deposit.kobo));
  return ok(null);
}
