import type { GameId } from "@holo/kernel/ids.ts";
import { addMs } from "@holo/kernel/instant.ts";
import { toCoins, wholeCoins } from "@holo/kernel/money.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import type { LogRecord, OfferAnswer, TableEvent } from "@holo/table/log-record.ts";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import { untilOneWaits } from "../../platform/testing/lock-waits.ts";
import type { Answer, OfferType } from "../game.ts";
import { lockGame } from "../log/game-store.ts";
import { openPlayForEach } from "../testing/play-hooks.ts";
import { createGame, playOpening, resignGame, startGame, type TestGame } from "../testing/test-game.ts";
import {
  addPlayer,
  balanceOf,
  codeOf,
  idOf,
  loadEndReason,
  makeWatcher,
  move,
  newId,
  openTestPlay,
  type TestPlay,
  waitUntilIdle,
} from "../testing/test-play.ts";

let database: Database;
let at: TestPlay;

openPlayForEach(
  (given) => {
    ({ database, at } = given);
  },
  () => at,
);

const FIVE = wholeCoins(500);
/** 60 + 7.4 % */
const ENTRY = toCoins(64_440_000n);

interface Seated extends TestGame {
  readonly watchers: readonly ReturnType<typeof makeWatcher>[];
}

async function play(): Promise<Seated> {
  const game = await startGame(database, at);
  await playOpening(at, game);
  return { ...game, watchers: await watch(game) };
}

async function watch({ white, black, gameId }: TestGame) {
  const watchers = [makeWatcher(white), makeWatcher(black)];
  for (const watcher of watchers) await at.games.watch(watcher, gameId, 0);
  return watchers;
}

async function playToEnd(): Promise<Seated> {
  const game = await play();
  await resignGame(at, game);
  return game;
}

function offer(type: OfferType, player: PlayerView, gameId: GameId, id = newId()): Promise<Answer> {
  return at.games.offer(type, idOf(player), gameId, id);
}

function answer(
  type: "answer_draw" | "answer_takeback",
  player: PlayerView,
  gameId: GameId,
  offered: number,
  given: OfferAnswer,
  atVersion: number,
): Promise<Answer> {
  return at.games.answerOffer({
    type,
    player: idOf(player),
    commandId: newId(),
    gameId,
    offer: offered,
    answer: given,
    atVersion,
  });
}

function answerRematch(
  player: PlayerView,
  gameId: GameId,
  offered: number,
  given: "accept" | "decline",
  commandId = newId(),
): Promise<Answer> {
  return at.games.answerOffer({
    type: "answer_rematch",
    player: idOf(player),
    commandId,
    gameId,
    offer: offered,
    answer: given,
  });
}

function versionOf(given: Answer): number {
  if (given.type !== "done") throw new Error(`not done: ${JSON.stringify(given)}`);
  return given.version;
}

function eventsOf(watcher: ReturnType<typeof makeWatcher>): readonly TableEvent[] {
  const records: readonly LogRecord[] = watcher.frames.flatMap((frame) =>
    frame.type === "table" ? frame.records : frame.type === "record" ? [frame.record] : [],
  );
  return records.flatMap(({ events }) => events);
}

function rematchOf(watcher: ReturnType<typeof makeWatcher>): GameId {
  const started = eventsOf(watcher).find((event) => event.type === "rematch_started");
  if (started === undefined) throw new Error("no rematch has started");
  return started.gameId;
}

async function stopPaying(player: PlayerView): Promise<void> {
  // Joins another game that takes most of their coins and does not end within this test.
  await at.matches.create({ player, commandId: newId(), game: "chess", stake: 10, limitMinutes: 10, feeBps: 740 });
}

test("an offer that was pressed before the opponent's move changes nothing after it [OFFER-06]", async () => {
  const { white, black, gameId } = await play();
  await offer("offer_draw", black, gameId);
  const late = { opponentMoves: 0 };
  for (const type of ["offer_draw", "request_takeback"] as const)
    expect(codeOf(await at.games.offer(type, idOf(white), gameId, newId(), undefined, late))).toBe("stale_version");
  expect(await loadEndReason(database, gameId)).toBeNull();
  expect(codeOf(await offer("offer_draw", white, gameId))).toBe("done");
  expect(await loadEndReason(database, gameId)).toBe("agreement");
});

