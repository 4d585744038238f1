import { BrokenInvariant } from "@holo/kernel/assert.ts";
import type { GameId, PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import { toCoinsIn, toCoinsOut, toKobo, wholeCoins } from "@holo/kernel/money.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { loadPlatformFigures, type PlatformFigures } from "../ledger.ts";
import { makeTestLedger, newGameId, newPaymentId, rateKobo, type TestLedger, terms } from "../testing/test-ledger.ts";

if (!process.env.DEEP) fc.configureGlobal({ seed: 20_261_123 });

const RUNS = process.env.DEEP ? 1_000 : 12;
/** Stops shrinking before the test's own limit, which loses the counterexample. */
const SHRINKING_MS_MAX = process.env.DEEP ? 500_000 : 50_000;
const PLAYERS = 2;
const GAMES = 3;
const PAYMENTS = 3;
/** Little more than one buy-in, so that a reversed deposit is often spent already. */
const OPENING = wholeCoins(70);
const player = fc.nat({ max: PLAYERS - 1 });
const game = fc.nat({ max: GAMES - 1 });
const payment = fc.nat({ max: PAYMENTS - 1 });
/** Few amounts, so that orders repeat, and uneven ones, so that they are rounded. */
const kobo = fc.constantFrom(500_000n, 500_001n, 1_999_999n, 4_590_000n).map(toKobo);
const type = <Type extends string>(...types: readonly Type[]) => fc.constantFrom(...types);

const step = fc.oneof(
  fc.record({ type: type("deposit"), payment, player, kobo }),
  fc.record({ type: type("reverseDeposit"), payment }),
  fc.record({ type: type("returnDeposit"), payment }),
  fc.record({
    type: type("sendBack"),
    payment,
    bearer: type("player", "platform"),
    gone: fc.constantFrom(1n, 100_001n, 500_000n),
  }),
  fc.record({ type: type("withdraw"), payment, player, kobo }),
  fc.record({
    type: type("withdrawUnplayed"),
    payment,
    player,
    kobo,
    feeKobo: fc.constantFrom(1n, 18_500n).map(toKobo),
  }),
  fc.record({ type: type("giveBack", "paid", "cameBack", "paidLate"), payment }),
  fc.record({ type: type("fee"), payment, kobo }),
  fc.record({ type: type("withdrawRevenue"), payment: fc.nat({ max: 1 }), kobo }),
  fc.record({ type: type("revenueBack", "revenuePaid"), payment: fc.nat({ max: 1 }) }),
  fc.record({ type: type("stake"), game, player }),
  fc.record({ type: type("win", "draw", "refund"), game }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface Game {
  readonly id: GameId;
  readonly seats: PlayerId[];
  isSettled: boolean;
  last: Promise<void>;
}

function openModel(ledger: TestLedger, players: readonly PlayerId[]) {
  const owned = new Map(players.map((id) => [id, OPENING as bigint]));
  const deposits = Array.from({ length: PAYMENTS }, newPaymentId);
  const withdrawals = Array.from({ length: PAYMENTS }, newPaymentId);
  const revenues = [newPaymentId(), newPaymentId()];
  const games = Array.from({ length: GAMES }, (): Game => {
    return { id: newGameId(), seats: [], isSettled: false, last: Promise.resolve() };
  });
  const credits = new Map<PaymentId, readonly [PlayerId, bigint, bigint]>();
  const holds = new Map<PaymentId, readonly [PlayerId | null, bigint]>();
  const fees = new Map<PaymentId, bigint>();
  const words = new Map<PaymentId, Set<string>>();
  const taken = new Set<PaymentId>();
  /** Allocated refunds of a deposit, each with its range in kobo and its bearer. */
  const booked: { readonly id: PaymentId; readonly from: bigint; readonly to: bigint; readonly isPlayers: boolean }[] =
    [];
  let feesEarned = 0n;

  const returned = new Set<PaymentId>();

  const add = (id: PlayerId, coins: bigint): void => void owned.set(id, (owned.get(id) ?? 0n) + coins);
  const takesEffect = (answer: { readonly ok: boolean; readonly value?: { readonly replayed: boolean } }): boolean =>
    answer.ok && answer.value?.replayed === false;

  async function report(id: PaymentId, word: "giveBack" | "paid" | "cameBack" | "paidLate"): Promise<void> {
    if (takesEffect(await ledger[word](id))) words.set(id, (words.get(id) ?? new Set()).add(word));
  }

  /**
   * Allocates up to `gone` of the deposit. Of two concurrent calls, one finds the other's result.
   */
  async function sendBack(id: PaymentId, gone: bigint, bearer: "player" | "platform"): Promise<void> {
    const from = booked.reduce((most, part) => (part.id === id && part.to > most ? part.to : most), 0n);
    const to = from + gone;
    if (takesEffect(await ledger.sendBack(id, from, to, bearer))) {
      booked.push({ id, from, to, isPlayers: bearer === "player" });
    }
  }

  async function stake(at: Game, id: PlayerId): Promise<void> {
    if (at.isSettled || at.seats.includes(id) || at.seats.length === 2) return;
    const answer = await ledger.stake(at.id, at.seats.length === 0 ? 1 : 2, id);
    if (!takesEffect(answer)) return;
    at.seats.push(id);
    add(id, -terms.entry);
  }

  async function settle(at: Game, how: "win" | "draw" | "refund"): Promise<void> {
    const [first] = at.seats;
    if (at.isSettled || first === undefined || (how !== "refund" && at.seats.length < 2)) return;
    at.isSettled = true;
    if (how === "win") await ledger.win(at.id, first);
    else await ledger[how](at.id);
    const paid = how === "draw" ? terms.drawReturn : terms.entry;
    if (how === "win") add(first, terms.winnings);
    else for (const id of at.seats) add(id, paid);
    if (how !== "refund") feesEarned += terms.platformFee;
  }

  async function take(next: Step): Promise<void> {
    switch (next.type) {
      case "deposit": {
        const [id, owner] = [deposits[next.payment]!, players[next.player]!];
        if (!takesEffect(await ledger.deposit(id, owner, next.kobo))) return;
        const credit = toCoinsIn(next.kobo, rateKobo);
        credits.set(id, [owner, credit, next.kobo]);
        return add(owner, credit);
      }
      case "reverseDeposit": {
        const id = deposits[next.payment]!;
        if (!(await ledger.reverseDeposit(id)).replayed) taken.add(id);
        return;
      }
      case "returnDeposit": {
        const id = deposits[next.payment]!;
        if (!(await ledger.returnDeposit(id)).replayed) returned.add(id);
        return;
      }
      case "sendBack":
        return await sendBack(deposits[next.payment]!, next.gone, next.bearer);
      case "withdraw": {
        const [id, owner] = [withdrawals[next.payment]!, players[next.player]!];
        if (takesEffect(await ledger.withdraw(id, owner, next.kobo)))
          holds.set(id, [owner, toCoinsOut(next.kobo, rateKobo)]);
        return;
      }
      case "withdrawUnplayed": {
        const [id, owner] = [withdrawals[next.payment]!, players[next.player]!];
        if (takesEffect(await ledger.withdrawUnplayed(id, owner, next.kobo, next.feeKobo))) {
          const [taken, sent] = [toKobo(next.kobo + next.feeKobo), toCoinsOut(next.kobo, rateKobo)];
          holds.set(id, [owner, toCoinsOut(taken, rateKobo)]);
          fees.set(id, toCoinsOut(taken, rateKobo) - sent);
        }
        return;
      }
      case "withdrawRevenue": {
        const id = revenues[next.payment]!;
        // Small amounts: games earn little.
        const little = toKobo(next.kobo / 20n);
        if (takesEffect(await ledger.withdrawRevenue(id, little))) holds.set(id, [null, toCoinsOut(little, rateKobo)]);
        return;
      }
      case "fee":
        await ledger.fee(deposits[next.payment]!, toKobo(next.kobo / 100n));
        return;
      case "revenueBack":
        return await report(revenues[next.payment]!, "giveBack");
      case "revenuePaid":
        return await report(revenues[next.payment]!, "paid");
      case "giveBack":
      case "paid":
      case "cameBack":
      case "paidLate":
        return await report(withdrawals[next.payment]!, next.type);
      case "stake":
      case "win":
      case "draw":
      case "refund": {
        const at = games[next.game]!;
        at.last = at.last.then(() =>
          next.type === "stake" ? stake(at, players[next.player]!) : settle(at, next.type),
        );
        return await at.last;
      }
    }
  }

  function whereabouts(id: PaymentId): "back" | "under way" | "gone" {
    const said = words.get(id) ?? new Set();
    if (said.has("giveBack")) return "back";
    if (!said.has("paid")) return "under way";
    return said.has("cameBack") ? "back" : "gone";
  }

  return {
    take,
    toOwned(): ReadonlyMap<PlayerId, bigint> {
      const net = new Map(owned);
      const move = (id: PlayerId, coins: bigint) => net.set(id, (net.get(id) ?? 0n) + coins);
      for (const id of taken) if (!returned.has(id)) move(credits.get(id)![0], -credits.get(id)![1]);
      for (const { id, from, to, isPlayers } of booked) {
        const [owner, credit, whole] = credits.get(id)!;
        const all = to === whole ? credit : toCoinsOut(toKobo(to), rateKobo);
        if (isPlayers) move(owner, toCoinsOut(toKobo(from), rateKobo) - all);
      }
      for (const [id, [owner, coins]] of holds) if (owner !== null && whereabouts(id) !== "back") move(owner, -coins);
      return net;
    },
    toUnderWay: (): bigint =>
      [...holds].reduce(
        (sum, [id, [, coins]]) => sum + (whereabouts(id) === "under way" ? coins - (fees.get(id) ?? 0n) : 0n),
        0n,
      ),
    toRevenue: (): bigint =>
      [...holds].reduce(
        (sum, [id, [owner, coins]]) => sum - (owner === null && whereabouts(id) !== "back" ? coins : 0n),
        feesEarned,
      ),
  };
}

const sum = (figures: PlatformFigures): bigint => Object.values(figures).reduce((total, coins) => total + coins, 0n);

async function check(database: Database, waves: readonly (readonly Step[])[]): Promise<void> {
  const ledger = makeTestLedger(database);
  const players = await Promise.all(Array.from({ length: PLAYERS }, () => ledger.addPlayer(OPENING)));
  const model = openModel(ledger, players);
  for (const wave of waves) {
    const ends = await Promise.allSettled(wave.map(model.take));
    for (const end of ends) if (end.status === "rejected") expect(end.reason).toBeInstanceOf(BrokenInvariant);
  }
  expect(await ledger.audit()).toBeNull();
  const figures = await loadPlatformFigures(database.kysely);
  expect(sum(figures)).toBe(0n);
  expect(figures.withdrawalClearing).toBe(model.toUnderWay());
  expect(figures.revenue).toBe(model.toRevenue());
  for (const [id, net] of model.toOwned()) {
    expect(((await ledger.balance(id)) ?? 0n) - (await ledger.debt(id))).toBe(net);
  }
}

test("matches the model and accounts for every coin after concurrent and repeated orders", async () => {
  const waves = fc.array(fc.array(step, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 12, size: "+1" });
  await fc.assert(
    fc.asyncProperty(waves, async (all) => {
      const database = await createTestDatabase();
      await check(database, all).finally(database.close);
    }),
    { numRuns: RUNS, interruptAfterTimeLimit: SHRINKING_MS_MAX },
  );
});
