import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { addMs, HOUR_MS, type Instant, toInstant } from "@holo/kernel/instant.ts";
import { wholeCoins } from "@holo/kernel/money.ts";
import { expect, test } from "vitest";
import type { CoinOrigin, CoinPath } from "../../ledger/ledger.ts";
import type { Finding, FlowFinding } from "../finding.ts";
import type { FairPlayCase } from "./case.ts";
import { HELD_MS } from "./decide-case.ts";
import { toEdges, toGifts } from "./flow-edges.ts";
import { planCases } from "./plan-cases.ts";

const [ada, bola, chi] = ["player-a", "player-b", "player-c"] as PlayerId[] as [PlayerId, PlayerId, PlayerId];
const NOW = toInstant(Date.UTC(2026, 5, 1));
const games = (...names: readonly string[]) => names as readonly string[] as readonly GameId[];

/** 50 HC from each game. */
function makeFlow({
  depositId = 1n,
  ...change
}: Partial<FlowFinding> & { readonly depositId?: bigint } = {}): FlowFinding {
  const gameIds = change.gameIds ?? games("g1");
  const who = { sourceIds: [bola], playerIds: [bola, ada] };
  const won = gameIds.map((gameId) => ({ depositId, gameId, coins: Number(wholeCoins(50)) }));
  return { kind: "flow", decision: "hold", ...who, won, gameIds, signals: [], bits: 13, ...change };
}

const makeFinding = (...flows: readonly FlowFinding[]): Finding => ({
  playerId: ada,
  flows,
  cluster: [{ playerId: chi, strength: 0.8, kinds: ["device"] }],
  version: 1,
});
const plan = (finding: Finding, known: readonly FairPlayCase[] = [], now: Instant = NOW, inOrder = games()) =>
  planCases(finding, known, { now, inOrder: new Set(inOrder), toEdgesOf: () => [] });
const kinds = (cases: readonly FairPlayCase[]) => cases.map(({ kind }) => kind);

test("one case holds the suspected coins of each kind for 72 hours, and one lists the rest", () => {
  const planned = plan(
    makeFinding(
      makeFlow(),
      makeFlow({ depositId: 2n, gameIds: games("g2") }),
      makeFlow({ kind: "engine", depositId: 3n, gameIds: games("g3") }),
      makeFlow({ decision: "list", depositId: 4n, gameIds: games("g4") }),
    ),
  );
  expect(planned).toMatchObject([
    { kind: "flow", depositIds: [1n, 2n], gameIds: ["g1", "g2"], coins: wholeCoins(100), untilAt: addMs(NOW, HELD_MS) },
    { kind: "engine", depositIds: [3n], untilAt: addMs(NOW, HELD_MS) },
    { kind: "listed", gameIds: ["g4"], untilAt: null },
  ]);
  expect(planned[0]?.concerned).toEqual([ada, bola, chi]);
});

test("games that a case holds already, or has released, are in no other; further games are", () => {
  const [open] = plan(makeFinding(makeFlow()));
  const more = makeFinding(makeFlow({ gameIds: games("g1", "g2") }));
  const ofMore = [{ kind: "flow", depositIds: [1n], gameIds: ["g2"], coins: wholeCoins(50) }];
  expect(plan(makeFinding(makeFlow()), [open!])).toEqual([]);
  expect(plan(more, [open!])).toMatchObject(ofMore);
  const released = { ...open!, state: "released", endedAt: NOW } as const;
  const later = addMs(NOW, 80 * HOUR_MS);
  expect(plan(makeFinding(makeFlow()), [released], later)).toEqual([]);
  expect(plan(more, [released], later)).toMatchObject(ofMore);
  // The hold has ended, also if no one has written that yet.
  expect(plan(more, [open!], later)).toMatchObject(ofMore);
});

