import { assert } from "@holo/kernel/assert.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { toKobo } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import { endDispute, isAccountDeleted, saveDispute, type Traces } from "../../accounts/accounts.ts";
import { markDeposit, postPosition, postProviderFee, unmarkDeposit, type Wallet } from "../../ledger/ledger.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import type { Time } from "../../platform/time/time.ts";
import { decideWithdrawal } from "../core/decide-withdrawal.ts";
import { foldDeposit } from "../core/deposit-state.ts";
import { toNextAskAt } from "../core/schedule.ts";
import { foldWithdrawal } from "../core/withdrawal-state.ts";
import { isDeposit, type Payment } from "../payment.ts";
import { isSameReason } from "../payment-base.ts";
import { recheckChecked } from "../store/checked-store.ts";
import { PAYMENT_COLUMNS, type PaymentRow, parsePayment } from "../store/payment-row.ts";
import { changePayment, lockPaymentAndLimits, type PaymentChange } from "../store/payment-store.ts";
import {
  foldDeposits,
  foldWithdrawals,
  isKnown,
  loadFacts,
  type PaymentFact,
  type StoredFact,
  saveFact,
} from "./fact-store.ts";
import { decideDepositFact, type LoadRateAt, toDepositOutcome } from "./follow-deposit.ts";
import { toWithdrawalOutcome } from "./follow-withdrawal.ts";
import { openPaymentNotices, type PaymentNotices, type PaymentNoticesDeps } from "./notices.ts";
import type { Outcome } from "./outcome.ts";
import { toAlerts } from "./to-alerts.ts";

export interface FollowerDeps extends PaymentNoticesDeps {
  readonly database: Database;
  readonly time: Time;
  readonly loadRateAt: LoadRateAt;
  readonly recordTrace: Traces["record"];
  readonly disputeCases: DisputeCases;
}

/** Fair play's cases of disputed deposits: staff see where their coins are (ruling 52). */
export interface DisputeCases {
  /** Before the coins are marked. */
  openDispute(
    tx: Tx,
    afterCommit: (effect: () => void) => void,
    deposit: Pick<Payment, "playerId"> & { readonly paymentId: Payment["id"] },
    at: Instant,
  ): Promise<void>;
  closeDispute(tx: Tx, paymentId: Payment["id"], at: Instant): Promise<void>;
}

export interface Followed {
  readonly payment: Payment;
  /** A refund that the caller now orders at the provider; null for none. */
  readonly refundKobo: bigint | null;
}

interface FollowOptions {
  /** The act of staff that these facts are. */
  readonly auditEventId?: bigint;
  /** The player came back from the checkout. */
  readonly hasReturned?: boolean;
  /** Default: what the state implies. */
  readonly nextAskAt?: Instant | null;
  /** Other columns of the row. */
  readonly columns?: Outcome["columns"];
  readonly alerts?: readonly string[];
}

type AfterCommit = (effect: () => void) => void;

/**
 * The one way in which facts change a payment: stored, folded, decided on, posted and told, in one
 * transaction.
 */
export interface Follower extends PaymentNotices {
  /** The caller holds `lockPaymentAndLimits`, and orders the refund that is returned. */
  follow(
    tx: Tx,
    afterCommit: AfterCommit,
    payment: Payment,
    facts: readonly PaymentFact[],
    options?: FollowOptions,
  ): Promise<Followed>;
  /**
   * Follows the provider's answer to a question about `asked`. Null if a fact or a new question
   * came meanwhile: the answer may be older, and the provider is asked again.
   */
  answer(asked: Payment, fact: PaymentFact, options?: FollowOptions): Promise<Followed | null>;
  /** Writes a change without a fact, unless a fact or a question came meanwhile. Ends the claim. */
  change(asked: Payment, change: PaymentChange): Promise<Payment>;
  /** Schedules another question, each after a longer pause. */
  postpone(asked: Payment, told?: Pick<PaymentChange, "reason">): Promise<void>;
}

