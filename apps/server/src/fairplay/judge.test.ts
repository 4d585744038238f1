import type { PlayerId } from "@holo/kernel/ids.ts";
import { DAY_MS, type Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { shareTrace } from "../accounts/testing/shared-trace.ts";
import { loadWalletOrigins } from "../ledger/ledger.ts";
import type { Database } from "../platform/database/database.ts";
import { transact } from "../platform/database/transaction.ts";
import { createTestDatabase } from "../platform/testing/test-database.ts";
import type { Finding, FlowFinding } from "./finding.ts";
import { isReviewed, judgePlayer, judgeWinners } from "./judge.ts";
import { History, ON_BOARD } from "./signals/testing/history.ts";

const secret = "a secret of at least thirty-two characters";
let database: Database;
let at: History;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(() => {
  at = new History(database, Date.UTC(2026, 5, 1) as Instant);
});
afterAll(() => database.close());

const judge = (playerId: PlayerId): Promise<Finding | null> =>
  judgePlayer(database.kysely, playerId, at.now, {
    secret: "a secret of at least thirty-two characters",
    rateKobo: 30_600,
  });

const decisionOf = async (playerId: PlayerId) => (await judge(playerId))?.flows[0]?.decision ?? null;

async function findFlow(playerId: PlayerId): Promise<FlowFinding> {
  const [flow] = (await judge(playerId))?.flows ?? [];
  if (flow === undefined) throw new Error("nothing was found");
  return flow;
}

/** Plays a little with many others, wins and loses on the board. */
async function playAround(playerId: PlayerId, games: number): Promise<void> {
  for (let game = 0; game < games; game += 1) {
    const other = await at.addPlayer(50, 100);
    await at.lose(1, playerId, other, { ...ON_BOARD, stake: 1 });
    await at.lose(1, other, playerId, { ...ON_BOARD, stake: 1 });
  }
}

describe("holds", () => {
  test("each of four mules, four games each (B)", async () => {
    const source = await at.addPlayer(300);
    const mules = [await at.addPlayer(20), await at.addPlayer(20), await at.addPlayer(20), await at.addPlayer(20)];
    for (const mule of mules) await at.lose(4, source, mule);
    at.pass(DAY_MS);
    for (const mule of mules) expect(await decisionOf(mule)).toBe("hold");
    expect(await judge(source)).toBeNull();
    const flow = await findFlow(mules[0]!);
    expect(flow).toMatchObject({ kind: "flow", sourceIds: [source] });
    expect(flow.won.reduce((sum, { coins }) => sum + coins, 0)).toBe(59_264_000);
    expect(flow.playerIds.toSorted()).toEqual([source, mules[0]].toSorted());
    expect(flow.gameIds).toHaveLength(4);
    expect(flow.signals.map(({ name }) => name)).toEqual(expect.arrayContaining(["captivity", "thrown", "age"]));
  });

  test("one pair with win-backs (C), also after most was paid", async () => {
    const [source, mule] = [await at.addPlayer(400), await at.addPlayer(60)];
    await at.lose(12, source, mule);
    await at.lose(2, mule, source);
    at.pass(DAY_MS);
    await at.withdraw(mule, 120);
    expect(await decisionOf(mule)).toBe("hold");
  });

  test("the end of a chain by matchmaking, from the depositor two games away (D)", async () => {
    const [a, b, c] = [await at.addPlayer(200), await at.addPlayer(40), await at.addPlayer(40)];
    await at.lose(4, a, b, { pairing: "matchmaking" });
    await at.lose(4, b, c, { pairing: "matchmaking" });
    at.pass(DAY_MS);
    const flow = await findFlow(c);
    expect(flow.decision).toBe("hold");
    expect(flow.sourceIds).toContain(a);
    expect(flow.playerIds.toSorted()).toEqual([a, b, c].toSorted());
  });

  test("a ring that ends with an account on the depositor's card", async () => {
    const [a, b, c] = [await at.addPlayer(450), await at.addPlayer(100), await at.addPlayer(100)];
    await transact(database, (tx) => shareTrace(tx, "card", a, [c], at.now));
    await at.lose(3, a, b, { ...ON_BOARD, stake: 60 });
    await at.lose(3, b, c, { ...ON_BOARD, stake: 60 });
    at.pass(DAY_MS);
    const flow = await findFlow(c);
    expect(flow.signals).toContainEqual(expect.objectContaining({ name: "means", bits: 6 }));
    expect(flow.decision).toBe("hold");
  });

  test("all coins of each source, also beside larger ones and from many games, and no coins twice", async () => {
    const sources = [
      await at.addPlayer(300),
      await at.addPlayer(300),
      await at.addPlayer(300),
      await at.addPlayer(300),
    ];
    const [first, , , last] = sources as [PlayerId, PlayerId, PlayerId, PlayerId];
    const mule = await at.addPlayer(60);
    await at.lose(1, last, first);
    // Coins of the last and of the first together.
    await at.lose(1, first, mule, { stake: 20 });
    for (const source of sources) await at.lose(source === last ? 5 : 7, source, mule);
    at.pass(DAY_MS);
    const flows = (await judge(mule))?.flows ?? [];
    expect(flows.every(({ decision }) => decision === "hold")).toBe(true);
    const won = flows.flatMap((flow) => flow.won);
    const origins = await loadWalletOrigins(database.kysely, mule, at.now);
    const ofOthers = origins.filter(({ origin }) => origin.playerId !== mule);
    expect(won.reduce((sum, { coins }) => sum + coins, 0)).toBe(
      ofOthers.reduce((sum, one) => sum + Number(one.coins), 0),
    );
  });

  test("the coins of more games than are looked at one by one", async () => {
    const [source, mule] = [await at.addPlayer(700), await at.addPlayer(10)];
    await at.lose(160, source, mule, { stake: 4 });
    at.pass(DAY_MS);
    const flow = await findFlow(mule);
    expect(flow.decision).toBe("hold");
    expect(new Set(flow.won.map(({ gameId }) => gameId)).size).toBe(160);
    expect(flow.gameIds.toSorted()).toEqual(flow.won.flatMap(({ gameId }) => gameId ?? []).toSorted());
  });

  test("three depositors who feed the same mules", async () => {
    const sources = [await at.addPlayer(200), await at.addPlayer(200), await at.addPlayer(200)];
    const mules = [await at.addPlayer(40), await at.addPlayer(40)];
    for (const mule of mules) for (const source of sources) await at.lose(4, source, mule);
    at.pass(DAY_MS);
    const flow = await findFlow(mules[0]!);
    expect(flow).toMatchObject({ decision: "hold" });
    expect(flow.sourceIds.toSorted()).toEqual(sources.toSorted());
  });
});

/** The winner's moves were a program's, at an even pace, and the losers' a person's. */
async function playByEngine(winner: PlayerId): Promise<void> {
  const moves = { rating: 1450, moves: 40, choices: 40, realChoices: 40, expectedFirst: 22, varianceFirst: 9 };
  const own = { ...moves, errors: 0, lost: 0, firstChoices: 38, realFirst: 38, medianMs: 4_500, spreadMs: 1_000 };
  const other = { ...moves, errors: 8, lost: 4, firstChoices: 14, realFirst: 14, medianMs: 4_500, spreadMs: 9_000 };
  await sql`
    update game_screenings set white = ${{ ...other, freeMs: [] }}, black = ${{ ...own, freeMs: [] }},
      evaluation = '{"engine":"test","scores":[]}' from games where id = game_id and winner_id = ${winner}`.execute(
    database.kysely,
  );
}

test("holds a program's wins, also from a beginner whose lost coins alone would only be listed", async () => {
  const [beginner, winner] = [await at.addPlayer(90), await at.addPlayer(60, 60)];
  await at.lose(5, beginner, winner, ON_BOARD);
  at.pass(DAY_MS);
  expect((await judge(winner))?.flows).toMatchObject([{ kind: "flow", decision: "list" }]);
  await playByEngine(winner);
  expect((await judge(winner))?.flows).toMatchObject([{ kind: "engine", decision: "hold" }]);
});

describe("does not hold", () => {
  test("what a strong player wins from many, one of whom gives up", async () => {
    const strong = await at.addPlayer(60, 200);
    for (let count = 0; count < 6; count += 1) await at.lose(3, await at.addPlayer(60, 50), strong, ON_BOARD);
    await at.lose(3, await at.addPlayer(60), strong);
    at.pass(DAY_MS);
    expect(await decisionOf(strong)).not.toBe("hold");
  });

  test("who won from a mule in good faith", async () => {
    const [source, mule, honest] = [await at.addPlayer(200), await at.addPlayer(40), await at.addPlayer(100, 100)];
    await at.lose(6, source, mule);
    await playAround(honest, 5);
    await at.lose(2, mule, honest, ON_BOARD);
    at.pass(DAY_MS);
    expect(await decisionOf(mule)).toBe("hold");
    expect(await decisionOf(honest)).not.toBe("hold");
  });

  test("a beginner's coins that one player won on the board", async () => {
    const [beginner, winner] = [await at.addPlayer(53), await at.addPlayer(60, 60)];
    await at.lose(3, beginner, winner, ON_BOARD);
    at.pass(DAY_MS);
    expect(await decisionOf(winner)).toBe("list");
  });
});

test("an account counts with those that it is joined with", async () => {
  const [source, mule, twin] = [await at.addPlayer(200), await at.addPlayer(40), await at.addPlayer(40)];
  await transact(database, (tx) => shareTrace(tx, "bank_account", mule, [twin], at.now));
  await at.lose(2, source, mule);
  await at.lose(2, source, twin);
  at.pass(DAY_MS);
  const finding = await judge(mule);
  expect(finding?.cluster).toEqual([{ playerId: twin, strength: 1, kinds: ["bank_account"] }]);
  expect(finding?.flows[0]?.signals).toContainEqual(
    expect.objectContaining({ name: "thrown", figures: expect.objectContaining({ thrown: 4 }) }),
  );
  // What is decided about the mule's games decides nothing about the twin's.
  expect(finding?.flows[0]?.gameIds).toHaveLength(2);
});

test("asks the engine about unclear games a day before the coins can leave", async () => {
  const [source, mule] = [await at.addPlayer(200), await at.addPlayer(40)];
  const from = at.now;
  await at.lose(4, source, mule, ON_BOARD);
  const rates = { secret, rateKobo: 30_600 };
  const countAsked = async () => {
    const { rows } = await database.pool.query(
      "select from game_screenings join games on id = game_id where moves_wanted = 'asked' and winner_id = $1",
      [mule],
    );
    return rows.length;
  };
  await judgeWinners(database.kysely, { from: at.now, to: at.now }, rates);
  expect(await countAsked()).toBe(0);
  await judgeWinners(database.kysely, { from, to: at.now }, rates);
  expect(await countAsked()).toBe(4);
});

test("finds nothing about who won nothing", async () => {
  expect(await judge(await at.addPlayer(100))).toBeNull();
});

test("one payout in a hundred is reviewed, and always the same ones", () => {
  const ids = Array.from({ length: 5_000 }, (_, index) => `payment-${index}`);
  const reviewed = ids.filter((id) => isReviewed(secret, id));
  expect(reviewed.length).toBeGreaterThan(25);
  expect(reviewed.length).toBeLessThan(80);
  expect(ids.filter((id) => isReviewed(secret, id))).toEqual(reviewed);
});
