import type { GameId } from "@holo/kernel/ids.ts";
import { addMs, type Instant } from "@holo/kernel/instant.ts";
import { toCoins, wholeCoins } from "@holo/kernel/money.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import { EVERY_MATCH } from "@holo/protocol/lobby/lobby.ts";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { addTestPlayers, type TestPlayer } from "../accounts/testing/test-players.ts";
import { openWallet, postOpening } from "../ledger/ledger.ts";
import type { Database } from "../platform/database/database.ts";
import { toTimestamp } from "../platform/database/timestamp.ts";
import { transact } from "../platform/database/transaction.ts";
import { untilOneWaits } from "../platform/testing/lock-waits.ts";
import type { Answer } from "./game.ts";
import { openPlayForEach } from "./testing/play-hooks.ts";
import { C3, createGame, D4, playOpening, startGame } from "./testing/test-game.ts";
import {
  addPlayer,
  balanceOf,
  gameOf,
  listMatches,
  loadEndReason,
  makeWatcher,
  move,
  newId,
  openTestPlay,
  type TestPlay,
  waitUntilIdle,
} from "./testing/test-play.ts";

const LISTS_FOLLOW_MS = 550;

let database: Database;
let at: TestPlay;

openPlayForEach(
  (given) => {
    ({ database, at } = given);
  },
  () => at,
);

const FIVE = wholeCoins(500);
const ENTRY_CHECKERS_5 = toCoins(64_440_000n);

async function create(player: PlayerView, game: "checkers" | "chess" = "checkers"): Promise<Answer> {
  return await createGame(at, player, game);
}

async function begin(game: "checkers" | "chess" = "checkers") {
  return await startGame(database, at, game);
}

async function playFirst(white: PlayerView, black: PlayerView, gameId: GameId): Promise<void> {
  await playOpening(at, { white, black, gameId });
}