export function openFollower(deps: FollowerDeps): Follower {
  const { database, time } = deps;
  const notices = openPaymentNotices(deps);

  async function lockUnchanged(tx: Tx, asked: Payment): Promise<Payment | null> {
    const locked = await lockPaymentAndLimits(tx, asked.reference);
    assert(locked !== null, `payment ${asked.id} is missing`);
    if (locked.lastFact === asked.lastFact && locked.questions === asked.questions) return locked;
    await changePayment(tx, locked, { nextAskAt: time.now() });
    return null;
  }

  async function change(asked: Payment, given: PaymentChange): Promise<Payment> {
    return await transact(database, async (tx, afterCommit) => {
      const locked = await lockUnchanged(tx, asked);
      if (locked === null) return asked;
      const changed = await changePayment(tx, locked, given);
      if (isTold(locked, changed)) afterCommit(() => notices.notify(changed));
      return changed;
    });
  }

  return {
    ...notices,
    follow: (tx, afterCommit, payment, facts, options = {}) =>
      follow(tx, afterCommit, { ...deps, ...notices }, payment, facts, options),
    async answer(asked, fact, options = {}) {
      return await transact(database, async (tx, afterCommit) => {
        const locked = await lockUnchanged(tx, asked);
        return locked && (await follow(tx, afterCommit, { ...deps, ...notices }, locked, [fact], options));
      });
    },
    change,
    async postpone(asked, told = {}) {
      const nextAskAt = toNextAskAt(asked, time.now());
      await change(asked, { attempts: asked.attempts + 1, nextAskAt, ...told });
    },
  };
}

function isTold(before: Payment, after: Payment): boolean {
  return before.status !== after.status || !isSameReason(before.reason, after.reason);
}

/** More acts than that in one transaction are a broken decision. */
const ACTS_MAX = 8;

async function follow(
  tx: Tx,
  afterCommit: AfterCommit,
  deps: FollowerDeps & PaymentNotices,
  payment: Payment,
  given: readonly PaymentFact[],
  options: FollowOptions,
): Promise<Followed> {
  const at = deps.time.now();
  const known = await loadFacts(tx, payment.id);
  const stored: StoredFact[] = [...known];

  async function add(fact: PaymentFact, auditEventId: bigint | null): Promise<void> {
    if (isKnown(stored, fact)) return;
    const next = { number: stored.length + 1, at, fact, auditEventId };
    await saveFact(tx, payment.id, next);
    const card = fact.type === "charge" && fact.kobo > 0n ? fact.cardSignature : null;
    if (typeof card === "string") await deps.recordTrace(tx, payment.playerId, "card", card, at);
    stored.push(next);
  }

  for (const fact of given) await add(fact, options.auditEventId ?? null);
  const outcome = await settle(tx, deps, payment, { known, stored, add, at, options });
  const news = stored.slice(known.length);
  const wallets =
    news.length === 0
      ? []
      : await postPosition(tx, {
          ...outcome,
          paymentId: payment.id,
          reference: payment.reference,
          fact: stored.length,
          isCorrection: options.auditEventId !== undefined,
          isForfeited: given.some((fact) => fact.type === "returned" && fact.cause === "forfeit"),
          at,
        });
  const fee = await postFee(tx, payment, outcome, at);
  const after = await saveOutcome(
    tx,
    payment,
    outcome,
    {
      last_fact: stored.length,
      attempts: news.length > 0 ? 0 : payment.attempts + 1,
      next_ask_at: options.nextAskAt === undefined ? outcome.nextAskAt : options.nextAskAt,
      ...fee,
      ...options.columns,
    },
    at,
  );
  const [wasHolding, isHolding] = outcome.isHolding;
  if (isHolding && !wasHolding) await saveDispute(tx, { paymentId: payment.id, playerId: payment.playerId, at });
  else if (wasHolding && !isHolding) await endDispute(tx, payment.id, at);
  await followMarks(tx, afterCommit, deps, payment, outcome, at);
  const alerts = [
    ...toAlerts(payment, known, news),
    ...(options.alerts ?? []),
    ...(await findOrphaned(tx, payment, wallets)),
  ];
  if (isTold(payment, after) || wallets.length > 0 || alerts.length > 0) {
    afterCommit(() => deps.notify(after, wallets, alerts));
  }
  return { payment: after, refundKobo: outcome.refundKobo };
}

