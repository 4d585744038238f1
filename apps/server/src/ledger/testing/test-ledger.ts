import { randomUUID } from "node:crypto";
import { BrokenInvariant } from "@holo/kernel/assert.ts";
import type { GameId, PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import { toInstant } from "@holo/kernel/instant.ts";
import { type Coins, type Kobo, toCoins, toCoinsOut, toKobo, wholeCoins } from "@holo/kernel/money.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import { audit, type BrokenFinding } from "../../platform/database/invariant.ts";
import { transact } from "../../platform/database/transaction.ts";
import { ledgerInvariants } from "../audit/audit.ts";
import {
  loadDebt,
  loadWallet,
  openWallet,
  postClosingRemainder,
  postOpening,
  postPosition,
  postProviderFee,
  postWithdrawal,
  toDepositPosition,
  toWithdrawalPosition,
  type Wallet,
} from "../ledger.ts";
import { postDraw, postRefund, postStake, postWin } from "./game-postings.ts";

export const at = toInstant(Date.UTC(2026, 0, 1));
/** Checkers at 5 HC a piece: T = 60, each buy-in is 64.44, both fees are 8.88. */
export const terms = {
  entry: toCoins(64_440_000n),
  winnings: toCoins(120_000_000n),
  drawReturn: toCoins(60_000_000n),
  platformFee: toCoins(8_880_000n),
};

export const newGameId = (): GameId => randomUUID() as GameId;

export const newPaymentId = (): PaymentId => randomUUID() as PaymentId;
export const rateKobo = 30_600;
/** The kobo of exactly this many whole holocoins. */
export const naira = (coins: number): Kobo => toKobo(BigInt(coins * rateKobo));

const toReference = (paymentId: PaymentId): string => `holo-${paymentId}`;

/** What is true of a payment, and how often it changed. */
type Told = { fact: number } & (
  | { readonly kind: "deposit"; readonly playerId: PlayerId; readonly kobo: Kobo; keptKobo: Kobo }
  | {
      readonly kind: "withdrawal";
      readonly playerId: PlayerId | null;
      readonly kobo: Kobo;
      readonly payerFeeKobo: Kobo;
      isBack: boolean;
      sentKobo: Kobo;
    }
);

export function makeTestLedger(database: Database) {
  const inTransaction = <Value>(work: (tx: Tx) => Promise<Value>): Promise<Value> => transact(database, work);
  const told = new Map<PaymentId, Told>();

  function find(paymentId: PaymentId): Told {
    const known = told.get(paymentId);
    if (known === undefined) throw new BrokenInvariant(`payment ${paymentId} was never begun`);
    return known;
  }

  function settle(paymentId: PaymentId, isCorrection: boolean): Promise<readonly Wallet[]> {
    const payment = find(paymentId);
    payment.fact += 1;
    const position =
      payment.kind === "deposit"
        ? toDepositPosition({ ...payment, rateKobo })
        : toWithdrawalPosition({ ...payment, rateKobo });
    const { kobo, fact } = payment;
    const kept = payment.kind === "deposit" ? { keptKobo: Number(payment.keptKobo) } : {};
    const details = { kobo: Number(kobo), rateKobo, ...kept };
    const order = {
      paymentId,
      reference: toReference(paymentId),
      position,
      fact,
      isDeposit: payment.kind === "deposit",
      isCorrection,
      details,
      at,
    };
    return inTransaction((tx) => postPosition(tx, order));
  }

  function keep(paymentId: PaymentId, keptKobo: Kobo, isCorrection = false): Promise<readonly Wallet[]> {
    const payment = find(paymentId);
    if (payment.kind === "deposit") payment.keptKobo = keptKobo;
    return settle(paymentId, isCorrection);
  }

  function move(paymentId: PaymentId, change: { readonly isBack?: boolean; readonly sentKobo?: Kobo }) {
    Object.assign(find(paymentId), change);
    return settle(paymentId, false);
  }

  async function withdraw(paymentId: PaymentId, playerId: PlayerId | null, kobo: Kobo, payerFeeKobo = toKobo(0n)) {
    const unplayedCoins = toCoinsOut(toKobo(kobo + payerFeeKobo), rateKobo);
    const order = { paymentId, reference: toReference(paymentId), playerId, kobo, payerFeeKobo, rateKobo, at };
    const unplayed = payerFeeKobo === 0n ? {} : { unplayedCoins };
    const posted = await inTransaction((tx) => postWithdrawal(tx, { ...order, ...unplayed }));
    if (posted.ok && !posted.value.replayed) {
      const facts = { isBack: false, sentKobo: toKobo(0n) };
      told.set(paymentId, { kind: "withdrawal", fact: 0, playerId, kobo, payerFeeKobo, ...facts });
    }
    return posted;
  }

  return {
    async addPlayer(balance: Coins = wholeCoins(500)): Promise<PlayerId> {
      const playerId = randomUUID() as PlayerId;
      await inTransaction(async (tx) => {
        await openWallet(tx, playerId, at);
        if (balance > 0n) await postOpening(tx, { playerId, amount: balance, at });
      });
      return playerId;
    },
    stake: (gameId: GameId, seat: 1 | 2, playerId: PlayerId, amount: Coins = terms.entry) =>
      inTransaction((tx) => postStake(tx, { gameId, seat, playerId, amount, at })),
    win: (gameId: GameId, winnerId: PlayerId, finalHash = "f1") =>
      inTransaction((tx) => postWin(tx, { ...terms, gameId, winnerId, finalHash, at })),
    draw: (gameId: GameId, finalHash = "f1") =>
      inTransaction((tx) => postDraw(tx, { ...terms, gameId, finalHash, at })),
    refund: (gameId: GameId) => inTransaction((tx) => postRefund(tx, { gameId, at })),
    /** The player has `keptKobo` of it from now on. */
    keep,
    deposit: (paymentId: PaymentId, playerId: PlayerId, kobo: Kobo) => {
      told.set(paymentId, { kind: "deposit", fact: 0, playerId, kobo, keptKobo: toKobo(0n) });
      return keep(paymentId, kobo);
    },
    reverseDeposit: (paymentId: PaymentId) => keep(paymentId, toKobo(0n)),
    /** By staff, after it was taken. */
    returnDeposit: (paymentId: PaymentId) => keep(paymentId, find(paymentId).kobo, true),
    /** So much of it is gone in total. */
    takePart: (paymentId: PaymentId, gone: bigint) => keep(paymentId, toKobo(find(paymentId).kobo - gone)),
    leave: (playerId: PlayerId, amount: Coins) =>
      inTransaction((tx) =>
        postClosingRemainder(tx, { source: `closing:${playerId}`, playerId, amount, rateKobo, at }),
      ),
    withdraw: (paymentId: PaymentId, playerId: PlayerId, kobo: Kobo) => withdraw(paymentId, playerId, kobo),
    /** Sends `kobo` and bears this fee in addition. */
    withdrawUnplayed: (paymentId: PaymentId, playerId: PlayerId, kobo: Kobo, feeKobo: Kobo) =>
      withdraw(paymentId, playerId, kobo, feeKobo),
    withdrawRevenue: (paymentId: PaymentId, kobo: Kobo) => withdraw(paymentId, null, kobo),
    giveBack: (paymentId: PaymentId) => move(paymentId, { isBack: true, sentKobo: toKobo(0n) }),
    paid: (paymentId: PaymentId) => move(paymentId, { sentKobo: find(paymentId).kobo }),
    /** So much left the provider. */
    sent: (paymentId: PaymentId, kobo: bigint) => move(paymentId, { sentKobo: toKobo(kobo) }),
    cameBack: (paymentId: PaymentId) => move(paymentId, { isBack: true, sentKobo: toKobo(0n) }),
    paidLate: (paymentId: PaymentId) => move(paymentId, { sentKobo: find(paymentId).kobo }),
    fee: (paymentId: PaymentId, kobo: Kobo) =>
      inTransaction((tx) => postProviderFee(tx, { paymentId, reference: toReference(paymentId), kobo, rateKobo, at })),
    debt: (playerId: PlayerId): Promise<Coins> => loadDebt(database.kysely, playerId),
    balance: async (playerId: PlayerId): Promise<Coins | undefined> =>
      (await loadWallet(database.kysely, playerId))?.balance,
    audit: (): Promise<BrokenFinding | null> => audit(database.kysely, ledgerInvariants),
  };
}

export type TestLedger = ReturnType<typeof makeTestLedger>;
