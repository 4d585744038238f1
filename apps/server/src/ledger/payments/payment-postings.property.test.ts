import type { PlayerId } from "@holo/kernel/ids.ts";
import { toCoinsIn, toCoinsOut, toKobo, wholeCoins } from "@holo/kernel/money.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { loadPlatformFigures } from "../ledger.ts";
import { makeTestLedger, newPaymentId, rateKobo } from "../testing/test-ledger.ts";
import { toDepositPosition, toDifference, toWithdrawalPosition } from "./positions.ts";

if (!process.env.DEEP) fc.configureGlobal({ seed: 20_261_123 });

const RUNS = process.env.DEEP ? 500 : 15;
const PURE_RUNS = process.env.DEEP ? 100_000 : 2_000;
const PLAYER = "player-1" as PlayerId;

const kobo = fc.bigInt({ min: 1n, max: 100_000_000n }).map(toKobo);
const rate = fc.integer({ min: 100, max: 10_000_000 });
const kept = fc.record({ keptKobo: fc.bigInt({ min: 0n, max: 100_000_000n }).map(toKobo), rateKobo: rate });
const sent = fc.record({
  kobo,
  payerFeeKobo: fc.bigInt({ min: 0n, max: 1_000_000n }).map(toKobo),
  isBack: fc.boolean(),
  sentKobo: fc.bigInt({ min: 0n, max: 100_000_000n }).map(toKobo),
  rateKobo: rate,
  isExact: fc.boolean(),
});

test("each position balances, is worth its naira, and differs from itself by nothing", () => {
  fc.assert(
    fc.property(kept, sent, (deposit, { isExact, ...withdrawal }) => {
      const order = { ...withdrawal, sentKobo: isExact ? withdrawal.kobo : withdrawal.sentKobo, playerId: PLAYER };
      for (const position of [toDepositPosition({ ...deposit, playerId: PLAYER }), toWithdrawalPosition(order)]) {
        expect(position.reduce((sum, { amount }) => sum + amount, 0n)).toBe(0n);
        expect(toDifference(position, position)).toEqual([]);
      }
      const of = (kind: string) => toWithdrawalPosition(order).find(({ account }) => account.kind === kind)?.amount;
      expect(of("provider_loss")! <= 0n && of("withdrawal_clearing")! >= 0n).toBe(true);
      // No one has the coins twice: what is not with the owner is sent, on its way, or the platform's loss.
      if (isExact && !order.isBack) expect([of("provider_loss"), of("withdrawal_clearing")]).toEqual([0n, 0n]);
      if (order.isBack) expect([of("wallet"), of("provider_fees")]).toEqual([0n, 0n]);
    }),
    { numRuns: PURE_RUNS },
  );
});

/** A payment is told again and again what is true of it; the last word holds. */
const step = fc.oneof(
  fc.record({ type: fc.constant("keep" as const), payment: fc.nat({ max: 2 }), part: fc.nat({ max: 4 }) }),
  fc.record({ type: fc.constant("move" as const), payment: fc.nat({ max: 2 }), word: fc.nat({ max: 3 }) }),
);

test("holds after any history what its last word implies, and owes what a wallet lacked", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
      const database = await createTestDatabase();
      const ledger = makeTestLedger(database);
      const player = await ledger.addPlayer(wholeCoins(100));
      const whole = toKobo(500_001n);
      const deposits = [newPaymentId(), newPaymentId(), newPaymentId()];
      const withdrawals = [newPaymentId(), newPaymentId(), newPaymentId()];
      const keptOf = deposits.map(() => whole);
      const isBackOf = withdrawals.map(() => false);
      for (const id of deposits) await ledger.deposit(id, player, whole);
      for (const id of withdrawals) expect((await ledger.withdraw(id, player, whole)).ok).toBe(true);
      for (const next of steps) {
        if (next.type === "keep") {
          keptOf[next.payment] = toKobo((whole * BigInt(next.part)) / 4n);
          await ledger.keep(deposits[next.payment]!, keptOf[next.payment]!, true);
          continue;
        }
        const id = withdrawals[next.payment]!;
        if (next.word === 0) await ledger.paid(id);
        else if (next.word === 1) await ledger.sent(id, whole - 1n);
        else {
          isBackOf[next.payment] = true;
          await (next.word === 2 ? ledger.giveBack(id) : ledger.cameBack(id));
        }
      }
      const credited = keptOf.reduce((sum, one) => sum + toCoinsIn(one, rateKobo), 0n);
      const taken = BigInt(isBackOf.filter((isBack) => !isBack).length) * toCoinsOut(whole, rateKobo);
      const owned = ((await ledger.balance(player)) ?? 0n) - (await ledger.debt(player));
      expect(owned).toBe(wholeCoins(100) + credited - taken);
      const figures = await loadPlatformFigures(database.kysely);
      expect(Object.values(figures).reduce((total, coins) => total + coins, 0n)).toBe(0n);
      expect(await ledger.audit()).toBeNull();
      await database.close();
    }),
    { numRuns: RUNS },
  );
});
