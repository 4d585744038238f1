import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { toCoins, wholeCoins } from "@holo/kernel/money.ts";
import type { PlayerView } from "@holo/protocol/games.ts";
import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Database } from "../platform/database/database.ts";
import { loseCommits } from "../platform/testing/lost-commits.ts";
import type { Answer } from "./arena.ts";
import { openArenaForEach } from "./testing/arena-hooks.ts";
import {
  addPlayer,
  balanceOf,
  gameOf,
  makeWatcher,
  move,
  newId,
  openTestArena,
  type TestArena,
  waitUntilIdle,
} from "./testing/test-arena.ts";

let database: Database;
let at: TestArena;

openArenaForEach(
  (given) => {
    ({ database, at } = given);
  },
  () => at,
);

const ENTRY = toCoins(12_888_000n);

function create(player: PlayerView, node = at): Promise<Answer> {
  return node.arena.create({ player, commandId: newId(), game: "checkers", stake: 1, limitMinutes: 10, feeBps: 740 });
}

const codeOf = (answer: Answer): string => (answer.type === "refused" ? answer.code : answer.status);

async function seatPlayers(count: number): Promise<readonly PlayerView[]> {
  return await Promise.all(Array.from({ length: count }, () => addPlayer(database, at)));
}

/** An active chess game in which black mates by its next move, at version 5. */
async function nearMate(): Promise<{ white: PlayerView; black: PlayerView; gameId: GameId }> {
  const [white, black] = (await seatPlayers(2)) as [PlayerView, PlayerView];
  const gameId = gameOf(
    await at.arena.create({ player: white, commandId: newId(), game: "chess", stake: 1, limitMinutes: 5, feeBps: 740 }),
  );
  await at.arena.join(black, gameId, newId());
  const paths = [
    [53, 45],
    [12, 28],
    [54, 38],
  ];
  for (const [ply, path] of paths.entries()) await move(at, ply % 2 === 0 ? white : black, gameId, ply + 2, path);
  return { white, black, gameId };
}

test("of a hundred who join one seat at once, one sits down and the others keep their coins [STATE-01]", async () => {
  const [creator] = (await seatPlayers(1)) as [PlayerView];
  const gameId = gameOf(await create(creator));
  const joiners = await seatPlayers(100);
  const answers = await Promise.all(joiners.map((player) => at.arena.join(player, gameId, newId())));
  expect(answers.filter(({ type }) => type === "done")).toHaveLength(1);
  expect(new Set(answers.map(codeOf))).toEqual(new Set(["active", "match_gone"]));
  const balances = await Promise.all(joiners.map((player) => balanceOf(database, player)));
  const paid = balances.filter((balance) => balance !== wholeCoins(500));
  expect(paid).toEqual([wholeCoins(500) - ENTRY]);
});

test("of a hundred who join one seat over two nodes at once, one sits down", async () => {
  const other = await openTestArena(database);
  const [creator] = (await seatPlayers(1)) as [PlayerView];
  const gameId = gameOf(await create(creator));
  const joiners = await seatPlayers(100);
  const answers = await Promise.all(
    joiners.map((player, index) => (index % 2 === 0 ? at : other).arena.join(player, gameId, newId())),
  );
  expect(answers.filter(({ type }) => type === "done")).toHaveLength(1);
  await other.close();
});

test("joining against cancelling ends in one of the two, whichever came first", async () => {
  const ends = new Set<string>();
  for (let round = 0; round < 20; round += 1) {
    const [creator, joiner] = (await seatPlayers(2)) as [PlayerView, PlayerView];
    const gameId = gameOf(await create(creator));
    const join = () => at.arena.join(joiner, gameId, newId());
    const cancel = async (): Promise<Answer> => {
      await new Promise((resolve) => setTimeout(resolve, round % 4));
      return await at.arena.cancel(creator.id as PlayerId, gameId, newId());
    };
    const [joined, cancelled] =
      round % 2 === 0
        ? await Promise.all([join(), cancel()])
        : await Promise.all([cancel(), join()]).then(([second, first]) => [first, second] as const);
    ends.add(`${codeOf(joined)} ${codeOf(cancelled)}`);
    expect(await balanceOf(database, creator)).toBe(wholeCoins(500));
    expect(await balanceOf(database, joiner)).toBe(wholeCoins(500));
  }
  // A joined game may still be cancelled before its moves; a cancelled one is not joined.
  expect([...ends].filter((end) => end !== "active ended" && end !== "match_gone ended")).toEqual([]);
});