describe("creating and joining", () => {
  test("takes both buy-ins and pays the winner of a resigned game the pot less the fee", async () => {
    const { white, black, gameId } = await begin();
    expect(await balanceOf(database, white)).toBe(FIVE - ENTRY_CHECKERS_5);
    expect(await balanceOf(database, black)).toBe(FIVE - ENTRY_CHECKERS_5);
    await playFirst(white, black, gameId);
    expect(await at.games.resign(white.id, gameId, newId())).toMatchObject({ type: "done", status: "ended" });
    expect(await balanceOf(database, white)).toBe(FIVE - ENTRY_CHECKERS_5);
    expect(await balanceOf(database, black)).toBe(FIVE - ENTRY_CHECKERS_5 + wholeCoins(120));
  });

  // [FLOW-01 §4,5 r23] Creating pairs the player with the longest waiting opponent on the same terms. Otherwise it
  // makes and charges for a waiting game.
  test("pairs a seeker with the longest waiting game on the same terms [FLOW-01 VALID-14]", async () => {
    const [first, second, seeker] = [
      await addPlayer(database, at),
      await addPlayer(database, at),
      await addPlayer(database, at),
    ];
    const longest = gameOf(await create(first, "chess"));
    at.time.advance(10);
    const other = await at.matches.create({
      player: second,
      commandId: newId(),
      game: "chess",
      stake: 10,
      limitMinutes: 5,
      feeBps: 740,
    });
    expect(await create(seeker, "chess")).toMatchObject({ gameId: longest, status: "active" });
    await at.games.cancel(second.id, gameOf(other), newId());
  });

  test("sends a watching creator the opponent's name and the start", async () => {
    const [creator, seeker] = [await addPlayer(database, at), await addPlayer(database, at)];
    const gameId = gameOf(await create(creator));
    const watcher = makeWatcher(creator);
    await at.games.watch(watcher, gameId, 0);
    expect(await create(seeker)).toMatchObject({ gameId, status: "active", version: 2 });
    expect(watcher.frames.at(-1)).toMatchObject({ type: "table", since: 1, version: 2, players: [creator, seeker] });
    const sent = at.playerFrames.filter(({ playerId, frame }) => playerId === creator.id && frame.type === "open_game");
    expect(sent.at(-1)?.frame).toMatchObject({ openGame: { gameId, status: "active" } });
    const paid = at.playerFrames.filter(({ playerId, frame }) => playerId === seeker.id && frame.type === "wallet");
    expect(paid.at(-1)?.frame).toMatchObject({ balance: String(FIVE - ENTRY_CHECKERS_5) });
    await at.games.cancel(seeker.id, gameId, newId());
  });

  test("does not pair a seeker with an absent creator", async () => {
    const creator = await addPlayer(database, at);
    const gameId = gameOf(await create(creator));
    at.lobby.disconnect(creator.id);
    const seeker = await addPlayer(database, at);
    const own = await create(seeker);
    expect(own).toMatchObject({ status: "waiting" });
    expect(await at.matches.join(seeker, gameId, newId())).toMatchObject({ code: "pending_game_exists" });
    await at.games.cancel(seeker.id, gameOf(own), newId());
    await at.games.cancel(creator.id, gameId, newId());
  });

  test("finds the only present creator among many absent ones who waited longer", async () => {
    const terms = { game: "chess", stake: 1, limitMinutes: 10, feeBps: 740 } as const;
    const waiting: [PlayerView, GameId][] = [];
    for (let i = 0; i < 51; i += 1) {
      const creator = await addPlayer(database, at);
      waiting.push([creator, gameOf(await at.matches.create({ player: creator, commandId: newId(), ...terms }))]);
      at.lobby.disconnect(creator.id);
      at.time.advance(1);
    }
    const [present, seeker] = [await addPlayer(database, at), await addPlayer(database, at)];
    const gameId = gameOf(await at.matches.create({ player: present, commandId: newId(), ...terms }));
    expect(await at.matches.create({ player: seeker, commandId: newId(), ...terms })).toMatchObject({ gameId });
    for (const [creator, own] of [...waiting, [present, gameId] as const]) {
      await at.games.cancel(creator.id, own, newId());
    }
  });

  // [FLOW-03 §4 r1] Payment and seat are one step: a refused match takes no coins.
  test("refuses a lack of coins with its figures and writes nothing [FLOW-03 ERR-15]", async () => {
    const poor = await addPlayer(database, at, 64);
    expect(await create(poor)).toMatchObject({
      code: "insufficient_to_create",
      figures: { need: ENTRY_CHECKERS_5, have: wholeCoins(64) },
    });
    const creator = await addPlayer(database, at);
    const gameId = gameOf(await create(creator));
    expect(await at.matches.join(poor, gameId, newId())).toMatchObject({
      code: "insufficient_to_join",
      figures: { need: ENTRY_CHECKERS_5 },
    });
    expect(await balanceOf(database, poor)).toBe(wholeCoins(64));
    expect(await at.games.cancel(creator.id, gameId, newId())).toMatchObject({ status: "ended" });
    expect(await balanceOf(database, creator)).toBe(FIVE);
  });

  // [VALID-11 §5,8 r21] A player with an active game cannot create another: they see 'Active game exists' and are
  // taken to that game.
  test("refuses a second open game and says which kind exists [VALID-11 ERR-14]", async () => {
    const { white } = await begin();
    expect(await create(white)).toMatchObject({ code: "active_game_exists" });
    const waiting = await addPlayer(database, at);
    const gameId = gameOf(await create(waiting, "chess"));
    const order = {
      player: waiting,
      commandId: newId(),
      game: "chess",
      stake: 5,
      limitMinutes: 5,
      feeBps: 740,
    } as const;
    expect(await at.matches.create(order)).toMatchObject({ code: "pending_game_exists" });
    expect(await at.matches.join(waiting, gameId, newId())).toMatchObject({ code: "own_game" });
    await at.games.cancel(waiting.id, gameId, newId());
    // The player has read the refusal: a late copy must not take their coins.
    expect(await at.matches.create(order)).toMatchObject({ code: "pending_game_exists" });
    expect(await balanceOf(database, waiting)).toBe(FIVE);
  });

  // [CALL-05 §7 r1] A repeated command gets the same answer and takes effect once.
  test("leads the same command id to the same game and refuses other content [CALL-05]", async () => {
    const player = await addPlayer(database, at);
    const order = { player, commandId: newId(), game: "checkers", stake: 5, limitMinutes: 5, feeBps: 740 } as const;
    const first = await at.matches.create(order);
    const gameId = gameOf(first);
    await at.matches.join(await addPlayer(database, at), gameId, newId());
    expect(await at.matches.create(order)).toMatchObject({ type: "done", gameId, version: 1, isRepeat: true });
    expect(await at.matches.create({ ...order, stake: 10 })).toMatchObject({ code: "command_id_reused" });
    expect(await balanceOf(database, player)).toBe(FIVE - ENTRY_CHECKERS_5);
    await at.games.cancel(player.id, gameOf(first), newId());
  });
});

