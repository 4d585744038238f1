import { randomUUID } from "node:crypto";
import { type GameId, type PlayerId, toGameId, toPlayerId } from "@holo/kernel/ids.ts";
import { toCoins } from "@holo/kernel/money.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import { decideCreate } from "@holo/table/decide.ts";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { lockLimits } from "../../accounts/accounts.ts";
import {
  decideRefundEntry,
  decideWinEntry,
  type JournalEntry,
  loadGameEntries,
  lockWallet,
} from "../../ledger/ledger.ts";
import type { Database } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import { openMetrics } from "../../platform/metrics/metrics.ts";
import { untilOneWaits } from "../../platform/testing/lock-waits.ts";
import { loseCommits } from "../../platform/testing/lost-commits.ts";
import { RACE_CONNECTIONS } from "../../platform/testing/test-database.ts";
import { makeTestServer } from "../../platform/testing/test-own-server.ts";
import type { Answer } from "../game.ts";
import { openPlayForEach } from "../testing/play-hooks.ts";
import { createGame, playOpening, startGame } from "../testing/test-game.ts";
import { addPlayer, balanceOf, gameOf, idOf, newId, openTestPlay, type TestPlay } from "../testing/test-play.ts";
import { LifecycleCommit } from "./lifecycle-commit.ts";
import type { LifecycleJob } from "./lifecycle-job.ts";
import { makeNewGame, toPaidSeat } from "./new-game.ts";

let database: Database;
let at: TestPlay;

openPlayForEach(
  (given) => {
    ({ database, at } = given);
  },
  () => at,
  RACE_CONNECTIONS,
);

async function openLane(): Promise<LifecycleCommit> {
  return new LifecycleCommit(database, openMetrics({ process: false }), await makeTestServer(database));
}

function toCreateJob(playerId: PlayerId): LifecycleJob {
  const now = at.time.now();
  const game = makeNewGame(toGameId(randomUUID()), decideCreate("chess", 1, 300_000, 740, playerId, now, newId()));
  const { seat, entries } = toPaidSeat(game.state, playerId, 1);
  return { at: now, games: [game.change], seats: [seat], entries };
}

function toSettlementJob(gameId: GameId, entry: JournalEntry): LifecycleJob {
  return { at: at.time.now(), games: [], seats: [], freed: { gameId, seats: 2 }, entries: [entry] };
}

test("delays no other player by one whose restrictions are being changed", async () => {
  const [held, other] = [await addPlayer(database, at), await addPlayer(database, at)];
  const { sent } = await transact(database, async (tx) => {
    await lockLimits(tx, idOf(held));
    const waiting = createGame(at, held);
    await untilOneWaits(database);
    expect(await createGame(at, other, "chess")).toMatchObject({ type: "done", status: "waiting" });
    return { sent: waiting };
  });
  expect(await sent).toMatchObject({ type: "done", status: "waiting" });
});

