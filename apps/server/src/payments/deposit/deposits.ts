import { setTimeout as sleep } from "node:timers/promises";
import { toGrossCharge } from "@holo/kernel/charge-fee.ts";
import type { CommandId, PlayerId } from "@holo/kernel/ids.ts";
import { addMs, SECOND_MS } from "@holo/kernel/instant.ts";
import { KOBO_MAX, type Kobo, PAYMENT_KOBO_MIN, toCoinsIn, toKobo } from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import {
  findDepositRestriction,
  findRestriction,
  lockLimits,
  type RestrictionRefusal,
} from "../../accounts/accounts.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import { makeRateLimiter } from "../../platform/rate-limiter.ts";
import type { Time } from "../../platform/time/time.ts";
import { isCredited, isPayable, makePayment, type Payment } from "../payment.ts";
import type { Paystack } from "../provider/paystack.ts";
import { toNextAttemptAt } from "../settlement/effect.ts";
import type { Settler } from "../settlement/settler.ts";
import { claimUnauthorizedDeposit } from "../store/claim-store.ts";
import {
  changePayment,
  loadByCommand,
  loadByReference,
  loadPayment,
  lockPayment,
  savePayment,
} from "../store/payment-store.ts";
import { decideCredited, decideDeposit, decideReturn, toRequestedKobo } from "./decide-deposit.ts";
import { loadCountedDeposits, loadCreditedDeposits } from "./deposit-limits.ts";

/** Whatever a claim is taken for is over by then: a call ends in a quarter of a minute. */
export const CLAIM_MS = 60 * SECOND_MS;

export interface DepositForm {
  readonly playerId: PlayerId;
  readonly email: string;
  readonly commandId: CommandId;
  readonly kobo: number;
  /** What the player was shown that they would pay in all; left out where they were shown the amount alone. */
  readonly payKobo?: number | undefined;
  /** The rate that the player was shown; left out by who was shown none: the one in force. */
  readonly rateKobo?: number;
}

export type DepositRefusal =
  | "command_id_reused"
  | "deposit_too_small"
  | "bad_amount"
  | "no_email"
  | "rate_changed"
  | "too_many_requests"
  | "deposit_fee_changed"
  | RestrictionRefusal
  | "payments_unavailable";

export type ReopenRefusal = "unknown_payment" | RestrictionRefusal | "not_payable";

export interface BegunDeposit {
  readonly payment: Payment;
  /** Where the player pays. */
  readonly authorizationUrl: string;
}

export interface Deposits {
  /**
   * Begins a deposit: its row is there before the provider hears of it. The same command gets the same answer, also where it comes twice
   * at once. Refusals in the order of `DepositRefusal`.
   */
  begin(form: DepositForm): Promise<Result<BegunDeposit, DepositRefusal>>;
  /**
   * Where a deposit of the player's own that nobody has paid yet is paid: the checkout that it had from the first. Refusals in the order
   * of `ReopenRefusal`.
   */
  reopen(playerId: PlayerId, reference: string): Promise<Result<BegunDeposit, ReopenRefusal>>;
  /** Asks the provider what became of a deposit of the player's own, who comes back from the checkout. Null: there is none. */
  check(playerId: PlayerId, reference: string): Promise<Payment | null>;
  /** One step of a deposit that is due and claimed. */
  step(payment: Payment): Promise<void>;
}

export interface DepositsDeps {
  readonly database: Database;
  readonly time: Time;
  readonly paystack: Paystack;
  readonly settler: Settler;
  readonly publicUrl: string;
  readonly rateKobo: () => number;
  /** Whether the provider's fee is added to what the player pays (ruling 10). */
  readonly payerBearsFee: boolean;
}

/** Checks of one player; the poll goes on beside them. */
const CHECKS = { burst: 10, refillMs: 2 * SECOND_MS };
/** Each of them is asked about for a day. */
const DEPOSITS = { burst: 20, refillMs: 30 * SECOND_MS };
const PATIENCE_MS = 20 * SECOND_MS;
const LOOK_EVERY_MS = 100;
/** What is added to an amount so that all of it is left when the provider has taken its own. */
function toPayerFee(kobo: Kobo): Kobo {
  return (toGrossCharge(kobo) - kobo) as Kobo;
}