describe("at the table", () => {
  test("sends a move to both players, its command id to its player only", async () => {
    const { white, black, gameId } = await begin();
    const [own, opposite, stranger] = [makeWatcher(white), makeWatcher(black), makeWatcher(null)];
    for (const watcher of [own, opposite, stranger]) expect(await at.games.watch(watcher, gameId, 0)).not.toBeNull();
    const commandId = newId();
    await move(at, white, gameId, 2, [C3, D4], commandId);
    const recordFrameOf = (watcher: typeof own) => watcher.frames.find((frame) => frame.type === "record");
    expect(recordFrameOf(own)).toMatchObject({ record: { version: 3, by: 1, commandId } });
    expect(recordFrameOf(opposite)).toMatchObject({ record: { version: 3, by: 1, events: [{ type: "moved" }] } });
    expect(JSON.stringify([opposite.frames, stranger.frames])).not.toContain(commandId);
  });

  // [CALL-17 §7 r2] Presence is kept per game: each player is notified when the opponent connects or disconnects.
  test("counts a watcher who joins as present until they leave [CALL-17]", async () => {
    const [white, black] = [await addPlayer(database, at), await addPlayer(database, at)];
    const gameId = gameOf(await create(white));
    const [own, opposite] = [makeWatcher(white), makeWatcher(black)];
    await at.games.watch(own, gameId, 0);
    await at.games.watch(opposite, gameId, 0);
    await at.matches.join(black, gameId, newId());
    expect(own.frames.at(-1)).toMatchObject({ type: "table", awaySinceAt: [null, null], players: [white, black] });
    at.games.unwatch(opposite, gameId);
    expect(own.frames.at(-1)).toMatchObject({ type: "presence", seat: 2, sinceAt: at.time.now() });
    await at.games.cancel(white.id, gameId, newId());
  });

  // [CALL-07 §7 r2] A page that reconnects receives everything since its version, without a gap.
  test("resumes a watcher without a gap [CALL-07]", async () => {
    const { white, black, gameId } = await begin();
    await playFirst(white, black, gameId);
    const late = makeWatcher(black);
    await at.games.watch(late, gameId, 3);
    const [table] = late.frames.filter((frame) => frame.type === "table");
    expect(table?.records.map((record) => record.version)).toEqual([4, 5, 6]);
    expect(table).toMatchObject({ version: 6, since: 3 });
  });

  // [STATE-02 §4] Checkmate wins the game.
  test("pays out a mate in the same commit [STATE-02]", async () => {
    const { white, black, gameId } = await begin("chess");
    const mate = [
      [53, 45],
      [12, 28],
      [54, 38],
      [3, 39],
    ];
    for (const [ply, path] of mate.entries()) await move(at, ply % 2 === 0 ? white : black, gameId, ply + 2, path);
    expect(await balanceOf(database, black)).toBe(FIVE + wholeCoins(80) - toCoins(5_920_000n));
    expect(await at.games.loadMatch(gameId, null)).toMatchObject({ status: "completed", winner: 2 });
    expect(await loadEndReason(database, gameId)).toBe("checkmate");
  });
});

describe("a deadline", () => {
  // [STATE-11 §4 r15] If a player does not make the first move within a minute, the game is cancelled and both are
  // refunded. The countdown is shown.
  test("refunds both players without a first move after a minute [STATE-11]", async () => {
    const { white, black, gameId } = await begin();
    await at.advance(59_990);
    expect(await at.games.loadMatch(gameId, null)).toMatchObject({ status: "active" });
    await at.advance(50);
    expect(await at.games.loadMatch(gameId, null)).toMatchObject({ status: "cancelled" });
    expect([await balanceOf(database, white), await balanceOf(database, black)]).toEqual([FIVE, FIVE]);
  });

  // [PRES-03 §4 r16] Clocks do not depend on presence: the server keeps both.
  test("completes a game lost on time, won by the opponent [PRES-03]", async () => {
    const { white, black, gameId } = await begin();
    await playFirst(white, black, gameId);
    await at.advance(299_000);
    await at.advance(50);
    expect(await at.games.loadMatch(gameId, null)).toMatchObject({ status: "completed", winner: 2 });
    expect(await loadEndReason(database, gameId)).toBe("time");
    expect(await balanceOf(database, black)).toBe(FIVE - ENTRY_CHECKERS_5 + wholeCoins(120));
  });

  // [STATE-10 §4 r15] A waiting game is cancelled and refunded after 30 minutes, and hidden while its creator is
  // offline for more than a minute.
  test("refunds a waiting game after half an hour, with a notice [STATE-10]", async () => {
    const player = await addPlayer(database, at);
    const gameId = gameOf(await create(player));
    await at.advance(1_800_050);
    expect(await balanceOf(database, player)).toBe(FIVE);
    expect(at.playerFrames.some(({ playerId, frame }) => playerId === player.id && frame.type === "notice")).toBe(true);
    expect(await at.games.loadMatch(gameId, player.id)).toMatchObject({ status: "cancelled" });
  });
});

