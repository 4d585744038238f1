import type { GameId } from "@holo/kernel/ids.ts";
import { MINUTE_MS } from "@holo/kernel/instant.ts";
import { toCoins, wholeCoins } from "@holo/kernel/money.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Database } from "../platform/database/database.ts";
import { transact } from "../platform/database/transaction.ts";
import { untilOneWaits } from "../platform/testing/lock-waits.ts";
import { loseCommits } from "../platform/testing/lost-commits.ts";
import { RACE_CONNECTIONS } from "../platform/testing/test-database.ts";
import { TestNetwork } from "../platform/testing/test-links.ts";
import type { Answer } from "./game.ts";
import { openPlayForEach } from "./testing/play-hooks.ts";
import { playOpening, resignGame, startGame } from "./testing/test-game.ts";
import {
  addPlayer,
  balanceOf,
  gameOf,
  loadEndReason,
  makeWatcher,
  move,
  newId,
  openTestPlay,
  openTestServers,
  codeOf as refusalOf,
  type TestPlay,
  waitUntilIdle,
} from "./testing/test-play.ts";

let database: Database;
let at: TestPlay;

openPlayForEach(
  (given) => {
    ({ database, at } = given);
  },
  () => at,
  RACE_CONNECTIONS,
);

const ENTRY = toCoins(12_888_000n);

function create(player: PlayerView, server = at): Promise<Answer> {
  return server.matches.create({
    player,
    commandId: newId(),
    game: "checkers",
    stake: 1,
    limitMinutes: 10,
    feeBps: 740,
  });
}

const codeOf = (answer: Answer): string => (answer.type === "done" ? answer.status : refusalOf(answer));

async function seatPlayers(count: number): Promise<readonly PlayerView[]> {
  const players: PlayerView[] = [];
  // In turn: on a busy machine a hundred at once wait longer for a connection than the pool allows.
  for (let i = 0; i < count; i += 1) players.push(await addPlayer(database, at));
  return players;
}

/** An active chess game in which black mates by its next move, at version 5. */
async function nearMate(): Promise<{ white: PlayerView; black: PlayerView; gameId: GameId }> {
  const [white, black] = (await seatPlayers(2)) as [PlayerView, PlayerView];
  const gameId = gameOf(
    await at.matches.create({
      player: white,
      commandId: newId(),
      game: "chess",
      stake: 1,
      limitMinutes: 5,
      feeBps: 740,
    }),
  );
  await at.matches.join(black, gameId, newId());
  const paths = [
    [53, 45],
    [12, 28],
    [54, 38],
  ];
  for (const [ply, path] of paths.entries()) await move(at, ply % 2 === 0 ? white : black, gameId, ply + 2, path);
  return { white, black, gameId };
}

// [STATE-01 §4 r23] A waiting game becomes active when a second player joins. Of several players who join at once,
// one gets the seat.
test("seats one of a hundred players who join at once; the others keep their coins [STATE-01 ERR-09]", async () => {
  const [creator] = (await seatPlayers(1)) as [PlayerView];
  const gameId = gameOf(await create(creator));
  const joiners = await seatPlayers(100);
  const answers = await Promise.all(joiners.map((player) => at.matches.join(player, gameId, newId())));
  expect(answers.filter(({ type }) => type === "done")).toHaveLength(1);
  expect(new Set(answers.map(codeOf))).toEqual(new Set(["active", "match_gone"]));
  const balances = await Promise.all(joiners.map((player) => balanceOf(database, player)));
  const paid = balances.filter((balance) => balance !== wholeCoins(500));
  expect(paid).toEqual([wholeCoins(500) - ENTRY]);
});

test("seats one of a hundred players who join over two servers at once", async () => {
  const servers = await openTestServers(database);
  const creator = await addPlayer(database, servers[0]);
  const gameId = gameOf(await create(creator, servers[0]));
  const joiners = await seatPlayers(100);
  const answers = await Promise.all(
    joiners.map((player, index) => servers[index % 2]!.matches.join(player, gameId, newId())),
  );
  expect(answers.filter(({ type }) => type === "done")).toHaveLength(1);
  expect(new Set(answers.map(codeOf))).toEqual(new Set(["active", "match_gone"]));
  for (const server of servers) await server.close();
});