export function openDeposits(options: DepositsDeps): Deposits {
  const { database, time, paystack, settler, rateKobo, payerBearsFee } = options;
  const checks = makeRateLimiter(time, CHECKS);
  const begun = makeRateLimiter(time, DEPOSITS);

  function makeDeposit({ playerId, commandId }: DepositForm, kobo: Kobo, payerFeeKobo: Kobo): Payment {
    const at = time.now();
    const rate = rateKobo();
    return makePayment({
      kind: "deposit",
      playerId,
      commandId,
      kobo,
      rateKobo: rate,
      coins: toCoinsIn(kobo, rate),
      payerFeeKobo,
      status: "pending",
      money: "none",
      createdAt: at,
      nextAttemptAt: addMs(at, CLAIM_MS),
    });
  }

  /** Writes a new deposit where the player lets themselves make it; false where its command has made one meanwhile. */
  async function saveWithin(tx: Tx, payment: Payment): Promise<Result<boolean, RestrictionRefusal>> {
    const { playerId, commandId, kobo, createdAt: now } = payment;
    await lockLimits(tx, playerId);
    if ((await loadByCommand(tx, playerId, commandId)) !== null) return ok(false);
    const loadDeposits = () => loadCountedDeposits(tx, playerId, now);
    const refusal = await findDepositRestriction(tx, { playerId, kobo, now, loadDeposits });
    return refusal === null ? ok(await savePayment(tx, payment, addMs(now, CLAIM_MS))) : refuse(refusal);
  }

  /** Takes a deposit for one that is being paid again, where it still is to be paid; one that counted no more has to be within the limits. */
  async function reopenWithin(tx: Tx, playerId: PlayerId, reference: string): Promise<Result<Payment, ReopenRefusal>> {
    await lockLimits(tx, playerId);
    const payment = await lockPayment(tx, reference);
    if (payment === null || !isPayable(payment)) return refuse("not_payable");
    const now = time.now();
    // What counts already is counted with what was credited alone: beyond that it would be sent back.
    const load = payment.status === "pending" ? loadCreditedDeposits : loadCountedDeposits;
    const loadDeposits = () => load(tx, playerId, now);
    const refusal = await findDepositRestriction(tx, { playerId, kobo: payment.kobo, now, loadDeposits });
    if (refusal !== null) return refuse(refusal);
    const nextAttemptAt = toNextAttemptAt({ ...payment, attempts: 0 }, now);
    const open = { status: "pending", reason: null, attempts: 0, nextAttemptAt } as const;
    return ok(await changePayment(tx, payment, open, now));
  }

  async function authorize(payment: Payment, email: string): Promise<Result<BegunDeposit, "payments_unavailable">> {
    const answer = await paystack.initialize({
      kobo: toRequestedKobo(payment),
      email,
      reference: payment.reference,
      callbackUrl: `${options.publicUrl}/wallet`,
    });
    if (answer.ok) {
      const { authorizationUrl } = answer.value;
      const change = { authorizationUrl, nextAttemptAt: toNextAttemptAt(payment, time.now()) };
      return ok({ payment: await settler.change(payment, change), authorizationUrl });
    }
    // Without a checkout there is nothing that anybody could pay: a new deposit is a new reference.
    const change = { status: "failed", reason: "The payment could not be begun.", nextAttemptAt: null } as const;
    await settler.change(payment, change);
    return refuse("payments_unavailable");
  }

  /** What became of it by the provider's word, as far as it has one and the player has not asked too often. */
  async function refresh(payment: Payment, decide: typeof decideDeposit): Promise<Payment> {
    if (!checks.tryAcquire(payment.playerId)) return payment;
    const { reference } = payment;
    const answer = await paystack.verifyCharge(reference);
    if (!answer.ok) return payment;
    const word = answer.value;
    const settled = await settler.settle({
      reference,
      reported: word,
      asOfRequest: payment,
      decide: (now, at) => decide(now, word, "answer", at),
    });
    return settled ?? payment;
  }

  /** The answer that the command got, or gets from who is carrying it out, or that whoever died over it owes still. */
  async function repeat(first: Payment, { email, kobo }: DepositForm): Promise<Result<BegunDeposit, DepositRefusal>> {
    if (first.kind !== "deposit" || first.kobo !== BigInt(kobo)) return refuse("command_id_reused");
    const deadlineMs = performance.now() + PATIENCE_MS;
    let payment: Payment | null = first;
    while (payment?.authorizationUrl === null && payment.status === "pending") {
      const now = time.now();
      if (await claimUnauthorizedDeposit(database.kysely, payment.id, now, addMs(now, CLAIM_MS)))
        return await authorize(payment, email);
      if (performance.now() > deadlineMs) return refuse("payments_unavailable");
      await sleep(LOOK_EVERY_MS);
      payment = await loadPayment(database.kysely, payment.id);
    }
    const authorizationUrl = payment?.authorizationUrl ?? null;
    return payment === null || authorizationUrl === null
      ? refuse("payments_unavailable")
      : ok({ payment, authorizationUrl });
  }

  return {
    async begin(form) {
      const known = await loadByCommand(database.kysely, form.playerId, form.commandId);
      if (known !== null) return await repeat(known, form);
      const kobo = BigInt(form.kobo);
      if (kobo < PAYMENT_KOBO_MIN) return refuse("deposit_too_small");
      if (kobo > KOBO_MAX) return refuse("bad_amount");
      if (form.email === "") return refuse("no_email");
      if (form.rateKobo !== undefined && form.rateKobo !== rateKobo()) return refuse("rate_changed");
      if (!begun.tryAcquire(form.playerId)) return refuse("too_many_requests");
      const payment = makeDeposit(form, toKobo(kobo), payerBearsFee ? toPayerFee(toKobo(kobo)) : toKobo(0n));
      if (BigInt(form.payKobo ?? form.kobo) !== toRequestedKobo(payment)) return refuse("deposit_fee_changed");
      const saved = await transact(database, (tx) => saveWithin(tx, payment));
      if (!saved.ok) return saved;
      if (saved.value) return await authorize(payment, form.email);
      const other = await loadByCommand(database.kysely, form.playerId, form.commandId);
      return other === null ? refuse("payments_unavailable") : await repeat(other, form);
    },

    async reopen(playerId, reference) {
      const known = await loadByReference(database.kysely, reference);
      if (known === null || known.playerId !== playerId || known.kind !== "deposit") return refuse("unknown_payment");
      const barred = await findRestriction(database.kysely, playerId, time.now());
      if (barred !== null) return refuse(barred);
      const asked = await refresh(known, decideDeposit);
      const { authorizationUrl } = asked;
      if (!isPayable(asked) || authorizationUrl === null) return refuse("not_payable");
      return await transact(database, async (tx, afterCommit) => {
        const open = await reopenWithin(tx, playerId, reference);
        if (!open.ok) return open;
        const payment = open.value;
        if (payment.status !== asked.status) afterCommit(() => settler.notify(payment, [], null));
        return ok({ payment, authorizationUrl });
      });
    },

    async check(playerId, reference) {
      const payment = await loadByReference(database.kysely, reference);
      if (payment === null || payment.playerId !== playerId || payment.kind === "revenue") return null;
      if (payment.kind !== "deposit" || payment.money !== "none") return payment;
      return await refresh(payment, (now, word, _source, at) => decideReturn(now, word, at));
    },

    async step(payment) {
      const answer = await paystack.verifyCharge(payment.reference);
      if (!answer.ok) {
        await settler.postpone(payment);
        return;
      }
      const word = answer.value;
      // Of a credited charge a part may have gone back, and it is called a success all the same.
      const listed = word !== null && isCredited(payment) ? await paystack.listRefunds(word) : null;
      if (listed?.ok === false) return await settler.postpone(payment);
      await settler.settle({
        reference: payment.reference,
        reported: word,
        asOfRequest: payment,
        decide: (now, at) => decideCredited(now, word, listed?.value ?? [], at),
      });
    },
  };
}
