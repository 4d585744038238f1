import type { PlayerId } from "@holo/kernel/ids.ts";
import { SECOND_MS } from "@holo/kernel/instant.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import {
  findDepositRestriction,
  findRestriction,
  lockLimits,
  type RestrictionRefusal,
} from "../../accounts/accounts.ts";
import type { Tx } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import { makeRateLimiter, type RateLimiter } from "../../platform/rate-limiter.ts";
import { toNextAskAt } from "../core/schedule.ts";
import { isDeposit, type Payment } from "../payment.ts";
import { changePayment, loadByReference, lockPayment } from "../store/payment-store.ts";
import { type ChargeDeps, followCharge } from "./ask-charge.ts";
import { type BeginDeposit, type BeginDepositDeps, type BegunDeposit, openBeginDeposit } from "./begin-deposit.ts";
import { loadCountedDeposits, loadCreditedDeposits } from "./counted-deposits.ts";
import { type Deposit, isPayable, toRateEndAt } from "./deposit.ts";

type ReopenRefusal = "unknown_payment" | RestrictionRefusal<"limit_reached"> | "not_payable" | "rate_changed";

interface ReopenOrder {
  readonly playerId: PlayerId;
  readonly reference: string;
  readonly rateKobo: number;
}

export interface Deposits {
  /**
   * Commits the deposit's row before the provider is called. The same command gets the same answer,
   * also concurrently.
   */
  readonly begin: BeginDeposit;
  /**
   * The checkout of an unpaid deposit of this player. Refuses `rate_changed` if a payment now would
   * get another rate than was shown.
   */
  reopen(order: ReopenOrder): Promise<Result<BegunDeposit, ReopenRefusal>>;
  /**
   * Asks the provider about a deposit whose player returned from the checkout. Null for an unknown
   * one.
   */
  check(playerId: PlayerId, reference: string): Promise<Payment | null>;
}

type DepositsDeps = BeginDepositDeps & ChargeDeps;

/** Checks of one player, in addition to the polling. */
const CHECKS_PER_PLAYER = { burst: 10, refillMs: 2 * SECOND_MS };

export function openDeposits(deps: DepositsDeps): Deposits {
  const limiter = makeRateLimiter(deps.time, CHECKS_PER_PLAYER);
  return {
    begin: openBeginDeposit(deps),
    reopen: (order) => reopen(deps, limiter, order),
    check: (playerId, reference) => check(deps, limiter, playerId, reference),
  };
}

async function reopen(
  deps: DepositsDeps,
  limiter: RateLimiter,
  order: ReopenOrder,
): Promise<Result<BegunDeposit, ReopenRefusal>> {
  const { database, follower, time } = deps;
  const { playerId, reference } = order;
  const known = await loadByReference(database.kysely, reference);
  if (known === null || known.playerId !== playerId || !isDeposit(known)) return refuse("unknown_payment");
  const restriction = await findRestriction(database.kysely, playerId, time.now());
  if (restriction !== null) return refuse(restriction);
  const asked = await refresh(deps, limiter, known, false);
  if (!isDeposit(asked) || !isPayable(asked)) return refuse("not_payable");
  const rateKobo = time.now() <= toRateEndAt(asked) ? asked.rateKobo : deps.rateKobo();
  if (order.rateKobo !== rateKobo) return refuse("rate_changed");
  const { status, authorizationUrl } = asked;
  return await transact(database, async (tx, afterCommit) => {
    const open = await reopenWithin(tx, deps, playerId, reference);
    if (!open.ok) return open;
    const payment = open.value;
    if (payment.status !== status) afterCommit(() => follower.notify(payment));
    return ok({ payment, authorizationUrl });
  });
}

/** Sets the deposit to pending. One that did not count towards the limits has to be within them. */
async function reopenWithin(
  tx: Tx,
  { time }: DepositsDeps,
  playerId: PlayerId,
  reference: string,
): Promise<Result<Payment, ReopenRefusal>> {
  await lockLimits(tx, playerId);
  const deposit = await lockPayment(tx, reference);
  if (deposit === null || !isDeposit(deposit) || !isPayable(deposit)) return refuse("not_payable");
  const now = time.now();
  const load = deposit.status === "pending" ? loadCreditedDeposits : loadCountedDeposits;
  const loadDeposits = () => load(tx, playerId, now);
  const refusal = await findDepositRestriction(tx, { playerId, kobo: deposit.kobo, now, loadDeposits });
  if (refusal !== null) return refuse(refusal);
  const nextAskAt = toNextAskAt({ ...deposit, attempts: 0 }, now);
  return ok(await changePayment(tx, deposit, { status: "pending", reason: null, attempts: 0, nextAskAt }));
}

/** Asks the provider, if the rate limit allows the request. */
async function refresh(
  deps: DepositsDeps,
  limiter: RateLimiter,
  deposit: Deposit,
  hasReturned: boolean,
): Promise<Payment> {
  if (!limiter.tryAcquire(deposit.playerId)) return deposit;
  return (await followCharge(deps, deposit, hasReturned)) ?? deposit;
}

async function check(
  deps: DepositsDeps,
  limiter: RateLimiter,
  playerId: PlayerId,
  reference: string,
): Promise<Payment | null> {
  const payment = await loadByReference(deps.database.kysely, reference);
  if (payment === null || payment.playerId !== playerId || payment.kind === "revenue") return null;
  if (!isDeposit(payment) || payment.step !== "open") return payment;
  return await refresh(deps, limiter, payment, true);
}
