import { randomUUID } from "node:crypto";
import { assert, BrokenInvariant } from "@holo/kernel/assert.ts";
import type { GameId, PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import { addMs, HOUR_MS, type Instant, toInstant } from "@holo/kernel/instant.ts";
import { type Coins, type Kobo, toCoins, toCoinsOut, toKobo, wholeCoins } from "@holo/kernel/money.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import { audit, type BrokenFinding } from "../../platform/database/invariant.ts";
import { transact } from "../../platform/database/transaction.ts";
import { ledgerInvariants } from "../audit/audit.ts";
import {
  type ForfeitReceiver,
  loadDebt,
  loadWallet,
  loadWalletOrigins,
  lockWallet,
  markCoins,
  markDeposit,
  openWallet,
  postClosingRemainder,
  postForfeit,
  postForfeitReturn,
  postOpening,
  postPosition,
  postProviderFee,
  postWithdrawal,
  toDepositPosition,
  toWithdrawalPosition,
  unmarkCoins,
  unmarkDeposit,
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

/** Coins of one depositor, or of all; won in these games, or in any. */
interface Which {
  readonly from?: PlayerId | null;
  readonly games?: readonly GameId[] | null;
}

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

export function makeTestLedger(database: Database, now: () => Instant = () => at) {
  const inTransaction = <Value>(work: (tx: Tx) => Promise<Value>): Promise<Value> => transact(database, work);
  const told = new Map<PaymentId, Told>();
  const casesOf = new Map<PlayerId, readonly string[]>();

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
      at: now(),
    };
    return inTransaction((tx) => postPosition(tx, order));
  }

  function keep(paymentId: PaymentId, keptKobo: Kobo, isCorrection = false): Promise<readonly Wallet[]> {
    const payment = find(paymentId);
    if (payment.kind === "deposit") payment.keptKobo = keptKobo;
    return settle(paymentId, isCorrection);
  }

  function move(
    paymentId: PaymentId,
    change: { readonly isBack?: boolean; readonly sentKobo?: Kobo },
    isCorrection = false,
  ) {
    Object.assign(find(paymentId), change);
    return settle(paymentId, isCorrection);
  }

  async function withdraw(paymentId: PaymentId, playerId: PlayerId | null, kobo: Kobo, payerFeeKobo = toKobo(0n)) {
    const unplayedCoins = toCoinsOut(toKobo(kobo + payerFeeKobo), rateKobo);
    const order = { paymentId, reference: toReference(paymentId), playerId, kobo, payerFeeKobo, rateKobo, at: now() };
    const unplayed = payerFeeKobo === 0n ? {} : { unplayedCoins };
    const posted = await inTransaction((tx) => postWithdrawal(tx, { ...order, ...unplayed }));
    if (posted.ok && !posted.value.replayed) {
      const facts = { isBack: false, sentKobo: toKobo(0n) };
      told.set(paymentId, { kind: "withdrawal", fact: 0, playerId, kobo, payerFeeKobo, ...facts });
    }
    return posted;
  }

  /** What a player holds of coins won from others. */
  async function findWon(playerId: PlayerId, { from = null, games = null }: Which) {
    const origins = await loadWalletOrigins(database.kysely, playerId, now());
    const wanted = origins.filter(({ origin }) => from === null || origin.playerId === from);
    return {
      depositIds: [...new Set(wanted.map(({ origin }) => origin.pieceId))],
      gameIds: games ?? wanted.flatMap(({ wonFrom }) => wonFrom?.gameId ?? []),
    };
  }

  return {
    async addPlayer(balance: Coins = wholeCoins(500)): Promise<PlayerId> {
      const playerId = randomUUID() as PlayerId;
      await inTransaction(async (tx) => {
        await openWallet(tx, playerId, now());
        if (balance > 0n) await postOpening(tx, { playerId, amount: balance, at: now() });
      });
      return playerId;
    },
    stake: (gameId: GameId, seat: 1 | 2, playerId: PlayerId, amount: Coins = terms.entry) =>
      inTransaction((tx) => postStake(tx, { gameId, seat, playerId, amount, at: now() })),
    win: (gameId: GameId, winnerId: PlayerId, finalHash = "f1") =>
      inTransaction((tx) => postWin(tx, { ...terms, gameId, winnerId, finalHash, at: now() })),
    draw: (gameId: GameId, finalHash = "f1") =>
      inTransaction((tx) => postDraw(tx, { ...terms, gameId, finalHash, at: now() })),
    /** A game with this stake total that ends at once; without a winner it is drawn. */
    async play(stakeTotal: Coins, [first, second]: readonly [PlayerId, PlayerId], winnerId: PlayerId | null) {
      const gameId = newGameId();
      const [amount, platformFee] = [toCoins((stakeTotal * 1_074n) / 1_000n), toCoins((stakeTotal * 148n) / 1_000n)];
      for (const [seat, playerId] of [
        [1, first],
        [2, second],
      ] as const) {
        const staked = await inTransaction((tx) => postStake(tx, { gameId, seat, playerId, amount, at: now() }));
        assert(staked.ok, `${playerId} cannot pay the stake`);
      }
      const end = { gameId, platformFee, finalHash: "f1", at: now() };
      await inTransaction(async (tx) =>
        winnerId === null
          ? await postDraw(tx, { ...end, drawReturn: stakeTotal })
          : await postWin(tx, { ...end, winnerId, winnings: toCoins(2n * stakeTotal) }),
      );
      return gameId;
    },
    mark: (paymentId: PaymentId, playerId: PlayerId) =>
      inTransaction((tx) => markDeposit(tx, { paymentId, playerId }, now())),
    unmark: (paymentId: PaymentId, playerId: PlayerId) =>
      inTransaction((tx) => unmarkDeposit(tx, { paymentId, playerId })),
    /** What a player won, as a case marks it. */
    async markCoins(
      playerId: PlayerId,
      { until = addMs(now(), 72 * HOUR_MS), ...which }: Which & { until?: Instant } = {},
    ) {
      const won = await findWon(playerId, which);
      const caseId = `case-${randomUUID()}`;
      casesOf.set(playerId, [...(casesOf.get(playerId) ?? []), caseId]);
      await inTransaction(async (tx) => {
        await lockWallet(tx, playerId);
        await markCoins(tx, { caseId, playerId, until, ...won });
      });
    },
    async unmarkCoins(playerId: PlayerId) {
      await inTransaction(async (tx) => {
        await lockWallet(tx, playerId);
        for (const caseId of casesOf.get(playerId) ?? []) await unmarkCoins(tx, caseId);
      });
    },
    async forfeit(playerId: PlayerId, to: ForfeitReceiver, which: Which = {}) {
      const won = await findWon(playerId, which);
      const caseId = `case-${randomUUID()}`;
      return await inTransaction(async (tx) => {
        await lockWallet(tx, playerId);
        await markCoins(tx, { caseId, playerId, until: addMs(now(), 72 * HOUR_MS), ...won });
        const forfeited = await postForfeit(tx, { caseId, playerId, to, at: now() });
        await unmarkCoins(tx, caseId);
        return forfeited;
      });
    },
    forfeitReturn: (playerId: PlayerId, coins: Coins) =>
      inTransaction((tx) => postForfeitReturn(tx, { caseId: `case-${randomUUID()}`, playerId, coins, at: now() })),
    refund: (gameId: GameId) => inTransaction((tx) => postRefund(tx, { gameId, at: now() })),
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
        postClosingRemainder(tx, { source: `closing:${playerId}`, playerId, amount, rateKobo, at: now() }),
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
    /** By staff, after it was returned. */
    takeAgain: (paymentId: PaymentId) => move(paymentId, { isBack: false }, true),
    cameBack: (paymentId: PaymentId) => move(paymentId, { isBack: true, sentKobo: toKobo(0n) }),
    paidLate: (paymentId: PaymentId) => move(paymentId, { sentKobo: find(paymentId).kobo }),
    fee: (paymentId: PaymentId, kobo: Kobo) =>
      inTransaction((tx) =>
        postProviderFee(tx, { paymentId, reference: toReference(paymentId), kobo, rateKobo, at: now() }),
      ),
    debt: (playerId: PlayerId): Promise<Coins> => loadDebt(database.kysely, playerId),
    balance: async (playerId: PlayerId): Promise<Coins | undefined> =>
      (await loadWallet(database.kysely, playerId))?.balance,
    audit: (): Promise<BrokenFinding | null> => audit(database.kysely, ledgerInvariants),
  };
}

export type TestLedger = ReturnType<typeof makeTestLedger>;