test("either joins or cancels a game when both are requested at once", async () => {
  const ends = new Set<string>();
  for (let round = 0; round < 20; round += 1) {
    const [creator, joiner] = (await seatPlayers(2)) as [PlayerView, PlayerView];
    const gameId = gameOf(await create(creator));
    const join = () => at.matches.join(joiner, gameId, newId());
    const cancel = async (): Promise<Answer> => {
      await new Promise((resolve) => setTimeout(resolve, round % 4));
      return await at.games.cancel(creator.id, gameId, newId());
    };
    const [joined, cancelled] =
      round % 2 === 0
        ? await Promise.all([join(), cancel()])
        : await Promise.all([cancel(), join()]).then(([second, first]) => [first, second] as const);
    ends.add(`${codeOf(joined)} ${codeOf(cancelled)}`);
    expect(await balanceOf(database, creator)).toBe(wholeCoins(500));
    expect(await balanceOf(database, joiner)).toBe(wholeCoins(500));
  }
  expect([...ends].filter((end) => end !== "active ended" && end !== "match_gone ended")).toEqual([]);
});

// [VALID-14 §5 r23] Matchmaking pairs players with the same game, stake and time limit, and never a player with
// themselves. Finding no opponent is not an error.
test("pairs two concurrent seekers, who never both wait or share a seat [VALID-14]", async () => {
  for (let round = 0; round < 15; round += 1) {
    const [first, second] = (await seatPlayers(2)) as [PlayerView, PlayerView];
    const answers = await Promise.all([create(first), create(second)]);
    // The first answer may come after the second player has joined.
    expect(answers.map(codeOf)).toContain("active");
    expect(new Set(answers.map(gameOf)).size).toBe(1);
  }
});