describe("cancelling", () => {
  test("refunds everything before both made two moves", async () => {
    const { white, black, gameId } = await begin();
    await move(at, white, gameId, 2, [C3, D4]);
    expect(await at.games.cancel(black.id, gameId, newId())).toMatchObject({ status: "ended" });
    expect([await balanceOf(database, white), await balanceOf(database, black)]).toEqual([FIVE, FIVE]);
  });

  test("starts a cool-down of five minutes after the third time in ten games, then of thirty", async () => {
    const quitter = await addPlayer(database, at);
    const cancelOne = async (): Promise<void> => {
      const opponent = await addPlayer(database, at);
      const gameId = gameOf(await create(quitter));
      await at.matches.join(opponent, gameId, newId());
      expect(await at.games.cancel(quitter.id, gameId, newId())).toMatchObject({ status: "ended" });
      at.time.advance(10);
    };
    for (let i = 0; i < 3; i += 1) await cancelOne();
    expect(await create(quitter)).toMatchObject({ code: "paused", figures: { minutes: 5 } });
    at.time.advance(5 * 60_000);
    await cancelOne();
    expect(await create(quitter)).toMatchObject({ code: "paused", figures: { minutes: 30 } });
    expect(await balanceOf(database, quitter)).toBe(FIVE);
  });
});

describe("the lobby", () => {
  const listed = (viewer: PlayerView | null) => listMatches(at, viewer, { status: "pending" });

  // [ROLE-01 §6 r22] Visitors see active and completed matches, but not pending ones.
  test("shows waiting games to players but not to visitors [ROLE-01]", async () => {
    const [creator, other] = [await addPlayer(database, at), await addPlayer(database, at)];
    const gameId = gameOf(await create(creator));
    expect(await listed(other)).toContain(gameId);
    expect(await listed(null)).toEqual([]);
    expect(await at.games.loadMatch(gameId, null)).toBeNull();
    const watcher = makeWatcher(other);
    await at.lobby.watchAvailability(watcher);
    await at.games.cancel(creator.id, gameId, newId());
    await at.advance(LISTS_FOLLOW_MS);
    expect(watcher.frames).toEqual([
      { type: "availability", waiting: [{ game: "checkers", stake: 5, limitMinutes: 5, count: 1 }] },
      { type: "availability", waiting: [] },
    ]);
  });

  test("hides a waiting game while its creator is away for over a minute [STATE-10]", async () => {
    const [creator, other] = [await addPlayer(database, at), await addPlayer(database, at)];
    const gameId = gameOf(await create(creator));
    at.lobby.disconnect(creator.id);
    await at.advance(60_000);
    expect(await listed(other)).toContain(gameId);
    await at.advance(2_000);
    expect(await listed(other)).not.toContain(gameId);
    expect(await listed(creator)).toContain(gameId);
    at.lobby.connect(creator.id);
    expect(await listed(other)).toContain(gameId);
    await at.games.cancel(creator.id, gameId, newId());
  });

  // [STATE-13 §4 r38] A waiting game whose creator has been away for more than a minute cannot be joined by its
  // address either, and the page says so.
  test("lets no one join, not even by its address, while its creator is away for over a minute [STATE-13]", async () => {
    const [creator, other] = [await addPlayer(database, at), await addPlayer(database, at)];
    const gameId = gameOf(await create(creator));
    const before = await balanceOf(database, other);
    const commandId = newId();
    at.lobby.disconnect(creator.id);
    await at.advance(60_001);
    expect(await at.matches.join(other, gameId, commandId)).toMatchObject({ type: "refused", code: "creator_away" });
    expect(await balanceOf(database, other)).toBe(before);
    at.lobby.connect(creator.id);
    // The player has read the refusal: a late copy must not take their coins.
    expect(await at.matches.join(other, gameId, commandId)).toMatchObject({ type: "refused", code: "creator_away" });
    const pressedAgain = newId();
    expect(await at.matches.join(other, gameId, pressedAgain)).toMatchObject({ type: "done", status: "active" });
    at.lobby.disconnect(creator.id);
    await at.advance(60_001);
    const repeated = await at.matches.join(other, gameId, pressedAgain);
    expect(repeated).toMatchObject({ type: "done", isRepeat: true, version: 2 });
  });

  test("counts a creator as away after a restart from when they were last seen [STATE-13]", async () => {
    const names = ["gone-before", "seen-lately", "comes-back"].map((name) => `${name}-${newId().slice(0, 8)}`);
    const creators = await addTestPlayers(database, names, "a secret of at least thirty-two characters");
    const [goneBefore, seenLately, comesBack] = creators as [TestPlayer, TestPlayer, TestPlayer];
    const other = await addPlayer(database, at);
    const games: GameId[] = [];
    for (const [index, player] of creators.entries()) {
      await transact(database, async (tx) => {
        await openWallet(tx, player.id, at.time.now());
        await postOpening(tx, { playerId: player.id, amount: wholeCoins(500), at: at.time.now() });
      });
      at.lobby.connect(player.id);
      const terms = { game: "checkers", stake: ([1, 2, 5] as const)[index]!, limitMinutes: 5, feeBps: 740 } as const;
      games.push(gameOf(await at.matches.create({ player, commandId: newId(), ...terms })));
    }
    await at.advance(10 * 60_000);
    const seenAt = toTimestamp(at.time.now());
    await sql`update sessions set seen_at = ${seenAt} where player_id = ${seenLately.id}`.execute(database.kysely);

    const restarted = await openTestPlay(database, at.time.now());
    restarted.lobby.connect(other.id);
    const join = (index: number) => restarted.matches.join(other, games[index]!, newId());
    const creatorsShown = async () => {
      const shown = await listMatches(restarted, other, { status: "pending" });
      return creators.filter((_, index) => shown.includes(games[index]!)).map(({ id }) => id);
    };
    expect(await creatorsShown()).toEqual([seenLately.id]);
    expect(await join(0)).toMatchObject({ code: "creator_away" });
    restarted.lobby.connect(comesBack.id);
    restarted.lobby.disconnect(other.id);
    expect(await creatorsShown()).toEqual([seenLately.id, comesBack.id]);
    await restarted.advance(60_001);
    expect(await creatorsShown()).toEqual([comesBack.id]);
    expect(await join(1)).toMatchObject({ code: "creator_away" });
    expect(await join(2)).toMatchObject({ type: "done", status: "active" });
    for (const [index, player] of [goneBefore, seenLately, comesBack].entries())
      await restarted.games.cancel(player.id, games[index]!, newId());
    await restarted.close();
  });
});

