import { randomUUID } from "node:crypto";
import { DAY_MS, MINUTE_MS } from "@holo/kernel/instant.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import type { PaymentView } from "@holo/protocol/payments/payments.ts";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { openPlayForEach } from "../game/testing/play-hooks.ts";
import { createGame, playOpening, startGame, type TestGame } from "../game/testing/test-game.ts";
import { addPlayer, gameOf, idOf, makeWatcher, newId, type TestPlay } from "../game/testing/test-play.ts";
import type { Database } from "../platform/database/database.ts";
import { type Outbox, openOutbox } from "../platform/mail/outbox.ts";
import { openMetrics } from "../platform/metrics/metrics.ts";
import { openPusher, type PushSubscription } from "../platform/push/pusher.ts";
import { openTestPushService, type TestPushService } from "../platform/push/testing/test-push-service.ts";
import { makeVapidKeys } from "../platform/push/vapid.ts";
import { openTestLog } from "../platform/testing/test-log.ts";
import { openTimerWheel } from "../platform/time/timer-wheel.ts";
import { type Notices, openNotices } from "./notices.ts";

const SECRET = "a secret of at least thirty-two characters";
const keys = makeVapidKeys(SECRET);

let database: Database;
let at: TestPlay;
let service: TestPushService;
let outbox: Outbox;
let notices: Notices;

openPlayForEach(
  (given) => {
    ({ database, at } = given);
  },
  () => at,
);
beforeAll(async () => {
  service = await openTestPushService(() => keys.publicKey);
});
afterAll(() => service.close());
beforeEach(() => {
  service.answerWith(201);
  const log = openTestLog();
  outbox = openOutbox({
    database,
    time: at.time,
    wheel: openTimerWheel({ time: at.time, log }),
    log,
    metrics: openMetrics({ process: false }),
    mailer: { send: () => Promise.reject(new Error("no mail was queued")), close: () => undefined },
    pusher: openPusher({ keys, contact: "mailto:support@arena.test" }),
    secret: SECRET,
  });
  notices = listen();
});
afterEach(async () => {
  await notices.close();
  await outbox.close();
});

function listen(): Notices {
  return openNotices({
    database,
    bus: at.bus,
    time: at.time,
    log: openTestLog(),
    outbox,
    publicKey: keys.publicKey,
    otherServices: [service.origin],
  });
}

async function logIn({ id }: Pick<PlayerView, "id">): Promise<string> {
  const token = randomUUID();
  await database.pool.query(
    `with saved as (insert into players (id, email, updated_at) values ($1, $1 || '@example.com', to_timestamp(0))
       on conflict do nothing),
     named as (insert into profiles (id, username, created_at, updated_at)
       values ($1, left($1, 20), to_timestamp(0), to_timestamp(0)) on conflict do nothing)
     insert into sessions (id, token, player_id, started_at, renewed_at, expires_at)
     values ($2, $2, $1, to_timestamp($3::bigint / 1000), to_timestamp(0), 'infinity')`,
    [id, token, at.time.now()],
  );
  return token;
}

async function subscribe(player: Pick<PlayerView, "id">): Promise<PushSubscription & { readonly token: string }> {
  const token = await logIn(player);
  const subscription = service.subscribe();
  expect(await notices.subscribe(player.id, token, subscription)).toMatchObject({ ok: true });
  return { ...subscription, token };
}

/** The titles that a browser was sent. */
async function toldTo({ endpoint }: PushSubscription): Promise<readonly string[]> {
  await notices.close();
  await outbox.sendDue();
  expect(service.faults).toEqual([]);
  return service.received.filter((push) => push.endpoint === endpoint).map(({ text }) => JSON.parse(text).title);
}

test("A closed browser is told once that an opponent joined, on each device [PUSH-03 §- r45]", async () => {
  const white = await addPlayer(database, at);
  const black = await addPlayer(database, at);
  const [phone, laptop] = [await subscribe(white), await subscribe(white)];
  const gameId = gameOf(await createGame(at, white));
  await at.matches.join(black, gameId, newId());
  const joined = {
    type: "open_game",
    openGame: { gameId, status: "active" },
    sequence: Number.MAX_SAFE_INTEGER,
  } as const;
  at.bus.publish("player", { playerId: idOf(white), frame: joined });
  expect([await toldTo(phone), await toldTo(laptop)]).toEqual([["Opponent joined"], ["Opponent joined"]]);
  const { text } = service.received.find(({ endpoint }) => endpoint === phone.endpoint)!;
  expect(JSON.parse(text)).toMatchObject({ path: `/game/${gameId}`, tag: `game-${gameId}` });
});

async function play(): Promise<TestGame> {
  const game = await startGame(database, at);
  await playOpening(at, game);
  // Until it is told that the opponent joined: a browser that subscribes meanwhile would be told, too.
  await notices.close();
  notices = listen();
  return game;
}