describe("a draw", () => {
  test("by agreement returns both stakes and keeps both fees", async () => {
    const { white, black, gameId } = await play();
    const offered = versionOf(await offer("offer_draw", white, gameId));
    expect(await answer("answer_draw", black, gameId, offered, "accept", 6)).toMatchObject({ status: "ended" });
    expect(await at.games.loadMatch(gameId, null)).toMatchObject({ winner: null });
    expect(await loadEndReason(database, gameId)).toBe("agreement");
    const after = FIVE - ENTRY + wholeCoins(60);
    expect([await balanceOf(database, white), await balanceOf(database, black)]).toEqual([after, after]);
  });

  test("ends the game once when accepted twenty times at once", async () => {
    const { white, black, gameId } = await play();
    const offered = versionOf(await offer("offer_draw", white, gameId));
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => answer("answer_draw", black, gameId, offered, "accept", 6)),
    );
    expect(answers.filter(({ type }) => type === "done")).toHaveLength(1);
    expect(await balanceOf(database, white)).toBe(FIVE - ENTRY + wholeCoins(60));
  });

  test("ends the game in one way on a concurrent acceptance, resignation and move", async () => {
    const { white, black, gameId } = await play();
    const offered = versionOf(await offer("offer_draw", white, gameId));
    await Promise.all([
      answer("answer_draw", black, gameId, offered, "accept", 6),
      at.games.resign(idOf(black), gameId, newId()),
      move(at, white, gameId, 6, [40, 33]),
    ]);
    const total = (await balanceOf(database, white)) + (await balanceOf(database, black));
    expect(total).toBe(FIVE + FIVE - (ENTRY - wholeCoins(60)) * 2n);
  });

  test("stays pending after a restart", async () => {
    const { white, black, gameId } = await play();
    const offered = versionOf(await offer("offer_draw", white, gameId));
    const now = at.time.now();
    await at.close();
    at = await openTestPlay(database, now);
    expect(await answer("answer_draw", black, gameId, offered, "accept", 6)).toMatchObject({ status: "ended" });
  });

  test("saves no clock that ran out while no server had the table in memory [OFFER-03]", async () => {
    const { white, black, gameId } = await play();
    const offered = versionOf(await offer("offer_draw", black, gameId));
    const flagAt = addMs(at.time.now(), 299_000);
    await at.close();
    // Ten seconds without a server are no player's.
    at = await openTestPlay(database, addMs(flagAt, 11_000));
    expect(codeOf(await answer("answer_draw", white, gameId, offered, "accept", 6))).toBe("time_up");
    await at.advance(50);
    expect(await loadEndReason(database, gameId)).toBe("time");
  });
});

describe("a takeback", () => {
  test("restores the board for everyone and allows a new move", async () => {
    const { white, black, gameId, watchers } = await play();
    const asked = versionOf(await offer("request_takeback", white, gameId));
    const back = versionOf(await answer("answer_takeback", black, gameId, asked, "accept", 6));
    expect(eventsOf(watchers[1]!).at(-1)).toMatchObject({ type: "taken_back", seat: 1, plies: 2 });
    expect(await at.games.loadMatch(gameId, null)).toMatchObject({ moveCount: 2 });
    expect(await move(at, white, gameId, 6, [40, 33])).toMatchObject({ code: "stale_version" });
    expect(await move(at, white, gameId, back, [40, 33])).toMatchObject({ type: "done" });
    await at.games.resign(idOf(white), gameId, newId());
  });

  test("is refused if the opponent has takebacks switched off", async () => {
    const { white, black, gameId } = await play();
    await sql`
      insert into players (id, email, updated_at)
      values (${black.id}, ${`${black.id}@arena.test`}, now())`.execute(database.kysely);
    await sql`
      insert into profiles (id, username, takebacks_enabled, created_at, updated_at)
      values (${black.id}, ${black.id.slice(0, 20)}, false, now(), now())`.execute(database.kysely);
    expect(await offer("request_takeback", white, gameId)).toMatchObject({ code: "takebacks_refused" });
    expect(await offer("request_takeback", black, gameId)).toMatchObject({ type: "done" });
    await at.games.resign(idOf(white), gameId, newId());
  });
});