test("The network's share of a move is that of the connection that carried it [CLOCK-12 §4 r39]", async () => {
  const { white, black, gameId } = await begin();
  await playFirst(white, black, gameId);
  // Late pongs on a second connection: the slowest one used to count.
  await at.games.watch({ ...makeWatcher(white), lagMs: () => 500 }, gameId, 6);
  const watcher = makeWatcher(white);
  await at.games.watch(watcher, gameId, 6);
  at.time.advance(2_000);
  await move(at, white, gameId, 6, [40, 33]);
  expect(watcher.frames.at(-1)).toMatchObject({ record: { events: [{ type: "moved", chargedMs: 2_000 }] } });
  at.time.advance(2_000);
  await move(at, black, gameId, 7, [26, 40], newId(), 300);
  expect(watcher.frames.at(-1)).toMatchObject({ record: { events: [{ type: "moved", chargedMs: 1_700 }] } });
  await at.games.resign(white.id, gameId, newId());
});

describe("while the server or the database is away", () => {
  const eventsOf = ({ frames }: ReturnType<typeof makeWatcher>) =>
    frames.flatMap((frame) => (frame.type === "record" ? frame.record.events : []));

  // [CLOCK-10 §4 r30] A server that freezes charges no player for it, whether or not they move meanwhile, and adds no
  // time to any clock.
  test.each([
    ["a move that arrives before the outage is known", "first"],
    ["a move that arrives after the credit", "last"],
  ])("charges neither player for a freeze, with %s [CLOCK-10]", async (_what, order) => {
    const { white, black, gameId } = await begin();
    await playFirst(white, black, gameId);
    const watcher = makeWatcher(null);
    await at.games.watch(watcher, gameId, 6);
    await at.advance(2_000);
    // The process stops for 20 s with the position on the mover's screen.
    const fromAt = at.time.now();
    at.time.advance(20_000);
    at.outages.lose(20_000);
    const report = () => at.games.creditOutage({ fromAt, toAt: at.time.now(), cause: "stall" });
    if (order === "last") report();
    const moved = move(at, white, gameId, 6, [40, 33]);
    if (order === "first") report();
    expect(await moved).toMatchObject({ type: "done" });
    await at.advance(1_000);
    expect(await move(at, black, gameId, order === "first" ? 7 : 8, [26, 40])).toMatchObject({ type: "done" });
    const events = eventsOf(watcher);
    expect(events.filter(({ type }) => type === "clock_credited")).toHaveLength(order === "first" ? 0 : 1);
    expect(events.at(-1)).toMatchObject({ type: "moved", chargedMs: 1_000, remainingMs: [297_000, 298_000] });
    await at.games.resign(white.id, gameId, newId());
  });

  // [CLOCK-11 §4 r16,30] An outage of the database is credited in every game under way, whether or not a move waited
  // in it.
  test("credits every game under way after a database outage, whether or not a move waited in it [CLOCK-11]", async () => {
    const games = [await begin(), await begin()] as const;
    for (const { white, black, gameId } of games) await playFirst(white, black, gameId);
    const watchers = games.map(() => makeWatcher(null));
    for (const [index, { gameId }] of games.entries()) await at.games.watch(watchers[index]!, gameId, 6);
    const [{ white, gameId }] = games;
    const fromAt = at.time.now();
    const client = await database.pool.connect();
    await client.query("begin; lock table game_log in exclusive mode");
    at.time.advance(4_000);
    at.outages.lose(4_000);
    const moved = move(at, white, gameId, 6, [40, 33]);
    await untilOneWaits(database);
    at.time.advance(6_000);
    at.outages.lose(6_000);
    await client.query("commit");
    client.release();
    expect(await moved).toMatchObject({ type: "done", version: 7 });
    at.games.creditOutage({ fromAt, toAt: at.time.now(), cause: "database" });
    await waitUntilIdle(database);
    for (const watcher of watchers) expect(eventsOf(watcher).map(({ type }) => type)).toContain("clock_credited");
    const [first, second] = watchers.map((watcher) => eventsOf(watcher).at(-1));
    // The outage cost no player time, and each clock has ten seconds more. White of the first game
    // had thought for four seconds, while the second game was opened.
    expect(first).toMatchObject({ type: "clock_credited", remainingMs: [305_000, 309_000] });
    expect(second).toMatchObject({ type: "clock_credited", remainingMs: [309_000, 309_000] });
    for (const { white: loser, gameId: id } of games) await at.games.resign(loser.id, id, newId());
  });

  test("adds no time for any number of stalls [CLOCK-10]", async () => {
    const { white, black, gameId } = await begin();
    await playFirst(white, black, gameId);
    const watcher = makeWatcher(null);
    await at.games.watch(watcher, gameId, 6);
    for (let i = 0; i < 4; i += 1) {
      at.lose(5_000, "stall");
      await waitUntilIdle(database);
    }
    expect(eventsOf(watcher).at(-1)).toMatchObject({ type: "clock_credited", remainingMs: [299_000, 299_000] });
    await at.games.resign(white.id, gameId, newId());
  });

  test("credits games that were not in memory in an outage of which only the database knows", async () => {
    const { white, black, gameId } = await begin();
    await playFirst(white, black, gameId);
    const leftAt = at.time.now();
    await at.close();
    // No player loads the game while this process serves, loses the database and is killed.
    at = await openTestPlay(database, addMs(leftAt, 5_000));
    at.lose(20_000, "database");
    await at.close();
    at = await openTestPlay(database, addMs(leftAt, 26_000));
    await at.games.watch(makeWatcher(white), gameId, 0);
    await waitUntilIdle(database);
    const watcher = makeWatcher(null);
    await at.games.watch(watcher, gameId, 6);
    const records = watcher.frames.flatMap((frame) => (frame.type === "table" ? frame.records : []));
    expect(records.flatMap(({ events }) => events)).toMatchObject([
      { type: "clock_credited", remainingMs: [304_000, 309_000] },
    ]);
    await at.games.resign(white.id, gameId, newId());
  });

  const hide = () => sql`alter table game_log rename to game_log_away`.execute(database.kysely);
  const show = () => sql`alter table game_log_away rename to game_log`.execute(database.kysely);

  test("credits the outage before a flag", async () => {
    const { white, black, gameId } = await begin();
    await playFirst(white, black, gameId);
    const fromAt = at.time.now();
    at.outages.setServed(false);
    // How long it lasts is measured once it is over.
    await at.advance(300_000);
    expect(await at.games.loadMatch(gameId, null)).toMatchObject({ status: "active" });
    at.outages.lose(300_000);
    at.games.creditOutage({ fromAt, toAt: at.time.now(), cause: "database" });
    at.outages.setServed(true);
    await at.advance(1_000);
    expect(await at.games.loadMatch(gameId, null)).toMatchObject({ status: "active" });
    await at.games.resign(white.id, gameId, newId());
  });

  test("credits the outage before a flag that was about to be written", async () => {
    const { white, black, gameId } = await begin();
    await playFirst(white, black, gameId);
    const fromAt = (at.time.now() + 298_000) as Instant;
    const watcher = makeWatcher(white);
    await at.games.watch(watcher, gameId, 0);
    const framesBefore = watcher.frames.length;
    await hide();
    at.time.advance(299_100);
    at.tick();
    await waitUntilIdle(database);
    at.outages.setServed(false);
    await show();
    await expect.poll(() => watcher.frames.slice(framesBefore)).toMatchObject([{ type: "table" }]);
    await waitUntilIdle(database);
    expect(await at.games.loadMatch(gameId, null)).toMatchObject({ status: "active" });
    at.games.creditOutage({ fromAt, toAt: at.time.now(), cause: "database" });
    at.outages.setServed(true);
    await at.advance(1_000);
    expect(await at.games.loadMatch(gameId, null)).toMatchObject({ status: "active" });
    await at.games.resign(white.id, gameId, newId());
  });

  test("restarts a stopped table with its current watchers", async () => {
    const { white, black, gameId } = await begin();
    const [own, opposite] = [makeWatcher(white), makeWatcher(black)];
    await at.games.watch(own, gameId, 0);
    await at.games.watch(opposite, gameId, 0);
    await hide();
    expect(await move(at, white, gameId, 2, [C3, D4])).toMatchObject({ code: "something_went_wrong" });
    const again = move(at, white, gameId, 2, [C3, D4]);
    at.games.unwatch(opposite, gameId);
    const framesBefore = opposite.frames.length;
    await show();
    expect(await again).toMatchObject({ type: "done", version: 3 });
    expect(own.frames.at(-1)).toMatchObject({ type: "record", record: { version: 3 } });
    expect(opposite.frames).toHaveLength(framesBefore);
    await at.games.cancel(white.id, gameId, newId());
  });
});