test("Short time is told to a player who is away from the table, and to no one else [PUSH-04 §- r45]", async () => {
  const game = await play();
  const [away, waiting] = [await subscribe(game.white), await subscribe(game.black)];
  await at.advance(3 * MINUTE_MS);
  await at.advance(MINUTE_MS);
  expect([await toldTo(away), await toldTo(waiting)]).toEqual([["Your turn"], []]);
});

test("a player at the table is not told of short time", async () => {
  const game = await play();
  const present = await subscribe(game.white);
  await at.games.watch(makeWatcher(game.white), game.gameId, 0);
  await at.advance(4 * MINUTE_MS);
  expect(await toldTo(present)).toEqual([]);
});

// [PUSH-05 §- r45] An offer is told to the opponent alone.
test.each([
  ["offer_draw", "Draw offered"],
  ["request_takeback", "Takeback requested"],
] as const)("%s is told to the opponent alone [PUSH-05]", async (type, title) => {
  const game = await play();
  const [offering, asked] = [await subscribe(game.black), await subscribe(game.white)];
  expect(await at.games.offer(type, game.black.id, game.gameId, newId())).toMatchObject({ type: "done" });
  expect([await toldTo(asked), await toldTo(offering)]).toEqual([[title], []]);
});

test("a rematch is told to the opponent", async () => {
  const game = await play();
  await at.games.resign(game.white.id, game.gameId, newId());
  const asked = await subscribe(game.white);
  expect(await at.games.offer("offer_rematch", game.black.id, game.gameId, newId())).toMatchObject({ type: "done" });
  expect(await toldTo(asked)).toEqual(["Rematch?"]);
});

function pay(playerId: PlayerView["id"], status: PaymentView["status"]): void {
  const payment = { id: "p1", kind: "deposit", status, kobo: 500_000 } as unknown as PaymentView;
  at.bus.publish("player", { playerId, frame: { type: "payment", payment } });
}

test("A payment's outcome is told, and not that it waits [PUSH-06 §- r45]", async () => {
  const player = await addPlayer(database, at);
  const phone = await subscribe(player);
  pay(player.id, "processing");
  pay(player.id, "completed");
  pay(player.id, "completed");
  expect(await toldTo(phone)).toEqual(["Deposit completed"]);
});

test("Nothing is told to a player who excluded themselves or wants none, or after a logout [PUSH-07 §- r45]", async () => {
  const quiet = await addPlayer(database, at);
  const silenced = await subscribe(quiet);
  await database.pool.query("update profiles set notifications_enabled = false where id = $1", [quiet.id]);
  pay(quiet.id, "completed");
  const [excluded, gone, other] = [
    await addPlayer(database, at),
    await addPlayer(database, at),
    await addPlayer(database, at),
  ];
  const browsers = [await subscribe(excluded), await subscribe(gone), await subscribe(other)] as const;
  const now = at.time.now();
  await database.pool.query("insert into self_exclusions (player_id, from_at, until_at) values ($1, $2, $3)", [
    excluded.id,
    now,
    now + DAY_MS,
  ]);
  await database.pool.query("delete from sessions where token = $1", [browsers[1].token]);
  await notices.unsubscribe(excluded.id, browsers[2].endpoint);
  for (const { id } of [excluded, gone, other]) pay(id, "completed");
  expect(await Promise.all(browsers.map(toldTo))).toEqual([[], [], ["Deposit completed"]]);
  expect(await toldTo(silenced)).toEqual([]);
});

test("A browser that ended its subscription is forgotten [PUSH-08 §- r45]", async () => {
  const player = await addPlayer(database, at);
  const phone = await subscribe(player);
  service.answerWith(410);
  pay(player.id, "completed");
  expect(await toldTo(phone)).toEqual([]);
  const { rows } = await database.pool.query("select from push_subscriptions where endpoint = $1", [phone.endpoint]);
  expect(rows).toEqual([]);
});

test("A notice that is useless by now is dropped [PUSH-09 §- r45]", async () => {
  const game = await play();
  const asked = await subscribe(game.white);
  service.answerWith(503);
  await at.games.offer("offer_draw", game.black.id, game.gameId, newId());
  await toldTo(asked);
  service.answerWith(201);
  at.time.advance(3 * MINUTE_MS);
  expect(await toldTo(asked)).toEqual([]);
  expect((await database.pool.query("select from outbox where given_up_at is null and sent_at is null")).rows).toEqual(
    [],
  );
});

test("a player has at most ten browsers, the latest logins", async () => {
  const player = await addPlayer(database, at);
  const first = await subscribe(player);
  at.time.advance(1000);
  for (let count = 0; count < 10; count += 1) await subscribe(player);
  const { rows } = await database.pool.query("select endpoint from push_subscriptions");
  expect(rows.map(({ endpoint }) => endpoint)).not.toContain(first.endpoint);
});
