import type { Instant } from "@holo/kernel/instant.ts";
import { toKobo } from "@holo/kernel/money.ts";
import { isAccountDeleted, isRestrictedFromDeposits } from "../../accounts/accounts.ts";
import { toDepositPosition } from "../../ledger/ledger.ts";
import type { Queries, Tx } from "../../platform/database/database.ts";
import { awaitsAnswer, decideDeposit, NOT_FOUND_MS } from "../core/decide-deposit.ts";
import {
  type DepositFact,
  type DepositState,
  isContested,
  isHoldingPlayer,
  toBorneFeeKobo,
} from "../core/deposit-state.ts";
import { toNextAskAt, UNPAID_MS } from "../core/schedule.ts";
import { toDepositStanding } from "../core/standing.ts";
import { exceedsDepositLimit } from "../deposit/counted-deposits.ts";
import { type Deposit, toCreditRate } from "../deposit/deposit.ts";
import type { Outcome } from "./outcome.ts";

/** Kobo for one holocoin at that instant. */
export type LoadRateAt = (queries: Queries, at: Instant) => Promise<number>;

const NO_EXCEPTIONS = { isAccountDeleted: false, isRestricted: false, isAboveLimit: false };

/**
 * What may forbid a credit, read only where one is near. The caller holds the locks of limits and
 * payment.
 */
async function loadContext(tx: Tx, { playerId, kobo }: Deposit, state: DepositState, now: Instant) {
  if (state.step !== "open" || state.inKobo === 0n) return { ...NO_EXCEPTIONS, now };
  const isDeleted = await isAccountDeleted(tx, playerId);
  return {
    now,
    isAccountDeleted: isDeleted,
    isRestricted: await isRestrictedFromDeposits(tx, playerId, now),
    isAboveLimit: !isDeleted && (await exceedsDepositLimit(tx, { playerId, kobo }, now)),
  };
}

/** The rate of its first credit (ruling 35); null after it. */
export async function findCreditRate(
  queries: Queries,
  deposit: Deposit,
  state: DepositState,
  { loadRateAt, now }: { readonly loadRateAt: LoadRateAt; readonly now: Instant },
): Promise<number | null> {
  if (state.creditRateKobo !== null) return null;
  const paidAt = state.paidAt ?? now;
  return toCreditRate(deposit, { paidAt, rateAtPaymentKobo: await loadRateAt(queries, paidAt) });
}

/** The next act of the machine, with what the database says; null for none. */
export async function decideDepositFact(
  tx: Tx,
  deposit: Deposit,
  state: DepositState,
  clock: { readonly loadRateAt: LoadRateAt; readonly now: Instant },
): Promise<DepositFact | null> {
  const fact = decideDeposit(state, await loadContext(tx, deposit, state, clock.now));
  return fact?.type === "posted" ? { ...fact, rateKobo: await findCreditRate(tx, deposit, state, clock) } : fact;
}

/** What the deposit's row, its player and the ledger get from its state. */
export function toDepositOutcome(
  deposit: Deposit,
  before: DepositState,
  state: DepositState,
  { now, attempts, hasReturned }: { readonly now: Instant; readonly attempts: number; readonly hasReturned: boolean },
): Outcome {
  const ageMs = now - deposit.createdAt;
  const isOver = ageMs >= UNPAID_MS || (deposit.authorizationUrl === null && ageMs >= NOT_FOUND_MS);
  const isUnpaid = state.step === "open" && state.inKobo === 0n;
  const isAsked = isUnpaid ? !isOver || state.outcome === "busy" : awaitsAnswer(state, now);
  const { playerId } = deposit;
  const rateKobo = state.creditRateKobo ?? deposit.rateKobo;
  return {
    standing: toDepositStanding(state, { ...deposit, before: deposit, isOver, hasReturned }),
    nextAskAt: isAsked ? toNextAskAt({ kind: "deposit", attempts }, now) : null,
    columns: {
      step: state.step,
      in_kobo: state.inKobo,
      back_kobo: state.backKobo,
      kept_kobo: state.keptKobo,
      credited_kobo: state.creditedKobo,
      credit_rate_kobo: state.creditRateKobo,
      written_off_kobo: state.writtenOffKobo,
      borne_fee_kobo: toBorneFeeKobo(state),
      paid_at: state.paidAt,
    },
    isDeposit: true,
    isOver: state.step === "credited" || state.step === "closed",
    position: toDepositPosition({
      playerId,
      keptKobo: toKobo(state.keptKobo),
      borneFeeKobo: toKobo(toBorneFeeKobo(state)),
      rateKobo,
    }),
    details: {
      keptKobo: Number(state.keptKobo),
      kobo: toMoved(before, state),
      rateKobo,
      ...(state.isCard ? { channel: "card" } : {}),
    },
    feeKobo: state.creditedKobo > 0n ? state.feeKobo : null,
    isHolding: [isHoldingPlayer(before), isHoldingPlayer(state)],
    isContested: [isContested(before), isContested(state)],
    refundKobo: state.refund !== null && before.refund?.at !== state.refund.at ? state.refund.kobo : null,
  };
}

/** How much of the deposit was given or taken. */
function toMoved(before: DepositState, state: DepositState): number {
  const moved = Number(state.keptKobo - before.keptKobo);
  return Math.abs(moved);
}