interface Settling {
  readonly known: readonly StoredFact[];
  readonly stored: readonly StoredFact[];
  readonly add: (fact: PaymentFact, auditEventId: null) => Promise<void>;
  readonly at: Instant;
  readonly options: FollowOptions;
}

/** Decides until nothing follows any more. */
async function settle(
  tx: Tx,
  { loadRateAt }: FollowerDeps,
  payment: Payment,
  { known, stored, add, at: now, options }: Settling,
): Promise<Outcome> {
  const toAttempts = () => (stored.length > known.length ? 0 : payment.attempts);
  if (isDeposit(payment)) {
    const before = foldDeposits(known);
    let state = foldDeposits(stored);
    for (let count = 0; ; count += 1) {
      assert(count < ACTS_MAX, `payment ${payment.id} does not come to rest`);
      const act = await decideDepositFact(tx, payment, state, { loadRateAt, now });
      if (act === null) break;
      await add(act, null);
      state = foldDeposit(state, act, now);
    }
    const hasReturned = options.hasReturned ?? false;
    return toDepositOutcome(payment, before, state, { now, attempts: toAttempts(), hasReturned });
  }
  let state = foldWithdrawals(stored);
  for (let count = 0; ; count += 1) {
    assert(count < ACTS_MAX, `payment ${payment.id} does not come to rest`);
    const act = decideWithdrawal(state, { now, orderedKobo: payment.kobo });
    if (act === null) break;
    await add(act, null);
    state = foldWithdrawal(state, act, now);
  }
  return toWithdrawalOutcome(payment, state, { now, attempts: toAttempts() });
}

/** Last in the transaction: withdrawals wait for it, and no wallet is locked any more. */
async function followMarks(
  tx: Tx,
  afterCommit: AfterCommit,
  { disputeCases }: Pick<FollowerDeps, "disputeCases">,
  { id: paymentId, playerId }: Payment,
  { isContested: [wasContested, isContested] }: Outcome,
  at: Instant,
): Promise<void> {
  if (isContested && !wasContested) {
    await disputeCases.openDispute(tx, afterCommit, { paymentId, playerId }, at);
    await markDeposit(tx, { paymentId, playerId }, at);
  } else if (wasContested && !isContested) {
    await disputeCases.closeDispute(tx, paymentId, at);
    await unmarkDeposit(tx, { paymentId, playerId });
    await recheckChecked(tx, null, at);
  }
}

/** The provider's fee is booked once, with the money that it was for. */
async function postFee(
  tx: Tx,
  { id: paymentId, reference, rateKobo, feeKobo: booked }: Payment,
  { feeKobo }: Outcome,
  at: Instant,
): Promise<{ readonly fee_kobo?: bigint }> {
  if (booked !== null || feeKobo === null || feeKobo === 0n) return {};
  await postProviderFee(tx, { paymentId, reference, kobo: toKobo(feeKobo), rateKobo, at });
  return { fee_kobo: feeKobo };
}

async function saveOutcome(
  tx: Tx,
  payment: Payment,
  { standing: { status, reason }, columns, isOver }: Outcome,
  others: Outcome["columns"],
  at: Instant,
): Promise<Payment> {
  const all = {
    ...columns,
    status,
    reason: reason?.code ?? null,
    reason_kobo: reason?.kobo ?? null,
    ...(isOver && payment.completedAt === null ? { completed_at: at } : {}),
    // The day after which a transfer is slow begins when it no longer waits.
    ...(status === "processing" && payment.status === "pending" ? { sending_since: at } : {}),
    ...others,
    claimed_until: null,
  };
  const assignments = Object.entries(all).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  const { rows } = await sql<PaymentRow>`
    update payments set ${sql.join(assignments)} where id = ${payment.id} returning ${PAYMENT_COLUMNS}`.execute(tx);
  return parsePayment(rows[0]!);
}

/** Coins that return to a deleted account remain in its wallet until staff pay them out. */
async function findOrphaned(tx: Tx, { playerId }: Payment, wallets: readonly Wallet[]): Promise<readonly string[]> {
  const isOwn = wallets.some((wallet) => wallet.playerId === playerId && wallet.balance > 0n);
  return isOwn && (await isAccountDeleted(tx, playerId)) ? ["orphaned_balance"] : [];
}