test("carries out the other jobs of a batch if the database refuses one", async () => {
  const lane = await openLane();
  const players = [await addPlayer(database, at), await addPlayer(database, at)];
  const stranger = toPlayerId(`player-${randomUUID().slice(0, 12)}`);
  const taken = toCreateJob(idOf(players[0]!));
  const bad = {
    ...taken,
    games: [{ ...taken.games[0]!, row: { ...taken.games[0]!.row, started_at: null, status: "active" as const } }],
  };
  const outcomes = await Promise.allSettled([
    lane.commit(bad),
    lane.commit(toCreateJob(idOf(players[1]!))),
    lane.commit(toCreateJob(stranger)),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected"]);
  expect(outcomes[1]).toMatchObject({ value: { type: "committed", wallets: [{ playerId: players[1]!.id }] } });
  expect(await balanceOf(database, players[0]!)).toBe(500_000_000n);
});

test("refuses to settle a game for less than its escrow, for a player who did not stake, or twice", async () => {
  const lane = await openLane();
  const { gameId, white, black } = await startGame(database, at);
  const other = await addPlayer(database, at);
  const stakes = [idOf(white), idOf(black)].map((playerId) => ({ playerId, amount: toCoins(1_000_000n) }));
  await expect(lane.commit(toSettlementJob(gameId, decideRefundEntry(gameId, stakes)))).rejects.toThrow(/whole escrow/);
  const win = { gameId, winnings: toCoins(120_000_000n), platformFee: toCoins(8_880_000n), finalHash: "0".repeat(64) };
  const stolen = decideWinEntry({ ...win, winnerId: idOf(other) }, stakes);
  await expect(lane.commit(toSettlementJob(gameId, stolen))).rejects.toThrow(/without a stake/);
  expect(await balanceOf(database, other)).toBe(500_000_000n);
  expect(await at.games.loadOpenGame(idOf(white))).toMatchObject({ gameId, status: "active" });
  await at.games.cancel(idOf(white), gameId, newId());
  const again = { ...toSettlementJob(gameId, decideRefundEntry(gameId, stakes)), freed: undefined };
  await expect(lane.commit(again)).rejects.toThrow(/booked before/);
});

test("an end waits for the loser's wallet too, so that entries follow each other there", async () => {
  const game = await startGame(database, at);
  await playOpening(at, game);
  const { gameId, white, black } = game;
  const { sent, entry } = await transact(database, async (tx) => {
    await lockWallet(tx, idOf(white));
    const resigned = at.games.resign(white.id, gameId, newId());
    await untilOneWaits(database);
    const { rows } = await sql<{ readonly id: bigint }>`
      select nextval(pg_get_serial_sequence('ledger_entries', 'id')) as id`.execute(tx);
    return { sent: resigned, entry: rows[0]!.id };
  });
  expect(await sent).toMatchObject({ type: "done", status: "ended" });
  const [won] = (await loadGameEntries(database.kysely, gameId)).filter(({ kind }) => kind === "win");
  expect(won!.id).toBeGreaterThan(entry);
  expect(await balanceOf(database, black)).toBeGreaterThan(500_000_000n);
});

async function insist(send: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await send();
    if (answer.type !== "unknown") return answer;
  }
}

/** Two players seek and cancel, with every command sent twice at once and once late. */
async function seekAndCancel({ games, matches }: TestPlay, players: readonly PlayerView[]): Promise<void> {
  const seek = async (player: PlayerView): Promise<GameId> => {
    const order = { player, commandId: newId(), game: "chess", stake: 1, limitMinutes: 5, feeBps: 740 } as const;
    const [first, copy] = await Promise.all([1, 2].map(() => insist(() => matches.create(order))));
    expect(gameOf(first!)).toBe(gameOf(copy!));
    expect(gameOf(await insist(() => matches.create(order)))).toBe(gameOf(first!));
    return gameOf(first!);
  };
  const cancel = async (player: PlayerView, gameId: GameId): Promise<void> => {
    const id = newId();
    await Promise.all([1, 2].map(() => insist(() => games.cancel(idOf(player), gameId, id))));
    await insist(() => games.cancel(idOf(player), gameId, id));
  };
  await Promise.all(players.map(async (player) => cancel(player, await seek(player))));
}

test("neither loses nor doubles anything if every third commit loses its connection [ERR-38]", async () => {
  let commits = 0;
  const isLost = (): boolean => {
    commits += 1;
    return commits % 3 === 0;
  };
  const losing = await openTestPlay(loseCommits(database, isLost));
  const players = await Promise.all(Array.from({ length: 24 }, () => addPlayer(database, losing)));
  await Promise.all(players.map((_, index) => seekAndCancel(losing, players.slice(2 * index, 2 * index + 2))));
  expect(commits).toBeGreaterThan(10);
  // Each game was cancelled by one of its players, or by both at once.
  const ends = await Promise.all(players.map((player) => losing.games.loadOpenGame(idOf(player))));
  expect(ends).toEqual(players.map(() => null));
  for (const player of players) expect(await balanceOf(database, player)).toBe(500_000_000n);
  await losing.close();
});
