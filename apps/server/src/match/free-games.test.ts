import type { PlayerView } from "@holo/protocol/game/games.ts";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { shareTrace } from "../accounts/testing/shared-trace.ts";
import { countGames } from "../game/game.ts";
import { openPlayForAll } from "../game/testing/play-hooks.ts";
import { createGame, playOpening, resignGame, type TestGame } from "../game/testing/test-game.ts";
import {
  addPlayer,
  balanceOf,
  codeOf,
  countAvailable,
  findBroken,
  gameOf,
  idOf,
  listMatches,
  newId,
  type TestPlay,
} from "../game/testing/test-play.ts";
import type { Database } from "../platform/database/database.ts";
import { transact } from "../platform/database/transaction.ts";

let database: Database;
let at: TestPlay;

openPlayForAll((given) => {
  ({ database, at } = given);
});
afterAll(async () => expect(await findBroken(database)).toBeNull());

const PENDING = { status: "pending" } as const;
const addPoor = () => addPlayer(database, at, 0);

async function countEntries(): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`select count(*)::int as count from ledger_entries`.execute(
    database.kysely,
  );
  return rows[0]!.count;
}

async function startFree(white: PlayerView, black: PlayerView): Promise<TestGame> {
  const gameId = gameOf(await createGame(at, white, "checkers", 0));
  expect(await at.matches.join(black, gameId, newId())).toMatchObject({ type: "done", status: "active" });
  return { white, black, gameId };
}

// [FREE-01 §- r41] Two players without a coin can play free games of both kinds: create, join, play, resign, draw, cancel
// and rematch. The ledger has no entry of them.
test("plays free games without coins, and writes nothing into the ledger [FREE-01]", async () => {
  const [ada, bola] = [await addPoor(), await addPoor()];
  const before = await countEntries();
  const first = await startFree(ada, bola);
  await playOpening(at, first);
  await resignGame(at, first);
  const offer = (player: PlayerView, gameId = first.gameId, feeBps = 0) =>
    at.games.offer("offer_rematch", idOf(player), gameId, newId(), feeBps);
  expect(codeOf(await offer(ada, first.gameId, 740))).toBe("fee_changed");
  expect(codeOf(await offer(ada))).toBe("done");
  expect(codeOf(await offer(bola))).toBe("done");
  const rematch = await at.games.loadOpenGame(idOf(ada));
  const second = { gameId: rematch!.gameId, white: bola, black: ada };
  expect(await at.games.loadMatch(second.gameId, null)).toMatchObject({ stake: 0, feeBps: 0, status: "active" });
  await playOpening(at, second);
  await at.games.offer("offer_draw", idOf(ada), second.gameId, newId());
  gameOf(await at.games.offer("offer_draw", idOf(bola), second.gameId, newId()));
  const cancelled = await startFree(ada, bola);
  gameOf(await at.games.cancel(idOf(ada), cancelled.gameId, newId()));
  gameOf(await at.games.cancel(idOf(ada), gameOf(await createGame(at, ada, "chess", 0)), newId()));
  expect(await countEntries()).toBe(before);
  expect([await balanceOf(database, ada), await balanceOf(database, bola)]).toEqual([0n, 0n]);
  expect(await at.games.loadSettlement(second.gameId, idOf(ada))).toMatchObject({
    value: { entries: [], headToHead: { white: 1, black: 0, draws: 1 } },
  });
});

// [FREE-02 §9 r41] Free games have no fee, whatever the fee in force. Matchmaking pairs their seekers with each other only, and
// the table of available matches counts them.
test("pairs seekers of free games with each other, at no fee [FREE-02]", async () => {
  const [ada, bola, rich] = [await addPoor(), await addPoor(), await addPlayer(database, at)];
  const order = { player: ada, game: "checkers", stake: 0, limitMinutes: 5 } as const;
  expect(codeOf(await at.matches.create({ ...order, commandId: newId(), feeBps: 740 }))).toBe("fee_changed");
  const gameId = gameOf(await createGame(at, ada, "checkers", 0));
  const staked = gameOf(await createGame(at, rich));
  expect(staked).not.toBe(gameId);
  expect(await countAvailable(at, bola)).toBe(2);
  expect(await listMatches(at, bola, { ...PENDING, stakeMin: 0, stakeMax: 0 })).toEqual([gameId]);
  expect(await listMatches(at, bola, { ...PENDING, stakeMin: 1 })).toEqual([staked]);
  expect(await createGame(at, bola, "checkers", 0)).toMatchObject({ gameId, status: "active" });
  await at.games.cancel(idOf(bola), gameId, newId());
  await at.games.cancelWaiting(idOf(rich));
});