test("pairs a hundred and one concurrent seekers into fifty games and leaves one waiting", async () => {
  const seekers = await seatPlayers(101);
  const answers = await Promise.all(seekers.map((player) => create(player)));
  const perGame = Map.groupBy(answers.map(gameOf), (gameId) => gameId);
  expect([...perGame.values()].map((ids) => ids.length).sort()).toEqual([1, ...Array.from({ length: 50 }, () => 2)]);
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from games where status = 'waiting'`.execute(database.kysely);
  expect(rows[0]?.waiting).toBe(1);
});

test("gives a player who creates in several tabs one game and one payment [FLOW-03]", async () => {
  const [player] = (await seatPlayers(1)) as [PlayerView];
  const orders = Array.from({ length: 5 }, (_, index) =>
    at.matches.create({
      player,
      commandId: newId(),
      game: index % 2 === 0 ? "checkers" : "chess",
      stake: 10,
      limitMinutes: 5,
      feeBps: 740,
    }),
  );
  const codes = (await Promise.all(orders)).map(codeOf).sort();
  expect(codes).toEqual([
    "pending_game_exists",
    "pending_game_exists",
    "pending_game_exists",
    "pending_game_exists",
    "waiting",
  ]);
});

test("lets a player with endless requests delay only themselves", async () => {
  const [greedy, other] = (await seatPlayers(2)) as [PlayerView, PlayerView];
  expect(codeOf(await create(greedy))).toBe("waiting");
  let answered = 0;
  const asked = Array.from({ length: 200 }, async () => {
    await create(greedy);
    answered += 1;
  });
  expect(codeOf(await create(other))).toBe("active");
  expect(answered).toBeLessThan(10);
  await Promise.all(asked);
});

test("ends a game once on a concurrent mate, resignation, cancellation and flag", async () => {
  const ends = new Set<string>();
  for (let round = 0; round < 8; round += 1) {
    const { white, black, gameId } = await nearMate();
    at.time.advance(300_000 - (round % 2 === 0 ? 20 : 0));
    const acts = [
      () => move(at, black, gameId, 5, [3, 39]),
      () => at.games.resign(white.id, gameId, newId()),
      () => at.games.cancel(white.id, gameId, newId()),
      () => at.advance(40).then((): Answer => ({ type: "refused", code: "bad_request", figures: {} })),
    ];
    const order = [...acts.slice(round % 4), ...acts.slice(0, round % 4)];
    await Promise.all(order.map((act) => act()));
    const match = await at.games.loadMatch(gameId, null);
    ends.add(`${match?.status} ${await loadEndReason(database, gameId)}`);
    const total = (await balanceOf(database, white)) + (await balanceOf(database, black));
    expect(total).toBe(wholeCoins(1_000) - (match?.status === "cancelled" ? 0n : 2_368_000n));
  }
  expect([...ends].every((end) => /^(completed (checkmate|time|resignation)|cancelled \w+)$/.test(end))).toBe(true);
});

test("plays a move once that is sent five times at once, with equal answers", async () => {
  const [white, black] = (await seatPlayers(2)) as [PlayerView, PlayerView];
  const gameId = gameOf(await create(white));
  await at.matches.join(black, gameId, newId());
  const watcher = makeWatcher(black);
  await at.games.watch(watcher, gameId, 0);
  const commandId = newId();
  const answers = await Promise.all(Array.from({ length: 5 }, () => move(at, white, gameId, 2, [42, 35], commandId)));
  expect(answers.map((answer) => (answer.type === "done" ? answer.version : codeOf(answer)))).toEqual([3, 3, 3, 3, 3]);
  expect(watcher.frames.filter(({ type }) => type === "record")).toHaveLength(1);
});

// [ERR-22 §8 r1] A move is stored in the step that plays it, so no move is played without being stored. A refused
// move is undone on the board with a message.
test("commits and acknowledges moves once after their connection is lost [ERR-22]", async () => {
  const games: { readonly white: PlayerView; readonly gameId: GameId }[] = [];
  for (let i = 0; i < 10; i += 1) {
    const [white, black] = (await seatPlayers(2)) as [PlayerView, PlayerView];
    const gameId = gameOf(
      await at.matches.create({
        player: white,
        commandId: newId(),
        game: "checkers",
        stake: 2,
        limitMinutes: 5,
        feeBps: 740,
      }),
    );
    await at.matches.join(black, gameId, newId());
    games.push({ white, gameId });
  }
  const moved = games.map(({ white, gameId }) => move(at, white, gameId, 2, [42, 35]));
  // Waits for their end: a connection that is still ending would be given to the next query.
  await sql`select pg_terminate_backend(pid, 30000) from pg_stat_activity
    where pid <> pg_backend_pid() and datname = current_database() and query like '%game_log%'`.execute(
    database.kysely,
  );
  await new Promise(setImmediate);
  expect((await Promise.all(moved)).map(codeOf)).toEqual(games.map(() => "active"));
  await waitUntilIdle(database);
});

test("cancels a game for staff and notifies all after the commit lost its connection", async () => {
  let losses = 0;
  const losing = await openTestPlay(loseCommits(database, () => losses-- > 0));
  const [white, black] = (await seatPlayers(2)) as [PlayerView, PlayerView];
  const before = await balanceOf(database, white);
  const gameId = gameOf(await create(white, losing));
  await losing.matches.join(black, gameId, newId());
  let asked = 0;
  losses = 1;
  const cancelled = await losing.games.cancelByStaff(gameId, "The board froze", async () => {
    asked += 1;
    return null;
  });
  expect(cancelled).toMatchObject({ type: "done", status: "ended" });
  expect(asked).toBe(1);
  expect(await balanceOf(database, white)).toBe(before);
  const notices = losing.playerFrames.filter(({ frame }) => frame.type === "notice");
  expect(notices.map(({ playerId }) => playerId)).toEqual([white.id, black.id]);
  expect(codeOf(await losing.games.cancelByStaff(gameId, "Once more", async () => null))).toBe("game_over");
  await losing.close();
});

test("seats a seeker and broadcasts the game after the commit lost its connection", async () => {
  let losses = 0;
  const losing = await openTestPlay(loseCommits(database, () => losses-- > 0));
  const [white, black] = (await seatPlayers(2)) as [PlayerView, PlayerView];
  losing.lobby.connect(white.id);
  losses = 1;
  const gameId = gameOf(await create(white, losing));
  expect(losing.lobbyChanges.findLast(({ type }) => type === "match")).toMatchObject({ match: { id: gameId } });
  const watcher = makeWatcher(white);
  await losing.games.watch(watcher, gameId, 0);
  losses = 1;
  expect(gameOf(await create(black, losing))).toBe(gameId);
  expect(watcher.frames.at(-1)).toMatchObject({ type: "table" });
  expect(codeOf(await move(losing, white, gameId, 2, [42, 35]))).toBe("active");
  await losing.close();
});

test("answers a create sent to two servers by the game that it was seated at [FLOW-03]", async () => {
  const [first, second] = await openTestServers(database);
  const [white, black] = [await addPlayer(database, first), await addPlayer(database, second)];
  const gameId = gameOf(await create(white, first));
  const order = {
    player: black,
    commandId: newId(),
    game: "checkers",
    stake: 1,
    limitMinutes: 10,
    feeBps: 740,
  } as const;
  expect(await second.matches.create(order)).toMatchObject({ type: "done", gameId, version: 2, status: "active" });
  expect(await first.matches.create(order)).toMatchObject({ type: "done", gameId, version: 2, status: "active" });
  for (const server of [first, second]) await server.close();
});

// [ERR-38 §8 r1] A command whose outcome the server does not know is never shown as failed: the page sends it again
// until it is answered, and it is carried out once.
test("says that the outcome of a create is unknown, and carries it out once [ERR-38]", async () => {
  let losses = 0;
  const losing = await openTestPlay(loseCommits(database, () => losses-- > 0));
  const [player] = (await seatPlayers(1)) as [PlayerView];
  const before = await balanceOf(database, player);
  const order = { player, commandId: newId(), game: "checkers", stake: 1, limitMinutes: 10, feeBps: 740 } as const;
  losses = 2;
  expect(await losing.matches.create(order)).toEqual({ type: "unknown" });
  const again = await losing.matches.create(order);
  expect(again).toMatchObject({ type: "done", status: "waiting", isRepeat: true });
  expect(await balanceOf(database, player)).toBe(before - ENTRY);
  await losing.close();
});

/** Another session of the database holds the terms on which `create` seeks. */
function lockTermsOfSeekers(): { readonly isHeld: Promise<void>; release(): void; readonly done: Promise<void> } {
  const { promise: held, resolve: hold } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const done = transact(database, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext(${`checkers 1 ${10 * MINUTE_MS}`}))`.execute(tx);
    hold();
    await released;
  });
  return { isHeld: held, release, done };
}