test("shows each move in the lists that have the game", async () => {
  const { white, black, gameId } = await begin();
  const watcher = makeWatcher(await addPlayer(database, at));
  await at.lobby.watchLobby(watcher, { filter: { ...EVERY_MATCH, status: "active" }, count: 30, request: 1 });
  await playFirst(white, black, gameId);
  await at.advance(LISTS_FOLLOW_MS);
  expect(watcher.frames.at(-1)).toMatchObject({
    type: "lobby_changes",
    changed: [{ id: gameId, moveCount: 4, board: expect.any(String) }],
  });
  await at.games.resign(white.id, gameId, newId());
});

test("drops a finished game after a late command", async () => {
  const { white, black, gameId } = await begin();
  await playFirst(white, black, gameId);
  await at.games.resign(white.id, gameId, newId());
  expect(await at.games.resign(black.id, gameId, newId())).toMatchObject({ code: "game_over" });
  await at.advance(5_050);
  expect(at.games.isServed(gameId)).toBe(false);
});

describe("a restart", () => {
  test("hides the games of creators who do not return within a minute", async () => {
    const [creator, other] = [await addPlayer(database, at), await addPlayer(database, at)];
    const gameId = gameOf(await create(creator));
    const brokeAt = at.time.now();
    await at.close();
    at = await openTestPlay(database, brokeAt);
    at.lobby.connect(other.id);
    const watcher = makeWatcher(other);
    await at.lobby.watchLobby(watcher, { filter: { ...EVERY_MATCH, status: "pending" }, count: 30, request: 1 });
    await at.advance(62_000);
    await at.advance(LISTS_FOLLOW_MS);
    expect(watcher.frames.at(-1)).toEqual({ type: "lobby_changes", gone: [gameId] });
    await at.games.cancel(creator.id, gameId, newId());
  });

  test("gives the mover no time for the opponent's return during the turn", async () => {
    const { white, black, gameId } = await begin();
    await playFirst(white, black, gameId);
    const brokeAt = at.time.now();
    await at.close();
    const backAt = addMs(brokeAt, 90_000);
    at = await openTestPlay(database, backAt, [{ fromAt: brokeAt, toAt: backAt, cause: "restart" }]);
    const watcher = makeWatcher(white);
    await at.games.watch(watcher, gameId, 0);
    await waitUntilIdle(database);
    await at.advance(20_000);
    await at.games.watch(makeWatcher(black), gameId, 0);
    await waitUntilIdle(database);
    await at.advance(1_000);
    await move(at, white, gameId, 6, [40, 33]);
    const events = watcher.frames.flatMap((frame) => (frame.type === "record" ? frame.record.events : []));
    expect(events.at(-1)).toMatchObject({ type: "moved", chargedMs: 21_000 });
    await at.games.resign(white.id, gameId, newId());
  });

  test("continues the game with credited clocks", async () => {
    const { white, black, gameId } = await begin();
    await playFirst(white, black, gameId);
    const brokeAt = at.time.now();
    await at.close();
    const backAt = addMs(brokeAt, 20_000);
    at = await openTestPlay(database, backAt, [{ fromAt: brokeAt, toAt: backAt, cause: "restart" }]);
    const watcher = makeWatcher(white);
    await at.games.watch(watcher, gameId, 0);
    await expect
      .poll(
        () =>
          watcher.frames
            .flatMap((frame) =>
              frame.type === "table" ? frame.records : frame.type === "record" ? [frame.record] : [],
            )
            .at(-1)?.events,
      )
      .toMatchObject([{ type: "clock_credited", remainingMs: [309_000, 309_000], awaiting: false }]);
    expect(await move(at, white, gameId, 6, [40, 33])).toMatchObject({ type: "done" });
  });

  test("waits for both players after more than a minute, then runs the absent player's clock [CLOCK-09]", async () => {
    const { white, black, gameId } = await begin();
    await playFirst(white, black, gameId);
    const brokeAt = at.time.now();
    await at.close();
    const backAt = addMs(brokeAt, 90_000);
    at = await openTestPlay(database, backAt, [{ fromAt: brokeAt, toAt: backAt, cause: "restart" }]);
    const watcher = makeWatcher(black);
    await at.games.watch(watcher, gameId, 0);
    await expect
      .poll(() => watcher.frames.flatMap((frame) => (frame.type === "record" ? frame.record.events : [])))
      .toMatchObject([
        { type: "clock_credited", awaiting: true },
        { type: "returned", seat: 2 },
      ]);
    await at.games.unwatch(watcher, gameId);
    await at.advance(10 * 60_000 + 50);
    expect(await at.games.loadMatch(gameId, null)).toMatchObject({ status: "active" });
    // The absent player's clock runs from then on (ruling 31).
    await at.advance(309_100);
    expect(await at.games.loadMatch(gameId, null)).toMatchObject({ winner: 2 });
    expect(await loadEndReason(database, gameId)).toBe("time");
    expect(await balanceOf(database, black)).toBe(FIVE - ENTRY_CHECKERS_5 + wholeCoins(120));
  });

  test("voids the game that neither player came back to after more than a minute", async () => {
    const { white, black, gameId } = await begin();
    await playFirst(white, black, gameId);
    const brokeAt = at.time.now();
    await at.close();
    const backAt = addMs(brokeAt, 90_000);
    at = await openTestPlay(database, backAt, [{ fromAt: brokeAt, toAt: backAt, cause: "restart" }]);
    await at.games.watch(makeWatcher(null), gameId, 0);
    await waitUntilIdle(database);
    await at.advance(10 * 60_000 + 50);
    expect(await at.games.loadMatch(gameId, null)).toMatchObject({ status: "cancelled" });
    expect([await balanceOf(database, white), await balanceOf(database, black)]).toEqual([FIVE, FIVE]);
  });

  test("counts a move as its player's return after more than a minute", async () => {
    const { white, black, gameId } = await begin();
    await playFirst(white, black, gameId);
    const brokeAt = at.time.now();
    await at.close();
    const backAt = addMs(brokeAt, 90_000);
    at = await openTestPlay(database, backAt, [{ fromAt: brokeAt, toAt: backAt, cause: "restart" }]);
    expect(await move(at, white, gameId, 6, [40, 33])).toMatchObject({ type: "done", version: 9 });
    const watcher = makeWatcher(null);
    await at.games.watch(watcher, gameId, 6);
    const records = watcher.frames.flatMap((frame) => (frame.type === "table" ? frame.records : []));
    expect(records.flatMap(({ events }) => events)).toMatchObject([
      { type: "clock_credited", awaiting: true },
      { type: "returned", seat: 1 },
      { type: "moved" },
    ]);
    await at.games.resign(white.id, gameId, newId());
  });

  test("sees watching players as returned at once after a database outage", async () => {
    const { white, black, gameId } = await begin();
    await playFirst(white, black, gameId);
    const watcher = makeWatcher(white);
    await at.games.watch(watcher, gameId, 0);
    await at.games.watch(makeWatcher(black), gameId, 0);
    at.lose(90_000, "database");
    await waitUntilIdle(database);
    const events = watcher.frames.flatMap((frame) => (frame.type === "record" ? frame.record.events : []));
    expect(events.map(({ type }) => type)).toEqual(["clock_credited", "returned", "returned"]);
    await at.games.resign(white.id, gameId, newId());
  });

  test("gives no time for stalls of the server before the table was loaded", async () => {
    const { white, black, gameId } = await begin();
    await playFirst(white, black, gameId);
    const leftAt = at.time.now();
    await at.close();
    at = await openTestPlay(database, leftAt, [], 120_000);
    await at.games.watch(makeWatcher(white), gameId, 0);
    await at.advance(299_100);
    expect(await at.games.loadMatch(gameId, null)).toMatchObject({ status: "completed", winner: 2 });
    expect(await loadEndReason(database, gameId)).toBe("time");
    expect(await balanceOf(database, black)).toBe(FIVE - ENTRY_CHECKERS_5 + wholeCoins(120));
  });

  test("finds deadlines that passed without a watcher by sweeping", async () => {
    const { white, black, gameId } = await begin();
    await playFirst(white, black, gameId);
    const leftAt = at.time.now();
    await at.close();
    at = await openTestPlay(database, addMs(leftAt, 300_000));
    // Ten seconds without a server are no player's.
    for (let sweeps = 0; sweeps < 3; sweeps += 1) await at.advance(5_050);
    expect(await at.games.loadMatch(gameId, null)).toMatchObject({ status: "completed", winner: 2 });
    expect(await loadEndReason(database, gameId)).toBe("time");
    expect(await balanceOf(database, white)).toBe(FIVE - ENTRY_CHECKERS_5);
  });
});