test("two seekers at once never both wait and never share a seat [VALID-14]", async () => {
  for (let round = 0; round < 15; round += 1) {
    const [first, second] = (await seatPlayers(2)) as [PlayerView, PlayerView];
    const answers = await Promise.all([create(first), create(second)]);
    expect(answers.map(codeOf).sort()).toEqual(["active", "waiting"]);
    expect(new Set(answers.map(gameOf)).size).toBe(1);
  }
});

test("a hundred and one seekers at once make fifty games and leave one waiting", async () => {
  const seekers = await seatPlayers(101);
  const answers = await Promise.all(seekers.map((player) => create(player)));
  const perGame = Map.groupBy(answers.map(gameOf), (gameId) => gameId);
  expect([...perGame.values()].map((ids) => ids.length).sort()).toEqual([1, ...Array.from({ length: 50 }, () => 2)]);
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from games where status = 'waiting'`.execute(database.kysely);
  expect(rows[0]?.waiting).toBe(1);
});

test("a player who creates in two tabs at once has one game and paid once [FLOW-03b]", async () => {
  const [player] = (await seatPlayers(1)) as [PlayerView];
  const orders = Array.from({ length: 5 }, (_, index) =>
    at.arena.create({
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

test("a player who asks for games without end makes nobody wait but themselves", async () => {
  const [greedy, other] = (await seatPlayers(2)) as [PlayerView, PlayerView];
  let answered = 0;
  const asked = Array.from({ length: 200 }, async () => {
    await create(greedy);
    answered += 1;
  });
  expect(codeOf(await create(other))).toBe("active");
  expect(answered).toBeLessThan(10);
  await Promise.all(asked);
});

test("a mate, a resignation, a cancellation and a flag at once end the game once", async () => {
  const ends = new Set<string>();
  for (let round = 0; round < 8; round += 1) {
    const { white, black, gameId } = await nearMate();
    at.time.advance(300_000 - (round % 2 === 0 ? 20 : 0));
    const acts = [
      () => move(at, black, gameId, 5, [3, 39]),
      () => at.arena.resign(white.id as PlayerId, gameId, newId()),
      () => at.arena.cancel(white.id as PlayerId, gameId, newId()),
      () => at.advance(40).then((): Answer => ({ type: "refused", code: "bad_request", figures: {} })),
    ];
    const order = [...acts.slice(round % 4), ...acts.slice(0, round % 4)];
    await Promise.all(order.map((act) => act()));
    const match = await at.arena.loadMatch(gameId, null);
    ends.add(`${match?.status} ${match?.endReason}`);
    const total = (await balanceOf(database, white)) + (await balanceOf(database, black));
    expect(total).toBe(wholeCoins(1_000) - (match?.status === "cancelled" ? 0n : 2_368_000n));
  }
  expect([...ends].every((end) => /^(completed (checkmate|time|resignation)|cancelled null)$/.test(end))).toBe(true);
});

test("the same move sent five times at once is played once, each time with the same answer", async () => {
  const [white, black] = (await seatPlayers(2)) as [PlayerView, PlayerView];
  const gameId = gameOf(await create(white));
  await at.arena.join(black, gameId, newId());
  const watcher = makeWatcher(black);
  await at.arena.watch(watcher, gameId, 0);
  const commandId = newId();
  const answers = await Promise.all(Array.from({ length: 5 }, () => move(at, white, gameId, 2, [42, 35], commandId)));
  expect(answers.map((answer) => (answer.type === "done" ? answer.version : answer.code))).toEqual([3, 3, 3, 3, 3]);
  expect(watcher.frames.filter(({ type }) => type === "entry")).toHaveLength(1);
});

test("two nodes that move in one game never lose or double a move", async () => {
  const other = await openTestArena(database);
  const [white, black] = (await seatPlayers(2)) as [PlayerView, PlayerView];
  const gameId = gameOf(await create(white));
  await other.arena.join(black, gameId, newId());
  expect(codeOf(await move(at, white, gameId, 2, [42, 35]))).toBe("active");
  expect(codeOf(await move(other, black, gameId, 3, [19, 26]))).toBe("active");
  // The first node still believes that black is to move.
  const both = await Promise.all([move(at, white, gameId, 4, [49, 42]), move(other, white, gameId, 4, [44, 37])]);
  expect(both.map(codeOf).sort()).toEqual(["active", "stale_version"]);
  await other.close();
});

test("moves whose commit lost its connection are on disk once, and acknowledged [ERR-22]", async () => {
  const games: { readonly white: PlayerView; readonly gameId: GameId }[] = [];
  for (let i = 0; i < 10; i += 1) {
    const [white, black] = (await seatPlayers(2)) as [PlayerView, PlayerView];
    const gameId = gameOf(
      await at.arena.create({
        player: white,
        commandId: newId(),
        game: "checkers",
        stake: 2,
        limitMinutes: 5,
        feeBps: 740,
      }),
    );
    await at.arena.join(black, gameId, newId());
    games.push({ white, gameId });
  }
  const moved = games.map(({ white, gameId }) => move(at, white, gameId, 2, [42, 35]));
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where pid <> pg_backend_pid() and datname = current_database() and query like '%game_log%'`.execute(
    database.kysely,
  );
  expect((await Promise.all(moved)).map(codeOf)).toEqual(games.map(() => "active"));
  await waitUntilIdle(database);
});

