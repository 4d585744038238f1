import { BrokenInvariant } from "@holo/kernel/assert.ts";
import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { wholeCoins } from "@holo/kernel/money.ts";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../platform/database/database.ts";
import { createTestDatabase } from "../platform/testing/test-database.ts";
import { loadPlatformFigures } from "./ledger.ts";
import { makeTestLedger, newGameId, type TestLedger } from "./testing/test-ledger.ts";

if (!process.env.DEEP) fc.configureGlobal({ seed: 20_261_123 });

let database: Database;
let ledger: TestLedger;

beforeAll(async () => {
  database = await createTestDatabase();
  ledger = makeTestLedger(database);
});

afterAll(() => database.close());

const PLAYERS = 3;
const GAMES = 3;
const game = fc.nat({ max: GAMES - 1 });
const player = fc.nat({ max: PLAYERS - 1 });
const step = fc.oneof(
  fc.record({ type: fc.constant("stake" as const), game, player, seat: fc.constantFrom(1 as const, 2 as const) }),
  fc.record({ type: fc.constant("win" as const), game, player }),
  fc.record({ type: fc.constant("draw" as const), game }),
  fc.record({ type: fc.constant("refund" as const), game }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

async function take(step: Step, games: readonly GameId[], players: readonly PlayerId[]): Promise<void> {
  const gameId = games[step.game];
  const playerId = "player" in step ? players[step.player] : players[0];
  if (gameId === undefined || playerId === undefined) throw new Error("no such game or player");
  switch (step.type) {
    case "stake":
      await ledger.stake(gameId, step.seat, playerId);
      break;
    case "win":
      await ledger.win(gameId, playerId);
      break;
    case "draw":
      await ledger.draw(gameId);
      break;
    case "refund":
      await ledger.refund(gameId);
      break;
  }
}

/** Steps that the arena never takes. The audit is right to object to them. */
function isSenseless(steps: readonly Step[], upTo: Step): boolean {
  if (upTo.type !== "stake") return false;
  return steps.some((before) => {
    if (before.game !== upTo.game) return false;
    return before.type !== "stake" || (before.seat !== upTo.seat && before.player === upTo.player);
  });
}

test("accounts for every coin after any sequence of orders", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
      const players = await Promise.all(Array.from({ length: PLAYERS }, () => ledger.addPlayer(wholeCoins(150))));
      const games = Array.from({ length: GAMES }, newGameId);
      const taken: Step[] = [];
      for (const next of steps) {
        if (isSenseless(taken, next)) continue;
        taken.push(next);
        try {
          await take(next, games, players);
        } catch (error) {
          if (!(error instanceof BrokenInvariant)) throw error;
        }
      }
      expect(await ledger.audit()).toBeNull();
      const { wallets, escrow, revenue, opening } = await loadPlatformFigures(database.kysely);
      expect(wallets + escrow + revenue).toBe(-opening);
    }),
    { numRuns: 40 },
  );
});
