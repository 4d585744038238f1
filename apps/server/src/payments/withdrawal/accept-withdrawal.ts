import { assert } from "@holo/kernel/assert.ts";
import { type CommandId, type PaymentId, type PlayerId, toPaymentId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { toCoinsOut } from "@holo/kernel/money.ts";
import type { WithdrawalTerms } from "@holo/protocol/payments/withdrawal-terms.ts";
import { loadMarkedPart, postWithdrawal, type Wallet } from "../../ledger/ledger.ts";
import type { Tx } from "../../platform/database/database.ts";
import { randomUUID } from "../../platform/runtime.ts";
import { toCheckAt, toFirstEndAt } from "../core/decide-withdrawal.ts";
import { NEW_WITHDRAWAL, type Wait } from "../core/withdrawal-state.ts";
import type { Follower } from "../facts/follower.ts";
import type { Payment } from "../payment.ts";
import type { BankAccount } from "../payment-base.ts";
import { savePayment } from "../store/payment-store.ts";
import { isFirstFromCard } from "./first-withdrawal.ts";
import type { Screening } from "./screening.ts";
import { splitWithdrawal, type WithdrawalPart } from "./split-withdrawal.ts";
import { makeWithdrawal } from "./withdrawal.ts";

type AfterCommit = Parameters<Screening>[1];

export interface WithdrawalOrder {
  readonly playerId: PlayerId;
  readonly commandId: CommandId;
  readonly rateKobo: number;
  readonly account: BankAccount;
}

interface Acceptance {
  readonly order: WithdrawalOrder;
  readonly commandId: CommandId;
  readonly partOf: PaymentId | null;
  /** Why it waits from the beginning, and until when. */
  readonly waits: readonly Wait[];
  readonly nextAskAt: Instant;
  readonly at: Instant;
}

interface Accepted {
  readonly payment: Payment;
  readonly wallets: readonly Wallet[];
}

/** Takes the coins of one payment and writes it. */
async function accept(
  tx: Tx,
  afterCommit: AfterCommit,
  follower: Follower,
  { kobo, feeKobo: payerFeeKobo, unplayedCoins }: WithdrawalPart,
  { order: { playerId, rateKobo, account }, commandId, partOf, waits, nextAskAt, at }: Acceptance,
): Promise<Accepted> {
  const coins = toCoinsOut(kobo, rateKobo);
  const given = { id: toPaymentId(randomUUID()), playerId, commandId, partOf, kobo, payerFeeKobo, rateKobo, coins };
  const withdrawal = makeWithdrawal("withdrawal", { ...given, account, createdAt: at, nextAskAt: at });
  const { id: paymentId, reference } = withdrawal;
  const taking = { paymentId, reference, playerId, kobo, payerFeeKobo, rateKobo, unplayedCoins, at };
  const posted = await postWithdrawal(tx, taking);
  assert(posted.ok && !posted.value.replayed, `the coins of ${paymentId} are there and could not be held`);
  assert(await savePayment(tx, withdrawal, null), `payment ${paymentId} exists already`);
  const { wallets } = posted.value;
  if (waits.length === 0) return { payment: withdrawal, wallets };
  const facts = waits.map((why) => ({ type: "waits", why }) as const);
  return { payment: (await follower.follow(tx, afterCommit, withdrawal, facts, { nextAskAt })).payment, wallets };
}

/**
 * One payment for what leaves at once, one for what waits because it is marked. Coins of a card
 * that wait as the first wait at the same time (ruling 51).
 */
export async function acceptParts(
  tx: Tx,
  afterCommit: AfterCommit,
  follower: Follower,
  { order, terms, at }: { readonly order: WithdrawalOrder; readonly terms: WithdrawalTerms; readonly at: Instant },
): Promise<readonly Accepted[]> {
  const { playerId, commandId, rateKobo } = order;
  const marked = await loadMarkedPart(tx, { playerId, coins: terms.takenCoins, at });
  const isFirst = terms.cardCoins > 0n && (await isFirstFromCard(tx, playerId));
  const { clean, held } = splitWithdrawal(terms, rateKobo, marked.coins);
  const parts: Accepted[] = [];
  for (const [part, isMarked] of [
    [clean, false],
    [held, true],
  ] as const) {
    if (part === null) continue;
    const [whole] = parts;
    const first: readonly Wait[] = isFirst && part.unplayedCoins > 0n ? ["first"] : [];
    const acceptance = {
      order,
      commandId: whole === undefined ? commandId : (randomUUID() as CommandId),
      partOf: whole?.payment.id ?? null,
      waits: isMarked ? [...first, "fair_play" as const] : first,
      nextAskAt: isMarked ? toCheckAt(NEW_WITHDRAWAL, marked.until, at) : toFirstEndAt({ firstAt: at })!,
      at,
    };
    parts.push(await accept(tx, afterCommit, follower, part, acceptance));
  }
  return parts;
}