test("a game that the house cancels, and the commit lost its connection, is cancelled, and all are told so", async () => {
  let isLost = false;
  const losing = await openTestArena(loseCommits(database, () => isLost));
  const [white, black] = (await seatPlayers(2)) as [PlayerView, PlayerView];
  const before = await balanceOf(database, white);
  const gameId = gameOf(await create(white, losing));
  await losing.arena.join(black, gameId, newId());
  let asked = 0;
  isLost = true;
  const cancelled = await losing.arena.cancelByStaff(gameId, "The board froze", async () => {
    asked += 1;
    return null;
  });
  isLost = false;
  expect(cancelled).toMatchObject({ type: "done", status: "ended" });
  expect(asked).toBe(1);
  expect(await balanceOf(database, white)).toBe(before);
  const notices = losing.playerFrames.filter(({ frame }) => frame.type === "notice");
  expect(notices.map(({ playerId }) => playerId)).toEqual([white.id, black.id]);
  // Asked for again it is over, as ever.
  expect(codeOf(await losing.arena.cancelByStaff(gameId, "Once more", async () => null))).toBe("game_over");
  await losing.close();
});

test("a seeker whose commit lost its connection sits at the game, waits in the lobby, and all are told", async () => {
  let losses = 0;
  const losing = await openTestArena(loseCommits(database, () => losses-- > 0));
  const [white, black] = (await seatPlayers(2)) as [PlayerView, PlayerView];
  losing.arena.connect(white.id as PlayerId);
  losses = 1;
  const gameId = gameOf(await create(white, losing));
  expect(losing.lobbyFrames.findLast(({ type }) => type === "match")).toMatchObject({ match: { id: gameId } });
  const watcher = makeWatcher(white);
  await losing.arena.watch(watcher, gameId, 0);
  losses = 1;
  expect(gameOf(await create(black, losing))).toBe(gameId);
  expect(watcher.frames.at(-1)).toMatchObject({ type: "table" });
  expect(codeOf(await move(losing, white, gameId, 2, [42, 35]))).toBe("active");
  await losing.close();
});

test("a game that began past who serves its table does not stand still: what runs out there is found", async () => {
  const [white, black] = (await seatPlayers(2)) as [PlayerView, PlayerView];
  const before = await balanceOf(database, white);
  const gameId = gameOf(await create(white));
  await at.arena.watch(makeWatcher(white), gameId, 0);
  const other = await openTestArena(database, at.time.now());
  await other.arena.join(black, gameId, newId());
  await other.close();
  await at.advance(60_050);
  for (let sweeps = 0; sweeps < 4; sweeps += 1) await at.advance(5_050);
  await waitUntilIdle(database);
  expect(await at.arena.loadMatch(gameId, null)).toMatchObject({ status: "cancelled" });
  expect(await balanceOf(database, white)).toBe(before);
});
