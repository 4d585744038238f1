import { randomUUID } from "node:crypto";
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
  postDeposit,
  postDepositReturn,
  postDepositReversal,
  postDepositSentBack,
  postLateReversal,
  postLateSuccess,
  postOpening,
  postProviderFee,
  postRevenueWithdrawal,
  postWithdrawalHold,
  postWithdrawalPaid,
  postWithdrawalReturn,
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

const toPayment = (paymentId: PaymentId, kobo: Kobo) => ({
  paymentId,
  reference: `holo-${paymentId}`,
  kobo,
  rateKobo,
  at,
});

export function makeTestLedger(database: Database) {
  const inTransaction = <Value>(work: (tx: Tx) => Promise<Value>): Promise<Value> => transact(database, work);
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
    deposit: (paymentId: PaymentId, playerId: PlayerId, kobo: Kobo) =>
      inTransaction((tx) => postDeposit(tx, { ...toPayment(paymentId, kobo), playerId })),
    reverseDeposit: (paymentId: PaymentId) => inTransaction((tx) => postDepositReversal(tx, { paymentId, at })),
    returnDeposit: (paymentId: PaymentId) => inTransaction((tx) => postDepositReturn(tx, { paymentId, at })),
    sendBack: (paymentId: PaymentId, booked: bigint, gone: bigint, bearer: "player" | "platform") =>
      inTransaction((tx) =>
        postDepositSentBack(tx, { paymentId, allocatedKobo: toKobo(booked), refundedKobo: toKobo(gone), bearer, at }),
      ),
    leave: (playerId: PlayerId, amount: Coins) =>
      inTransaction((tx) =>
        postClosingRemainder(tx, { source: `closing:${playerId}`, playerId, amount, rateKobo, at }),
      ),
    withdraw: (paymentId: PaymentId, playerId: PlayerId, kobo: Kobo) =>
      inTransaction((tx) => postWithdrawalHold(tx, { ...toPayment(paymentId, kobo), playerId })),
    /** Sends `kobo` and bears this fee in addition. */
    withdrawUnplayed: (paymentId: PaymentId, playerId: PlayerId, kobo: Kobo, feeKobo: Kobo) => {
      const unplayed = { coins: toCoinsOut(toKobo(kobo + feeKobo), rateKobo), feeKobo };
      return inTransaction((tx) => postWithdrawalHold(tx, { ...toPayment(paymentId, kobo), playerId, unplayed }));
    },
    withdrawRevenue: (paymentId: PaymentId, kobo: Kobo) =>
      inTransaction((tx) => postRevenueWithdrawal(tx, toPayment(paymentId, kobo))),
    giveBack: (paymentId: PaymentId) => inTransaction((tx) => postWithdrawalReturn(tx, { paymentId, at })),
    paid: (paymentId: PaymentId) => inTransaction((tx) => postWithdrawalPaid(tx, { paymentId, at })),
    cameBack: (paymentId: PaymentId) => inTransaction((tx) => postLateReversal(tx, { paymentId, at })),
    paidLate: (paymentId: PaymentId) => inTransaction((tx) => postLateSuccess(tx, { paymentId, at })),
    fee: (paymentId: PaymentId, kobo: Kobo) => inTransaction((tx) => postProviderFee(tx, toPayment(paymentId, kobo))),
    debt: (playerId: PlayerId): Promise<Coins> => loadDebt(database.kysely, playerId),
    balance: async (playerId: PlayerId): Promise<Coins | undefined> =>
      (await loadWallet(database.kysely, playerId))?.balance,
    audit: (): Promise<BrokenFinding | null> => audit(database.kysely, ledgerInvariants),
  };
}

export type TestLedger = ReturnType<typeof makeTestLedger>;
