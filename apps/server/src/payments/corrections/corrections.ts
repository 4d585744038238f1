import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, DAY_MS, HOUR_MS, type Instant } from "@holo/kernel/instant.ts";
import { toKobo } from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { isAccountDeleted, isRestrictedFromDeposits } from "../../accounts/accounts.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import { randomUUID } from "../../platform/runtime.ts";
import type { Time } from "../../platform/time/time.ts";
import { orderRefund } from "../deposit/ask-charge.ts";
import { exceedsDepositLimit } from "../deposit/counted-deposits.ts";
import type { PaymentFact } from "../facts/fact-store.ts";
import { foldDeposits, foldWithdrawals, loadFacts } from "../facts/fact-store.ts";
import { findCreditRate, type LoadRateAt } from "../facts/follow-deposit.ts";
import type { Follower } from "../facts/follower.ts";
import { isDeposit, type Payment } from "../payment.ts";
import type { Paystack } from "../provider/paystack.ts";
import { loadByReference, loadPayment, lockPaymentAndLimits } from "../store/payment-store.ts";
import { endProposal, loadProposal, lockAndSumCorrections, type Proposal, saveProposal } from "./correction-store.ts";
import {
  type Correction,
  toDepositCorrectionFact,
  toDepositCorrections,
  toWithdrawalCorrectionFact,
  toWithdrawalCorrections,
} from "./decide-corrections.ts";
import type { Permit } from "./permit.ts";

export interface CorrectionOrder extends Correction {
  readonly reference: string;
  /** The newest fact that was shown. */
  readonly lastFact: number;
  readonly reason: string;
  readonly memberId: PlayerId;
}

export type CorrectionRefusal =
  | "unknown_payment"
  | "not_with_staff"
  | "provider_silent"
  | "facts_changed"
  | "correction_impossible"
  | "beyond_own_limit"
  | "deposit_barred";

export type ConfirmationRefusal = CorrectionRefusal | "second_member_needed" | "confirmed_too_early";

/** Whether the correction is done, or waits for a second member (ruling 58). */
type CorrectionOutcome = "done" | "proposed";

/** Staff give again what the machine does not. Each act is asked of the provider first. */
export interface Corrections {
  order<Denied extends string>(
    order: CorrectionOrder,
    permit: Permit<Denied>,
  ): Promise<Result<CorrectionOutcome, CorrectionRefusal | Denied>>;
  /** By another member; by the only one an hour later. */
  confirm<Denied extends string>(
    confirmation: {
      readonly id: string;
      readonly memberId: PlayerId;
      readonly isOnlyMember: (tx: Tx) => Promise<boolean>;
    },
    permit: Permit<Denied>,
  ): Promise<Result<CorrectionOutcome, ConfirmationRefusal | Denied>>;
}

export interface CorrectionsDeps {
  readonly database: Database;
  readonly time: Time;
  readonly paystack: Paystack;
  readonly follower: Follower;
  readonly loadRateAt: LoadRateAt;
  /** Asks about the payment and follows the answer; null without one. */
  readonly ask: (payment: Payment) => Promise<Payment | null>;
  /** What a member may order in a day without a second one, in kobo. */
  readonly correctionLimitKobo: bigint;
}

/** Where only one member exists, they confirm after this time. */
const ALONE_AFTER_MS = HOUR_MS;

export function openCorrections(deps: CorrectionsDeps): Corrections {
  return {
    async order(order, permit) {
      const payment = await loadByReference(deps.database.kysely, order.reference);
      if (payment === null) return refuse("unknown_payment");
      const asked = await askFirst(deps, payment, order.lastFact);
      if (!asked.ok) return asked;
      const proposal = toProposal(order, payment, deps.time.now());
      return await carryOut(deps, proposal, permit, async (tx) => {
        const since = addMs(proposal.proposedAt, -DAY_MS);
        const sum = await lockAndSumCorrections(tx, order.memberId, since);
        await saveProposal(tx, proposal);
        return ok(sum + order.kobo <= deps.correctionLimitKobo);
      });
    },

    async confirm({ id, memberId, isOnlyMember }, permit) {
      const proposal = await loadProposal(deps.database.kysely, id);
      const payment = proposal && (await loadPayment(deps.database.kysely, proposal.paymentId));
      if (proposal === null || payment === null) return refuse("unknown_payment");
      const asked = await askFirst(deps, payment, proposal.lastFact);
      if (!asked.ok) return asked;
      return await carryOut(
        deps,
        proposal,
        permit,
        async (tx) => {
          if ((await loadProposal(tx, id)) === null) return refuse("facts_changed");
          if (memberId !== proposal.proposedBy) return ok(true);
          if (!(await isOnlyMember(tx))) return refuse("second_member_needed");
          const isLate = deps.time.now() >= addMs(proposal.proposedAt, ALONE_AFTER_MS);
          return isLate ? ok(true) : refuse("confirmed_too_early");
        },
        memberId,
      );
    },
  };
}