test("answers every copy of a create with the first one, without queueing them", async () => {
  const [player] = (await seatPlayers(1)) as [PlayerView];
  const order = { player, commandId: newId(), game: "checkers", stake: 1, limitMinutes: 10, feeBps: 740 } as const;
  const first = lockTermsOfSeekers();
  await first.isHeld;
  const copies = [at.matches.create(order), at.matches.create(order), at.matches.create(order)];
  await untilOneWaits(database);
  const second = lockTermsOfSeekers();
  first.release();
  await second.isHeld;
  expect(await Promise.all(copies)).toMatchObject(copies.map(() => ({ type: "done", version: 1 })));
  second.release();
  await Promise.all([first.done, second.done]);
});

test("waits for the seeker that is being seated when it closes, and asks the next to send again", async () => {
  const players = await seatPlayers(2);
  const own = await openTestPlay(database);
  const lock = lockTermsOfSeekers();
  await lock.isHeld;
  let answered = 0;
  const asked = players.map((player) =>
    create(player, own).then((answer) => {
      answered += 1;
      return codeOf(answer);
    }),
  );
  await untilOneWaits(database);
  const closed = own.close().then(() => answered);
  lock.release();
  expect(await closed).toBe(players.length);
  expect((await Promise.all(asked)).sort()).toEqual(["unknown", "waiting"]);
  await lock.done;
});