describe("a rematch", () => {
  // [OFFER-01 §4,9 r19] An accepted rematch is a new game with the same stake and limit and swapped colours. Both
  // players are taken to it, and its address replaces the old one.
  test("takes both buy-ins, swaps colours and leads both players there, three times in a row [OFFER-01]", async () => {
    let game: TestGame = await playToEnd();
    const balances = { [game.white.id]: FIVE - ENTRY, [game.black.id]: FIVE - ENTRY + wholeCoins(120) };
    for (let round = 0; round < 3; round += 1) {
      const { white, black, gameId } = game;
      const watchers = await watch(game);
      const offered = versionOf(await offer("offer_rematch", white, gameId));
      expect(await answerRematch(black, gameId, offered, "accept")).toMatchObject({ type: "done" });
      const next = rematchOf(watchers[0]!);
      expect(await at.games.loadMatch(next, null)).toMatchObject({
        status: "active",
        white: { id: black.id },
        black: { id: white.id },
        stake: 5,
        limitMinutes: 5,
      });
      for (const player of [white, black]) {
        balances[player.id] = toCoins(balances[player.id]! - ENTRY);
        expect(await balanceOf(database, player)).toBe(balances[player.id]);
        expect(
          at.playerFrames.filter(({ playerId }) => playerId === player.id).map(({ frame }) => frame),
        ).toContainEqual(expect.objectContaining({ type: "open_game", openGame: { gameId: next, status: "active" } }));
      }
      game = { white: black, black: white, gameId: next };
      await playOpening(at, game);
      await resignGame(at, game);
      balances[white.id] = toCoins(balances[white.id]! + wholeCoins(120));
    }
    expect(await balanceOf(database, game.white)).toBe(balances[game.white.id]);
    expect(await balanceOf(database, game.black)).toBe(balances[game.black.id]);
  });

  test("is one game when accepted twice or with a crossing offer", async () => {
    const { white, black, gameId } = await playToEnd();
    const offered = versionOf(await offer("offer_rematch", white, gameId));
    const id = newId();
    const answers = await Promise.all([
      answerRematch(black, gameId, offered, "accept", id),
      answerRematch(black, gameId, offered, "accept", id),
      answerRematch(black, gameId, offered, "accept"),
      offer("offer_rematch", black, gameId),
    ]);
    expect(answers.slice(0, 2)).toEqual([
      expect.objectContaining({ type: "done", isRepeat: false }),
      expect.objectContaining({ type: "done", isRepeat: true }),
    ]);
    expect(answers.slice(2)).toMatchObject([{ code: "rematch_started" }, { code: "rematch_started" }]);
    expect(await balanceOf(database, white)).toBe(FIVE - ENTRY - ENTRY);
  });

  test("takes nothing if either player cannot pay, and notifies both", async () => {
    const rich = await addPlayer(database, at);
    const poor = await addPlayer(database, at, 65);
    const created = await createGame(at, rich);
    if (created.type !== "done") throw new Error(created.type);
    const { gameId } = created;
    await at.matches.join(poor, gameId, newId());
    const game = { white: rich, black: poor, gameId };
    await playOpening(at, game);
    await at.games.resign(idOf(poor), gameId, newId());
    const [watcher, other] = await watch(game);
    const offered = versionOf(await offer("offer_rematch", rich, gameId));
    const before = await balanceOf(database, rich);
    expect(await answerRematch(poor, gameId, offered, "accept")).toMatchObject({ code: "insufficient_to_join" });
    for (const one of [watcher!, other!]) {
      const lapsed = { type: "rematch_lapsed", reason: "short_of_coins", seat: 2 };
      await expect.poll(() => eventsOf(one).at(-1)).toEqual(lapsed);
    }
    expect(await balanceOf(database, rich)).toBe(before);
    expect(await offer("offer_rematch", poor, gameId)).toMatchObject({ code: "insufficient_to_create" });
    expect(await answerRematch(poor, gameId, offered, "accept")).toMatchObject({ code: "no_offer" });
  });

  test("lapses when either sits elsewhere or leaves, or after a minute", async () => {
    const first = await playToEnd();
    await offer("offer_rematch", first.white, first.gameId);
    await stopPaying(first.black);
    await waitUntilIdle(database);
    expect(eventsOf(first.watchers[0]!).at(-1)).toEqual({ type: "rematch_lapsed", reason: "other_game", seat: 2 });

    const second = await playToEnd();
    await offer("offer_rematch", second.white, second.gameId);
    at.games.unwatch(second.watchers[1]!, second.gameId);
    await waitUntilIdle(database);
    expect(eventsOf(second.watchers[0]!).at(-1)).toEqual({ type: "rematch_lapsed", reason: "left", seat: 2 });

    const third = await playToEnd();
    await offer("offer_rematch", third.white, third.gameId);
    await at.advance(60_050);
    expect(eventsOf(third.watchers[0]!).at(-1)).toEqual({ type: "rematch_lapsed", reason: "time", seat: null });
  });

  test("survives a short disconnection but not a long one", async () => {
    const { white, black, gameId, watchers } = await playToEnd();
    await offer("offer_rematch", white, gameId);
    at.games.dropWatcher(watchers[1]!, gameId);
    await at.advance(5_000);
    const back = makeWatcher(black);
    await at.games.watch(back, gameId, 0);
    await at.advance(11_000);
    expect(eventsOf(watchers[0]!).at(-1)).toMatchObject({ type: "rematch_offered" });
    at.games.dropWatcher(back, gameId);
    await at.advance(15_050);
    expect(eventsOf(watchers[0]!).at(-1)).toEqual({ type: "rematch_lapsed", reason: "left", seat: 2 });
  });

  test("stays pending after a restart until its minute is over", async () => {
    const { white, black, gameId } = await playToEnd();
    const offered = versionOf(await offer("offer_rematch", white, gameId));
    const now = at.time.now();
    await at.close();
    at = await openTestPlay(database, addMs(now, 5_000));
    const [watcher] = await watch({ white, black, gameId });
    expect(await answerRematch(black, gameId, offered, "accept")).toMatchObject({ type: "done" });
    expect(await at.games.loadMatch(rematchOf(watcher!), null)).toMatchObject({ status: "active" });
  });

  test("is offered at the one table while the game ends without watchers", async () => {
    const { white, black, gameId, watchers } = await play();
    for (const watcher of watchers) at.games.dropWatcher(watcher, gameId);
    const tables = await at.countTables();
    const [resigned, offered] = await transact(database, async (tx) => {
      await lockGame(tx, gameId);
      const sent = [at.games.resign(white.id, gameId, newId()), offer("offer_rematch", black, gameId)];
      await untilOneWaits(database);
      return sent;
    });
    expect(await resigned).toMatchObject({ type: "done", status: "ended" });
    versionOf((await offered)!);
    expect(await at.countTables()).toBe(tables);
    await at.advance(60_050);
    const watcher = makeWatcher(white);
    await at.games.watch(watcher, gameId, 0);
    expect(eventsOf(watcher).at(-1)).toMatchObject({ type: "rematch_lapsed", reason: "time" });
  });

  test("is refused if the opponent has left, and for strangers", async () => {
    const { white, black, gameId, watchers } = await playToEnd();
    at.games.unwatch(watchers[1]!, gameId);
    at.time.advance(16_000);
    expect(await offer("offer_rematch", white, gameId)).toMatchObject({ code: "opponent_away" });
    await at.games.watch(watchers[1]!, gameId, 0);
    const offered = versionOf(await offer("offer_rematch", white, gameId));
    for (const { id } of [white, black]) {
      await sql`
        insert into players (id, email, updated_at)
        values (${id}, ${`${id}@arena.test`}, now())`.execute(database.kysely);
      await sql`
        insert into profiles (id, username, created_at, updated_at)
        values (${id}, ${id.slice(0, 20)}, now(), now())`.execute(database.kysely);
    }
    await sql`
      insert into player_relations (player_id, other_id, muted, blocked, updated_at)
      values (${white.id}, ${black.id}, false, true, now())`.execute(database.kysely);
    expect(await answerRematch(black, gameId, offered, "accept")).toMatchObject({ code: "blocked_pair" });
    await waitUntilIdle(database);
    expect(await offer("offer_rematch", white, gameId)).toMatchObject({ code: "blocked_pair" });
    const waiting = await createGame(at, white);
    expect(await createGame(at, black)).toMatchObject({ status: "waiting" });
    if (waiting.type !== "done") throw new Error(waiting.type);
    expect(await at.matches.join(black, waiting.gameId, newId())).toMatchObject({ type: "refused" });
  });
});