function toProposal(order: CorrectionOrder, { id: paymentId }: Payment, proposedAt: Instant): Proposal {
  const { act, kobo, lastFact, reason, memberId: proposedBy } = order;
  return { id: randomUUID(), paymentId, act, kobo, lastFact, reason, proposedBy, proposedAt };
}

/** A new fact is stored, and the member decides again. */
async function askFirst(
  { database, ask }: CorrectionsDeps,
  payment: Payment,
  shownFact: number,
): Promise<Result<null, CorrectionRefusal>> {
  if (payment.step !== "with_staff") return refuse("not_with_staff");
  const after = await ask(payment);
  if (after === null) {
    // An answer is also dropped where a fact came while it was on its way.
    const now = await loadPayment(database.kysely, payment.id);
    return refuse(now?.lastFact === shownFact ? "provider_silent" : "facts_changed");
  }
  return after.lastFact === shownFact ? ok(null) : refuse("facts_changed");
}

/** `allow`: whether it is carried out now; false: it waits for a second member. */
async function carryOut<Denied extends string, Refusal extends string>(
  deps: CorrectionsDeps,
  proposal: Proposal,
  permit: Permit<Denied>,
  allow: (tx: Tx) => Promise<Result<boolean, Refusal>>,
  confirmedBy: PlayerId | null = null,
): Promise<Result<CorrectionOutcome, CorrectionRefusal | Refusal | Denied>> {
  const { database, follower, time } = deps;
  const known = await loadPayment(database.kysely, proposal.paymentId);
  if (known === null) return refuse("unknown_payment");
  const done = await transact(database, async (tx, afterCommit) => {
    const payment = await lockPaymentAndLimits(tx, known.reference);
    if (payment === null) return refuse("unknown_payment");
    if (payment.lastFact !== proposal.lastFact) return refuse("facts_changed");
    const permitted = await permit.check(tx, payment);
    if (!permitted.ok) return permitted;
    const fact = await toFact(tx, deps, payment, proposal);
    if (!fact.ok) return fact;
    const allowed = await allow(tx);
    if (!allowed.ok) return allowed;
    if (!allowed.value) return ok(null);
    const auditEventId = await permit.record(tx, payment, toKobo(proposal.kobo));
    await endProposal(tx, proposal.id, { confirmedBy, auditEventId, at: time.now() });
    return ok(await follower.follow(tx, afterCommit, payment, [fact.value], { auditEventId }));
  });
  if (!done.ok) return done;
  if (done.value === null) return ok("proposed");
  await orderRefund(deps, done.value);
  return ok("done");
}

/** The correction as a fact, if the payment's state allows it. */
async function toFact(
  tx: Tx,
  deps: CorrectionsDeps,
  payment: Payment,
  { act, kobo }: Correction,
): Promise<Result<PaymentFact, CorrectionRefusal>> {
  const now = deps.time.now();
  const facts = await loadFacts(tx, payment.id);
  const isOffered = (offered: readonly Correction[]) => offered.some((one) => one.act === act && one.kobo === kobo);
  if (!isDeposit(payment)) {
    const state = foldWithdrawals(facts);
    const offered = toWithdrawalCorrections(state, { now, orderedKobo: payment.kobo });
    return isOffered(offered) ? ok(toWithdrawalCorrectionFact({ act, kobo })) : refuse("correction_impossible");
  }
  const state = foldDeposits(facts);
  const { playerId } = payment;
  const isDeleted = await isAccountDeleted(tx, playerId);
  if (!isOffered(toDepositCorrections(state, { isAccountDeleted: isDeleted, now })))
    return refuse("correction_impossible");
  if (act === "credit") {
    if (await exceedsDepositLimit(tx, { playerId, kobo: toKobo(kobo) }, now)) return refuse("beyond_own_limit");
    if (await isRestrictedFromDeposits(tx, playerId, now)) return refuse("deposit_barred");
  }
  const rateKobo = act === "credit" ? await findCreditRate(tx, payment, state, { ...deps, now }) : null;
  return ok(toDepositCorrectionFact({ act, kobo }, state, rateKobo));
}
