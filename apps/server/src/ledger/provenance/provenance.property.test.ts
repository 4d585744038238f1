import { BrokenInvariant } from "@holo/kernel/assert.ts";
import type { GameId, PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import { addMs, HOUR_MS, type Instant } from "@holo/kernel/instant.ts";
import { toCoins, wholeCoins } from "@holo/kernel/money.ts";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { loadPieces, rebuildFrom } from "../testing/stored-pieces.ts";
import { at, makeTestLedger, naira, newGameId, newPaymentId, type TestLedger } from "../testing/test-ledger.ts";

if (!process.env.DEEP) fc.configureGlobal({ seed: 20_261_129 });

let database: Database;
let ledger: TestLedger;
let now: Instant = at;

beforeAll(async () => {
  database = await createTestDatabase();
  ledger = makeTestLedger(database, () => now);
});
afterAll(() => database.close());

const PLAYERS = 4;
const player = fc.nat({ max: PLAYERS - 1 });
/** Steps name the newest, second newest, … payment or game. */
const back = fc.nat({ max: 3 });
const coins = fc.constantFrom(20, 50, 130);
const stakeTotal = fc.constantFrom(10, 30, 90).map(wholeCoins);
const one = <Type extends string>(...types: readonly Type[]) => fc.constantFrom(...types);
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: one("deposit"), player, coins }) },
  {
    weight: 16,
    arbitrary: fc.record({ type: one("play"), player, other: player, stakeTotal, outcome: one("win", "win", "draw") }),
  },
  { weight: 3, arbitrary: fc.record({ type: one("withdraw"), player, coins }) },
  { weight: 3, arbitrary: fc.record({ type: one("giveBack", "takeAgain"), back }) },
  { weight: 3, arbitrary: fc.record({ type: one("reverse", "takePart", "returnDeposit"), back }) },
  { weight: 2, arbitrary: fc.record({ type: one("mark", "unmark"), back }) },
  { weight: 2, arbitrary: fc.record({ type: one("unmarkCoins", "appeal"), player }) },
  { weight: 2, arbitrary: fc.record({ type: one("markCoins"), player, back }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: one("forfeit"), player, from: player, to: one("origin", "loser", "loser"), back }),
  },
  { weight: 2, arbitrary: fc.record({ type: one("sit"), player }) },
  { weight: 1, arbitrary: fc.record({ type: one("refund"), back }) },
  { weight: 3, arbitrary: fc.record({ type: one("wait"), hours: fc.constantFrom(1, 23, 25) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface Deposit {
  readonly paymentId: PaymentId;
  readonly playerId: PlayerId;
}

async function take(
  next: Step,
  players: readonly PlayerId[],
  known: {
    readonly deposits: Deposit[];
    readonly withdrawals: PaymentId[];
    readonly games: GameId[];
    readonly ended: GameId[];
  },
): Promise<unknown> {
  const of = <Value>(all: readonly Value[], back: number): Value => all.at(-1 - (back % all.length))!;
  switch (next.type) {
    case "deposit": {
      const deposit = { paymentId: newPaymentId(), playerId: players[next.player]! };
      await ledger.deposit(deposit.paymentId, deposit.playerId, naira(next.coins));
      return known.deposits.push(deposit);
    }
    case "play": {
      if (next.player === next.other) return false;
      const pair = [players[next.player]!, players[next.other]!] as const;
      const balances = await Promise.all(pair.map((playerId) => ledger.balance(playerId)));
      const isCovered = balances.every((balance) => (balance ?? 0n) >= 2n * next.stakeTotal);
      if (!isCovered) return false;
      return known.ended.push(await ledger.play(next.stakeTotal, pair, next.outcome === "draw" ? null : pair[0]));
    }
    case "withdraw": {
      const paymentId = newPaymentId();
      const posted = await ledger.withdraw(paymentId, players[next.player]!, naira(next.coins));
      return posted.ok && known.withdrawals.push(paymentId);
    }
    case "giveBack":
    case "takeAgain":
      return await ledger[next.type](of(known.withdrawals, next.back));
    case "reverse":
      return await ledger.reverseDeposit(of(known.deposits, next.back).paymentId);
    case "takePart":
      return await ledger.takePart(of(known.deposits, next.back).paymentId, naira(10));
    case "returnDeposit":
      return await ledger.returnDeposit(of(known.deposits, next.back).paymentId);
    case "mark":
    case "unmark": {
      const { paymentId, playerId } = of(known.deposits, next.back);
      return await ledger[next.type](paymentId, playerId);
    }
    case "markCoins":
      return await ledger.markCoins(players[next.player]!, { games: toDoubted(known.ended, next.back) });
    case "unmarkCoins":
      return await ledger.unmarkCoins(players[next.player]!);
    case "forfeit":
      return await ledger.forfeit(players[next.player]!, next.to, {
        from: players[next.from]!,
        games: toDoubted(known.ended, next.back),
      });
    case "appeal":
      return await ledger.forfeitReturn(players[next.player]!, toCoins(wholeCoins(1)));
    case "sit": {
      const gameId = newGameId();
      const posted = await ledger.stake(gameId, 1, players[next.player]!, toCoins(wholeCoins(15)));
      return posted.ok && known.games.push(gameId);
    }
    case "refund":
      return await ledger.refund(of(known.games, next.back));
    case "wait":
      now = addMs(now, next.hours * HOUR_MS);
      return true;
  }
}

/** Some of the last games, or all. */
function toDoubted(ended: readonly GameId[], back: number): readonly GameId[] {
  return ended.slice(-3 * back).filter((_, index) => back === 0 || index % 2 === 0);
}

test("the stored pieces are those that follow from entries and marks, after any history", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 50, maxLength: 90 }), async (steps) => {
      const players = await Promise.all(Array.from({ length: PLAYERS }, () => ledger.addPlayer(wholeCoins(60))));
      const known = { deposits: [], withdrawals: [], games: [], ended: [] };
      for (const next of steps) {
        try {
          await take(next, players, known);
        } catch (error) {
          if (!(error instanceof BrokenInvariant || error instanceof TypeError)) throw error;
        }
      }
    }),
    { numRuns: process.env.DEEP ? 20 : 4 },
  );
  const stored = await loadPieces(database.kysely);
  expect(stored.pieces.length).toBeGreaterThan(60);
  expect(stored).toEqual(await rebuildFrom(database.kysely));
  expect(await ledger.audit()).toBeNull();
});
