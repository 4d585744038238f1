import { randomUUID } from "node:crypto";
import { wholeCoins } from "@holo/kernel/money.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import { EVERY_MATCH } from "@holo/protocol/lobby/lobby.ts";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { addTestPlayers } from "../accounts/testing/test-players.ts";
import { openPlayForAll } from "../game/testing/play-hooks.ts";
import { createGame } from "../game/testing/test-game.ts";
import { gameOf, makeWatcher, newId, type TestPlay, waitUntilIdle } from "../game/testing/test-play.ts";
import { openWallet, postOpening } from "../ledger/ledger.ts";
import type { Database } from "../platform/database/database.ts";
import { transact } from "../platform/database/transaction.ts";
import { openPacedDelivery } from "../platform/paced-delivery.ts";
import { openTimerWheel } from "../platform/time/timer-wheel.ts";
import type { FeedWatcher, SharedFrame } from "./feed-watcher.ts";
import { FEED_TICK_MS, LobbyFeed } from "./lobby-feed.ts";

let database: Database;
let at: TestPlay;

openPlayForAll((given) => {
  ({ database, at } = given);
});

const tick = (): Promise<void> => at.advance(FEED_TICK_MS + 50);

/** Players with an account, which blocking needs, and 500 HC, connected to the arena. */
async function addMembers(count: number): Promise<readonly PlayerView[]> {
  const names = Array.from({ length: count }, () => `p${randomUUID().slice(0, 12)}`);
  const members = await addTestPlayers(database, names, "unused");
  for (const { id } of members) {
    await transact(database, async (tx) => {
      await openWallet(tx, id, at.time.now());
      await postOpening(tx, { playerId: id, amount: wholeCoins(500), at: at.time.now() });
    });
    at.lobby.connect(id);
  }
  return members.map(({ id }) => ({ id, username: id }));
}

async function setBlocked(player: PlayerView, other: PlayerView, blocked: boolean): Promise<void> {
  await sql`
    insert into player_relations (player_id, other_id, muted, blocked, updated_at)
    values (${player.id}, ${other.id}, true, ${blocked}, to_timestamp(0))
    on conflict (player_id, other_id) do update set blocked = excluded.blocked`.execute(database.kysely);
  at.lobby.relationsChanged([player.id, other.id]);
  // Read first, then sent with the next tick.
  await waitUntilIdle(database);
  await tick();
}

async function watchPending(player: PlayerView | null) {
  const watcher = makeWatcher(player);
  await at.lobby.watchLobby(watcher, { filter: { ...EVERY_MATCH, status: "pending" }, count: 30, request: 1 });
  await at.lobby.watchAvailability(watcher);
  return watcher.frames;
}

// [MATCH-27 §2 r23] Pending matches of players whom the viewer has blocked, or who have blocked the viewer, are not
// listed for the viewer, and no frame tells the one case from another.
test("hides a waiting game from both sides of a block, in frames that say nothing of it [MATCH-27]", async () => {
  const [creator, blocked, other] = (await addMembers(3)) as [PlayerView, PlayerView, PlayerView];
  await setBlocked(creator, blocked, true);
  const frames = { blocked: await watchPending(blocked), other: await watchPending(other) };
  const gameId = gameOf(await createGame(at, creator));
  await tick();
  const seenByOther = frames.other.slice(2);
  expect(seenByOther.map(({ type }) => type).sort()).toEqual(["availability", "lobby_changes"]);
  expect(frames.blocked).toHaveLength(2);

  // The same frames as if the game had been created now, then cancelled.
  await setBlocked(creator, blocked, false);
  expect(new Set(frames.blocked.slice(2))).toEqual(new Set(seenByOther));
  await setBlocked(blocked, creator, true);
  const leaving = frames.blocked.slice(4);
  await at.games.cancel(creator.id, gameId, newId());
  await tick();
  expect(new Set(frames.other.slice(4))).toEqual(new Set(leaving));
  expect(leaving).toContainEqual({ type: "lobby_changes", gone: [gameId] });
});

test("serializes a change once for all who see the same, and leaves out those who do not read", async () => {
  const [creator, ...viewers] = (await addMembers(4)) as [PlayerView, ...PlayerView[]];
  const sent = new Map<FeedWatcher, SharedFrame[]>();
  const slow = new Set<FeedWatcher>();
  for (const player of viewers) {
    const watcher: FeedWatcher = {
      player,
      isOpen: true,
      sendShared: (frame) => void sent.get(watcher)?.push(frame),
      isBehind: () => slow.has(watcher),
    };
    sent.set(watcher, []);
    await at.lobby.watchLobby(watcher, { filter: EVERY_MATCH, count: 30, request: 1 });
  }
  const [first, second, third] = [...sent.keys()] as [FeedWatcher, FeedWatcher, FeedWatcher];
  slow.add(third);
  const gameId = gameOf(await createGame(at, creator));
  await tick();
  expect(sent.get(first)).toHaveLength(2);
  expect(sent.get(first)![1]).toBe(sent.get(second)![1]);
  await at.games.cancel(creator.id, gameId, newId());
  const next = gameOf(await createGame(at, creator));
  await tick();
  await tick();
  expect(sent.get(third)).toHaveLength(1);
  slow.clear();
  await tick();
  // What came and went meanwhile is not sent.
  const [, missed] = sent.get(third)!.map(({ text }) => JSON.parse(text));
  expect(missed).toMatchObject({ type: "lobby_changes", added: [{ id: next }] });
  expect(missed.gone).toBeUndefined();
  expect(sent.get(third)).toHaveLength(2);
  await at.games.cancel(creator.id, next, newId());
});

/** Its lists are empty; `onRead` is called for each that is read. */
function openFeed(onRead: () => void): LobbyFeed {
  return new LobbyFeed({
    bus: at.bus,
    time: at.time,
    wheel: openTimerWheel({ time: at.time, log: database.log }),
    log: database.log,
    delivery: openPacedDelivery(),
    isReachable: () => true,
    loadNeverPaired: async () => new Map(),
    loadMatches: async () => {
      onRead();
      return [];
    },
  });
}

test("reads a list once for a watcher who asks for it again, also alone", async () => {
  let reads = 0;
  const feed = openFeed(() => {
    reads += 1;
  });
  const watcher = makeWatcher(null);
  const watch = { filter: { ...EVERY_MATCH, search: "alone" }, count: 30 };
  for (const request of [1, 2, 3]) await feed.watch(watcher, { ...watch, request });
  expect(watcher.frames.map((frame) => "request" in frame && frame.request)).toEqual([1, 2, 3]);
  expect(reads).toBe(1);
  feed.unwatch(watcher);
  expect(feed.isServed(watch.filter)).toBe(false);
});

test("a refresh that could not read the lists fails, so that it is repeated", async () => {
  let isDown = false;
  const feed = openFeed(() => {
    if (isDown) throw new Error("the database is down");
  });
  await feed.watch(makeWatcher(null), { filter: EVERY_MATCH, count: 30, request: 1 });
  isDown = true;
  await expect(feed.refresh()).rejects.toThrow("the database is down");
  isDown = false;
  await feed.refresh();
});