test("what is left of forfeited coins is held whatever its sum, unless the appeal was accepted", () => {
  const [open] = plan(makeFinding(makeFlow()));
  const forfeited = { ...open!, state: "forfeited", endedAt: NOW } as const;
  const left = makeFinding(makeFlow({ decision: "list", gameIds: games("g1", "g2") }));
  const rest = plan(left, [forfeited]);
  expect(rest).toMatchObject([
    { kind: "flow", gameIds: ["g1"], coins: wholeCoins(50) },
    { kind: "listed", gameIds: ["g2"], coins: wholeCoins(50) },
  ]);
  expect(plan(left, [forfeited, ...rest])).toEqual([]);
  expect(kinds(plan(left, [forfeited], NOW, games("g1")))).toEqual(["listed"]);
});

test("coins of another origin are held although a case names their game, and listed although it is unfair", () => {
  const [open] = plan(makeFinding(makeFlow({ gameIds: games("g1", "g2") })));
  const other = makeFlow({ depositId: 2n, gameIds: games("g2", "g3") });
  expect(plan(makeFinding(other), [open!])).toMatchObject([
    { kind: "flow", depositIds: [2n], gameIds: ["g2", "g3"], coins: wholeCoins(100) },
  ]);
  const forfeited = { ...open!, state: "forfeited", endedAt: NOW } as const;
  // All coins of the forfeited games are gone: they only speak for it.
  const won = makeFlow({ gameIds: games("g3") }).won;
  const later = makeFlow({ decision: "list", won, gameIds: games("g3", "g1", "g2") });
  expect(plan(makeFinding(later), [forfeited])).toMatchObject([
    { kind: "listed", gameIds: ["g3"], coins: wholeCoins(50) },
  ]);
});

test("what is listed is listed once, and what is held afterwards is held", () => {
  const listed = plan(makeFinding(makeFlow({ decision: "list" })));
  expect(kinds(plan(makeFinding(makeFlow({ decision: "list" })), listed))).toEqual([]);
  expect(kinds(plan(makeFinding(makeFlow()), listed))).toEqual(["flow"]);
});

test("a payout chosen by chance is reviewed, and holds nothing", () => {
  expect(plan(makeFinding())).toMatchObject([{ kind: "review", untilAt: null, depositIds: [] }]);
});

const win = (playerId: PlayerId, source: string) =>
  ({ pieceId: 1n, playerId, kind: "win", source, at: NOW, coins: wholeCoins(9) }) as const;

test("coins count on every step of their way, as many as are left of them", () => {
  const deposit = (playerId: PlayerId) => ({ ...win(playerId, "payment"), kind: "deposit" }) as const;
  const paths: readonly CoinPath[] = [
    { steps: [win(ada, "g3"), win(chi, "g1"), deposit(bola)], isWhole: true },
    { steps: [win(ada, "g4"), win(chi, "g1"), deposit(bola)], isWhole: true },
    // They came back from a withdrawal.
    { steps: [{ ...win(ada, "x"), kind: "correction" }, win(ada, "g4"), deposit(chi)], isWhole: true },
  ];
  const origins = [1n, 2n, 3n].map((pieceId) => ({ pieceId, coins: wholeCoins(Number(pieceId)) }));
  expect(toEdges(origins, paths)).toMatchObject([
    { from: chi, to: ada, coins: wholeCoins(6), games: 2 },
    { from: bola, to: chi, coins: wholeCoins(3), games: 1 },
  ]);
});

test("a forfeit pays the depositors, and of an engine's wins the players who lost", () => {
  const origin = (playerId: PlayerId) =>
    ({ pieceId: 1n, kind: "deposit", paymentId: null, playerId, at: NOW }) as const;
  const won = { pieceId: 1n, gainedAt: NOW, hops: 2, isMarked: true, doubtedBy: [], origin: origin(bola) };
  const origins: readonly CoinOrigin[] = [
    { ...won, coins: wholeCoins(1), wonFrom: { gameId: "g1" as GameId, opponentId: chi } },
    { ...won, coins: wholeCoins(2), wonFrom: { gameId: "g2" as GameId, opponentId: bola } },
  ];
  expect(toGifts(origins, "origin")).toEqual([{ playerId: bola, coins: wholeCoins(3) }]);
  expect(toGifts(origins, "loser")).toEqual([
    { playerId: bola, coins: wholeCoins(2) },
    { playerId: chi, coins: wholeCoins(1) },
  ]);
});