test("matches two seekers of free games who ask at once [FREE-02]", async () => {
  const [ada, bola] = [await addPoor(), await addPoor()];
  const answers = await Promise.all([createGame(at, ada, "chess", 0), createGame(at, bola, "chess", 0)]);
  expect(new Set(answers.map(gameOf)).size).toBe(1);
  await at.games.cancel(idOf(ada), gameOf(answers[0]!), newId());
});

test("joins a free game by invitation [FREE-02]", async () => {
  const [ada, bola] = [await addPoor(), await addPoor()];
  const order = { player: ada, game: "chess", stake: 0, limitMinutes: 10, feeBps: 0, byInvitation: true } as const;
  const gameId = gameOf(await at.matches.create({ ...order, commandId: newId() }));
  const invitation = (await at.matches.findOwnInvitation(gameId, idOf(ada))) ?? undefined;
  expect(await at.matches.join(bola, gameId, newId(), { invitation })).toMatchObject({ status: "active" });
  await at.games.cancel(idOf(bola), gameId, newId());
});

// [FREE-05 §- r54] Players who share a bank account, a card or a device see, join and are matched with each other's free games,
// never staked ones.
test.each(["bank_account", "card", "device"] as const)(
  "lets players with one %s play free games only [FREE-05]",
  async (kind) => {
    const [one, other] = [await addPlayer(database, at), await addPlayer(database, at)];
    await transact(database, (tx) => shareTrace(tx, kind, idOf(one), [idOf(other)], at.time.now()));
    const staked = gameOf(await createGame(at, one));
    expect(await listMatches(at, other, PENDING)).toEqual([]);
    expect(await countAvailable(at, other)).toBe(0);
    expect(codeOf(await at.matches.join(other, staked, newId()))).toBe("blocked_pair");
    await at.games.cancelWaiting(idOf(one));
    const free = gameOf(await createGame(at, one, "checkers", 0));
    expect(await listMatches(at, other, PENDING)).toEqual([free]);
    expect(await countAvailable(at, other)).toBe(1);
    expect(await createGame(at, other, "checkers", 0)).toMatchObject({ gameId: free, status: "active" });
    await at.games.cancel(idOf(other), free, newId());
  },
);

// [FREE-06 §9 r41] Win rate, Top 3, win-rate graph, revenue and fair-play flows count staked games only; the number of completed
// games of a profile counts free ones too and says how many they are.
test("counts a free game in no statistics but the number of completed games [FREE-06]", async () => {
  const [ada, bola] = [await addPlayer(database, at), await addPlayer(database, at)];
  const free = await startFree(ada, bola);
  await playOpening(at, free);
  await resignGame(at, free);
  const none = { wins: 0, losses: 0, draws: 0 };
  const stats = await at.players.loadPlayerStats(idOf(bola), null);
  expect(stats.games).toEqual({ checkers: none, chess: none });
  expect(stats.recent.map(({ id }) => id)).toEqual([free.gameId]);
  expect(await at.players.loadCounts(idOf(bola))).toMatchObject({ completed: 1, free: 1, wins: 0, draws: 0 });
  expect(await at.players.loadWinRates(idOf(bola), 10)).toEqual([]);
  expect(await countGames(database.kysely)).toEqual({ total: 0, completed: 0, active: 0, pending: 0 });
  for (const period of ["all", "week"] as const) {
    const board = await at.players.loadLeaderboard({ game: null, period, page: 1, viewer: idOf(bola) });
    expect(board).toMatchObject({ top: [], own: null, players: 0 });
  }
});
