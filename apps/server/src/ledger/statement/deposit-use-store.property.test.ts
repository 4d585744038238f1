import { BrokenInvariant } from "@holo/kernel/assert.ts";
import type { PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import { COINS_MAX, type Coins, toCoins, toKobo, wholeCoins } from "@holo/kernel/money.ts";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { loadUnplayed } from "../ledger.ts";
import { makeTestLedger, newGameId, newPaymentId, type TestLedger } from "../testing/test-ledger.ts";
import { type DepositUse, decideUnplayed } from "./decide-unplayed.ts";

if (!process.env.DEEP) fc.configureGlobal({ seed: 20_261_123 });

let database: Database;
let ledger: TestLedger;

beforeAll(async () => {
  database = await createTestDatabase();
  ledger = makeTestLedger(database);
});

afterAll(() => database.close());

/** Steps name the newest, second newest, … deposit, withdrawal or game of the player. */
const back = fc.nat({ max: 2 });
const kobo = fc.constantFrom(500_000n, 500_001n, 1_999_999n).map(toKobo);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant("deposit" as const), kobo }) },
  { weight: 5, arbitrary: fc.record({ type: fc.constant("stake" as const) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("refund" as const), back }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constantFrom("reverse" as const, "sendBack" as const), back }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom("return" as const, "giveBack" as const), back }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constantFrom("withdraw" as const, "withdrawUnplayed" as const), kobo }),
  },
);
/** The last deposit replaces the first, which was reversed after it was staked. */
const TAKEN_BACK_AFTER_PLAY: Step[] = [
  { type: "deposit", kobo: toKobo(500_000n) },
  { type: "stake" },
  { type: "reverse", back: 0 },
  { type: "stake" },
  { type: "deposit", kobo: toKobo(500_000n) },
];
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

async function take(steps: readonly Step[], player: PlayerId): Promise<void> {
  const deposits: PaymentId[] = [newPaymentId()];
  const withdrawals: PaymentId[] = [newPaymentId()];
  const games = [newGameId()];
  for (const next of steps) {
    try {
      switch (next.type) {
        case "deposit":
          deposits.push(newPaymentId());
          await ledger.deposit(deposits.at(-1)!, player, next.kobo);
          await ledger.fee(deposits.at(-1)!, toKobo(next.kobo / 100n));
          break;
        case "stake":
          games.push(newGameId());
          await ledger.stake(games.at(-1)!, 1, player);
          break;
        case "refund":
          await ledger.refund(games.at(-1 - next.back) ?? games[0]!);
          break;
        case "reverse":
          await ledger.reverseDeposit(deposits.at(-1 - next.back) ?? deposits[0]!);
          break;
        case "return":
          await ledger.returnDeposit(deposits.at(-1 - next.back) ?? deposits[0]!);
          break;
        case "sendBack":
          await ledger.takePart(deposits.at(-1 - next.back) ?? deposits[0]!, 100_001n);
          break;
        case "giveBack":
          await ledger.giveBack(withdrawals.at(-1 - next.back) ?? withdrawals[0]!);
          break;
        case "withdraw":
          withdrawals.push(newPaymentId());
          await ledger.withdraw(withdrawals.at(-1)!, player, next.kobo);
          break;
        case "withdrawUnplayed":
          withdrawals.push(newPaymentId());
          await ledger.withdrawUnplayed(withdrawals.at(-1)!, player, next.kobo, toKobo(18_500n));
          break;
      }
    } catch (error) {
      // An order that makes no sense, such as a return before its reversal.
      if (!(error instanceof BrokenInvariant)) throw error;
    }
  }
}

interface HistoryRow {
  readonly kind: string;
  readonly source: string;
  readonly settled_game: string | null;
  readonly details: string;
  readonly coins: Coins;
  readonly is_gain: boolean;
}

/** What happened to all deposits of a player, read from all journal entries. */
async function loadWholeHistory(player: PlayerId): Promise<readonly DepositUse[]> {
  const { rows } = await database.pool.query<HistoryRow>(
    `select entry.kind, entry.source, entry.settled_game, entry.details, abs(sum(posting.amount))::bigint as coins,
       sum(posting.amount) > 0 as is_gain
     from ledger_accounts account join ledger_postings posting on posting.account_id = account.id
     join ledger_entries entry on entry.id = posting.entry_id
     where account.kind in ('wallet', 'debts') and account.owner = $1 group by entry.id order by entry.id`,
    [player],
  );
  const { rows: fees } = await database.pool.query<HistoryRow>(
    "select source, details from ledger_entries where kind = 'provider_fee'",
  );
  const undone = new Set(rows.map((row) => `${row.kind} ${row.settled_game ?? row.source.split(":")[0]}`));
  return rows.flatMap(({ kind, source, details, coins, is_gain: isGain }): readonly DepositUse[] => {
    const cause = source.split(":")[0] as PaymentId;
    const facts = JSON.parse(details) as { readonly unplayed?: string; readonly rateKobo: number };
    const terms = { rateKobo: facts.rateKobo, isCard: false };
    switch (kind) {
      case "deposit": {
        const fee = JSON.parse(fees.find((one) => one.source === `${source}:fee`)?.details ?? '{"kobo":0}');
        return [{ type: "deposited", paymentId: cause, coins, feeKobo: toKobo(BigInt(fee.kobo)), ...terms }];
      }
      case "deposit_taken":
        return [{ type: "taken_back", paymentId: cause, coins }];
      case "correction":
        if (!details.includes("keptKobo")) return [];
        return isGain
          ? [{ type: "deposited", paymentId: cause, coins, feeKobo: toKobo(0n), ...terms }]
          : [{ type: "taken_back", paymentId: cause, coins }];
      case "stake":
        return undone.has(`refund ${cause}`) ? [] : [{ type: "staked", coins }];
      case "withdrawal": {
        if (undone.has(`withdrawal_return ${cause}`)) return [];
        return [{ type: "withdrawn", unplayedCoins: toCoins(BigInt(facts.unplayed ?? 0)) }];
      }
      default:
        return [];
    }
  });
}

test("finds the same unplayed deposits as the whole history of a player, of which it reads the end", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 20, size: "max" }), async (steps) => {
      const player = await ledger.addPlayer(wholeCoins(200));
      await take(steps, player);
      const whole = decideUnplayed(await loadWholeHistory(player), toCoins(COINS_MAX));
      expect(await loadUnplayed(database.kysely, player, toCoins(COINS_MAX))).toEqual(whole);
    }),
    { numRuns: process.env.DEEP ? 2_000 : 30, examples: [[TAKEN_BACK_AFTER_PLAY]] },
  );
});