test("answers both copies of a join by what was committed, and asks for it again once closed", async () => {
  let losses = 0;
  const losing = await openTestPlay(loseCommits(database, () => losses-- > 0));
  const [white, black] = (await seatPlayers(2)) as [PlayerView, PlayerView];
  losing.lobby.connect(white.id);
  const gameId = gameOf(await create(white, losing));
  const commandId = newId();
  losses = 1;
  const copies = [losing.matches.join(black, gameId, commandId), losing.matches.join(black, gameId, commandId)];
  expect((await Promise.all(copies)).map(codeOf)).toEqual(["active", "active"]);
  await losing.close();
  expect(await losing.matches.join(black, gameId, commandId)).toEqual({ type: "unknown" });
});

test("finds deadlines of a game that started on another server, which ended unheard", async () => {
  const network = new TestNetwork();
  const [here, other] = await openTestServers(database, network);
  const [white, black] = [await addPlayer(database, here), await addPlayer(database, other)];
  const before = await balanceOf(database, white);
  const gameId = gameOf(await create(white, here));
  await here.games.watch(makeWatcher(white), gameId, 0);
  network.isLosing = true;
  expect(codeOf(await other.matches.join(black, gameId, newId()))).toBe("active");
  await other.close();
  // The time without a server is no player's.
  await here.advance(60_050);
  for (let sweeps = 0; sweeps < 4; sweeps += 1) await here.advance(5_050);
  expect(await here.games.loadMatch(gameId, null)).toMatchObject({ status: "cancelled" });
  expect(await balanceOf(database, white)).toBe(before);
  await here.close();
});

