import { type CommandId, type PlayerId, toPaymentId } from "@holo/kernel/ids.ts";
import { addMs, SECOND_MS } from "@holo/kernel/instant.ts";
import { CHARGE_KOBO_MAX, type Kobo, PAYMENT_KOBO_MIN, toCoinsIn, toKobo } from "@holo/kernel/money.ts";
import { toGrossCharge } from "@holo/kernel/provider-fee.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { findDepositRestriction, lockLimits, type RestrictionRefusal } from "../../accounts/accounts.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import { performance, randomUUID, sleep } from "../../platform/runtime.ts";
import type { OpenRateLimiter } from "../../platform/shared-rate-limiter.ts";
import type { Time } from "../../platform/time/time.ts";
import { toNextAskAt } from "../core/schedule.ts";
import type { Follower } from "../facts/follower.ts";
import { isDeposit, type Payment } from "../payment.ts";
import { makeReason } from "../payment-base.ts";
import type { Paystack } from "../provider/paystack.ts";
import { CLAIM_MS, claimUnauthorizedDeposit } from "../store/claim-store.ts";
import { loadByCommand, loadPayment, savePayment } from "../store/payment-store.ts";
import { loadCountedDeposits } from "./counted-deposits.ts";
import { type Deposit, makeDeposit, toRequestedKobo } from "./deposit.ts";

interface DepositForm {
  readonly playerId: PlayerId;
  readonly email: string;
  readonly commandId: CommandId;
  readonly kobo: number;
  /** The total that the player was shown. */
  readonly payKobo: number;
  /** The exchange rate that the player was shown. */
  readonly rateKobo: number;
}

type DepositRefusal =
  | "command_id_reused"
  | "deposit_too_small"
  | "deposit_too_large"
  | "no_email"
  | "rate_changed"
  | "too_many_requests"
  | "deposit_fee_changed"
  | RestrictionRefusal<"limit_reached">
  | "payments_unavailable";

export interface BegunDeposit {
  readonly payment: Payment;
  readonly authorizationUrl: string;
}

export interface BeginDepositDeps {
  readonly database: Database;
  readonly time: Time;
  readonly paystack: Paystack;
  readonly follower: Follower;
  readonly publicUrl: string;
  readonly rateKobo: () => number;
  readonly payerBearsFee: boolean;
  readonly openRateLimiter: OpenRateLimiter;
}

export type BeginDeposit = (form: DepositForm) => Promise<Result<BegunDeposit, DepositRefusal>>;

/** Each deposit is polled for a day. */
const DEPOSITS = { burst: 20, refillMs: 30 * SECOND_MS };

export function openBeginDeposit(deps: BeginDepositDeps): BeginDeposit {
  const { database, rateKobo } = deps;
  const limiter = deps.openRateLimiter("deposits", DEPOSITS);
  return async (form) => {
    const { playerId, commandId } = form;
    const known = await loadByCommand(database.kysely, playerId, commandId);
    if (known !== null) return await repeat(deps, known, form);
    const kobo = BigInt(form.kobo);
    if (kobo < PAYMENT_KOBO_MIN) return refuse("deposit_too_small");
    if (kobo > CHARGE_KOBO_MAX) return refuse("deposit_too_large");
    const deposit = makeNewDeposit(deps, form, toKobo(kobo));
    if (toRequestedKobo(deposit) > CHARGE_KOBO_MAX) return refuse("deposit_too_large");
    if (form.email === "") return refuse("no_email");
    if (form.rateKobo !== rateKobo()) return refuse("rate_changed");
    if (!(await limiter.tryAcquire(playerId))) return refuse("too_many_requests");
    if (BigInt(form.payKobo) !== toRequestedKobo(deposit)) return refuse("deposit_fee_changed");
    const saved = await transact(database, (tx) => saveWithin(tx, deposit));
    if (!saved.ok) return saved;
    if (saved.value) return await authorize(deps, deposit, form.email);
    const other = await loadByCommand(database.kysely, playerId, commandId);
    return other === null ? refuse("payments_unavailable") : await repeat(deps, other, form);
  };
}

function makeNewDeposit({ time, rateKobo, payerBearsFee }: BeginDepositDeps, form: DepositForm, kobo: Kobo) {
  const { playerId, commandId } = form;
  const [createdAt, rate] = [time.now(), rateKobo()];
  return makeDeposit({
    id: toPaymentId(randomUUID()),
    playerId,
    commandId,
    kobo,
    rateKobo: rate,
    coins: toCoinsIn(kobo, rate),
    payerFeeKobo: toKobo(payerBearsFee ? toGrossCharge(kobo) - kobo : 0n),
    createdAt,
    nextAskAt: addMs(createdAt, CLAIM_MS),
  });
}

/**
 * Saves the deposit within its player's restrictions; false if the command has made one meanwhile.
 */
async function saveWithin(tx: Tx, deposit: Deposit): Promise<Result<boolean, RestrictionRefusal<"limit_reached">>> {
  const { playerId, commandId, kobo, createdAt: now } = deposit;
  await lockLimits(tx, playerId);
  if ((await loadByCommand(tx, playerId, commandId)) !== null) return ok(false);
  const loadDeposits = () => loadCountedDeposits(tx, playerId, now);
  const refusal = await findDepositRestriction(tx, { playerId, kobo, now, loadDeposits });
  return refusal === null ? ok(await savePayment(tx, deposit, addMs(now, CLAIM_MS))) : refuse(refusal);
}

/** Opens the checkout. If that fails, the deposit has failed: a new one gets a new reference. */
async function authorize(
  { paystack, follower, publicUrl, time }: BeginDepositDeps,
  deposit: Deposit,
  email: string,
): Promise<Result<BegunDeposit, "payments_unavailable">> {
  const answer = await paystack.initialize({
    kobo: toRequestedKobo(deposit),
    email,
    reference: deposit.reference,
    callbackUrl: `${publicUrl}/wallet`,
  });
  if (!answer.ok) {
    await follower.change(deposit, { status: "failed", reason: makeReason("start_failed"), nextAskAt: null });
    return refuse("payments_unavailable");
  }
  const { authorizationUrl } = answer.value;
  const nextAskAt = toNextAskAt(deposit, time.now());
  return ok({ payment: await follower.change(deposit, { authorizationUrl, nextAskAt }), authorizationUrl });
}

const REPEAT_TIMEOUT_MS = 20 * SECOND_MS;
const REPEAT_PAUSE_MS = 100;

/**
 * Waits for the checkout of a repeated command, or opens it if its first request was interrupted.
 */
async function repeat(
  deps: BeginDepositDeps,
  first: Payment,
  { email, kobo }: DepositForm,
): Promise<Result<BegunDeposit, DepositRefusal>> {
  const { database, time } = deps;
  if (!isDeposit(first) || first.kobo !== BigInt(kobo)) return refuse("command_id_reused");
  const deadlineMs = performance.now() + REPEAT_TIMEOUT_MS;
  let payment: Payment | null = first;
  while (payment !== null && isDeposit(payment)) {
    const { authorizationUrl } = payment;
    if (authorizationUrl !== null) return ok({ payment, authorizationUrl });
    if (payment.status !== "pending") break;
    const now = time.now();
    if (await claimUnauthorizedDeposit(database.kysely, payment.id, now, addMs(now, CLAIM_MS))) {
      return await authorize(deps, payment, email);
    }
    if (performance.now() > deadlineMs) break;
    await sleep(REPEAT_PAUSE_MS);
    payment = await loadPayment(database.kysely, payment.id);
  }
  return refuse("payments_unavailable");
}