test("carries out a command that reaches two servers once, and refuses a copy that one of them refused", async () => {
  const servers = await openTestServers(database);
  const white = await addPlayer(database, servers[0]);
  const black = await addPlayer(database, servers[1]);
  const gameId = gameOf(await create(white, servers[0]));
  expect(codeOf(await servers[1].matches.join(black, gameId, newId()))).toBe("active");
  const watchers = [makeWatcher(white), makeWatcher(black)] as const;
  for (const [index, watcher] of watchers.entries()) await servers[index]!.games.watch(watcher, gameId, 0);
  const paths = [
    [42, 35],
    [19, 26],
    [49, 42],
    [21, 30],
  ];
  const refusedId = newId();
  expect(codeOf(await servers[0].games.offer("offer_draw", white.id, gameId, refusedId))).toBe("too_early_to_draw");
  for (const [ply, path] of paths.entries()) {
    const id = newId();
    const mover = ply % 2 === 0 ? white : black;
    const answers = await Promise.all(servers.map((server) => move(server, mover, gameId, ply + 2, path, id)));
    expect(answers).toEqual([
      expect.objectContaining({ type: "done", version: ply + 3 }),
      expect.objectContaining({ type: "done", version: ply + 3 }),
    ]);
  }
  expect(codeOf(await servers[1].games.offer("offer_draw", white.id, gameId, refusedId))).toBe("too_early_to_draw");
  expect(codeOf(await servers[1].games.offer("offer_draw", white.id, gameId, newId()))).toBe("active");
  const { rows } = await sql<{ version: number }>`
    select version from game_log where game_id = ${gameId} order by version`.execute(database.kysely);
  expect(rows.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  await waitUntilIdle(database);
  for (const { frames } of watchers) {
    const shown = frames.flatMap((frame) => {
      if (frame.type === "record") return [frame.record.version];
      return frame.type === "table" ? frame.records.map(({ version }) => version) : [];
    });
    expect([...new Set(shown)]).toEqual([1, 2, 3, 4, 5, 6, 7]);
  }
  for (const server of servers) await server.close();
});

// [SEC-63 §- r21] A player who joins two games at the same moment, each at another server, sits down once and pays
// one buy-in.
test("seats a player once who joins two games on two servers at once, with one buy-in [SEC-63]", async () => {
  const servers = await openTestServers(database);
  const terms = { stake: 1, limitMinutes: 10, feeBps: 740 } as const;
  const [white, black, cheat] = await Promise.all(
    servers
      .concat(servers)
      .slice(1)
      .map((server) => addPlayer(database, server)),
  );
  const before = await balanceOf(database, cheat!);
  // A third cancellation would begin a cool-down.
  for (let round = 0; round < 2; round += 1) {
    const order = { ...terms, game: "chess", player: white!, commandId: newId() } as const;
    const games = [gameOf(await create(black!, servers[0])), gameOf(await servers[1].matches.create(order))];
    const answers = await Promise.all(
      servers.map(({ matches }, index) => matches.join(cheat!, games[index]!, newId())),
    );
    expect(answers.map(codeOf).sort()).toEqual(["active", "active_game_exists"]);
    const isCheckers = answers[0]?.type === "done";
    expect(await balanceOf(database, cheat!)).toBe(before - (isCheckers ? ENTRY : toCoins(17_184_000n)));
    await servers[0].games.cancel(black!.id, games[0]!, newId());
    await servers[1].games.cancel(white!.id, games[1]!, newId());
    expect(await balanceOf(database, cheat!)).toBe(before);
  }
  for (const server of servers) await server.close();
});

test("resyncs pushes until nothing has changed, and numbers each later than the last", async () => {
  const network = new TestNetwork();
  const [elsewhere, here] = await openTestServers(database, network);
  network.isLosing = true;
  const player = await addPlayer(database, elsewhere);
  expect([await here.games.resync([player.id]), await here.games.resync([player.id])]).toEqual([true, false]);
  const gameId = gameOf(await create(player, elsewhere));
  expect([await here.games.resync([player.id]), await here.games.resync([player.id])]).toEqual([true, false]);
  const pushed = here.playerFrames.flatMap(({ frame }) => (frame.type === "open_game" ? [frame] : []));
  expect(pushed.map(({ openGame }) => openGame?.gameId)).toEqual([undefined, gameId]);
  expect(pushed[1]!.sequence).toBeGreaterThan(pushed[0]!.sequence);
  for (const server of [elsewhere, here]) await server.close();
});

// [SERVERS-41 §-] A late copy of a refused Create Match is refused again by the server that refused it, whatever other
// players were refused since.
test("refuses a late copy of a refused Create Match after many other refusals [SERVERS-41]", async () => {
  const game = await startGame(database, at);
  await playOpening(at, game);
  const terms = { game: "chess", stake: 5, limitMinutes: 10, feeBps: 740 } as const;
  const order = { ...terms, player: game.white, commandId: newId() };
  expect(refusalOf(await at.matches.create(order))).toBe("active_game_exists");
  const poor = await addPlayer(database, at, 0);
  for (let sent = 0; sent < 64; sent += 1)
    await at.matches.create({ ...order, player: poor, commandId: newId(), feeBps: 1 });
  await resignGame(at, game);
  expect(refusalOf(await at.matches.create(order))).toBe("active_game_exists");
  expect(refusalOf(await at.matches.create({ ...order, commandId: newId() }))).toBe("done");
});

test("The number of running games does not count a game that ended while it was read again [SERVERS-42 §-]", async () => {
  const reading = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let isHeld = false;
  const slow = database.kysely.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (isHeld) {
        reading.resolve();
        await released.promise;
      }
      return result;
    },
  });
  const [first, second] = await openTestServers(database, undefined, { ...database, kysely: slow });
  const game = await startGame(database, first);
  await playOpening(first, game);
  const { gamesPlaying } = second.lobby.stats();
  isHeld = true;
  const resynced = second.lobby.resync();
  await reading.promise;
  await resignGame(first, game);
  isHeld = false;
  released.resolve();
  await resynced;
  await expect.poll(() => second.lobby.stats().gamesPlaying).toBe(gamesPlaying - 1);
  for (const server of [first, second]) await server.close();
});
