import { randomUUID } from "node:crypto";
import { type GameId, toCommandId } from "@holo/kernel/ids.ts";
import { toInstant } from "@holo/kernel/instant.ts";
import { formatCoins, wholeCoins } from "@holo/kernel/money.ts";
import { EVERY_MATCH } from "@holo/protocol/lobby/lobby.ts";
import type { CommandFrame } from "@holo/protocol/socket/client-frames.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import { loadGames } from "@holo/rules/loaded-games.ts";
import { gameOf } from "@holo/rules/registry.ts";
import { addToyGame } from "@holo/rules/testing/toy-game.ts";
import { addChoices, FIFTEEN, TWENTY } from "@holo/table/testing/more-choices.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { gameInvariants } from "./game/audit/audit.ts";
import { ledgerInvariants } from "./ledger/audit/audit.ts";
import { postOpening } from "./ledger/ledger.ts";
import type { Database } from "./platform/database/database.ts";
import { audit } from "./platform/database/invariant.ts";
import { transact } from "./platform/database/transaction.ts";
import { createTestDatabase } from "./platform/testing/test-database.ts";
import { connect, signUp, type TestClient, type TestPlayer } from "./transport/testing/test-client.ts";
import { openTestServer, PAGE, type TestServer } from "./transport/testing/test-server.ts";

let database: Database;
let server: TestServer;
const removals: (() => void)[] = [];

beforeAll(async () => {
  removals.push(addToyGame(), addChoices());
  await loadGames();
  database = await createTestDatabase();
  server = await openTestServer(database);
});
afterAll(async () => {
  await server.close();
  const broken = await audit(database.kysely, [...ledgerInvariants, ...gameInvariants]);
  await database.close();
  for (const remove of removals) remove();
  expect(broken).toBeNull();
});

type Content = CommandFrame extends infer One ? (One extends CommandFrame ? Omit<One, "commandId"> : never) : never;

interface Person {
  readonly player: TestPlayer;
  readonly client: TestClient;
  run(command: Content): Promise<ServerFrame>;
}

async function enter(): Promise<Person> {
  const player = await signUp(server.origin, PAGE);
  await transact(database, (tx) =>
    postOpening(tx, { playerId: player.id, amount: wholeCoins(500), at: toInstant(Date.now()) }),
  );
  const client = await connect(server.origin, player.cookie, PAGE);
  return {
    player,
    client,
    run(command) {
      const commandId = toCommandId(randomUUID());
      client.send({ ...command, commandId } as CommandFrame);
      return client.waitFor(
        (frame) =>
          ("commandId" in frame && frame.commandId === commandId) ||
          (frame.type === "record" && frame.record.commandId === commandId),
      );
    },
  };
}

async function get(path: string, { player }: Person) {
  const answer = await fetch(`${server.origin}/api/${path}`, { headers: { cookie: player.cookie } });
  return answer.headers.get("content-type")?.startsWith("application/json") ? await answer.json() : await answer.text();
}

test("a third game, a stake of 20 HC and a limit of 15 minutes are played to the end by their lists alone", async () => {
  const [white, black] = [await enter(), await enter()];
  const terms = { game: "race", stake: TWENTY, limitMinutes: FIFTEEN, feeBps: 740 } as const;
  const created = await white.run({ type: "create", ...terms, sentAgoMs: 0, byInvitation: false });
  if (created.type !== "done") throw new Error(JSON.stringify(created));
  const gameId: GameId = created.gameId;

  const visitor = await connect(server.origin, null, PAGE);
  visitor.send({ type: "watch_lobby", filter: { ...EVERY_MATCH, game: "race" }, count: 30, request: 1 });
  expect((await black.run({ type: "join", gameId, sentAgoMs: 0 })).type).toBe("done");
  // Visitors see a game once it has begun.
  const shown = await visitor.waitFor((frame) => /^lobby/.test(frame.type) && JSON.stringify(frame).includes(gameId));
  expect(JSON.stringify(shown)).toMatch(/"board":"\.{23}r\.{16}R\.{23}"/);

  let version = 2;
  for (const [ply, path] of [
    [40, 32],
    [23, 31],
    [32, 24],
    [31, 39],
    [24, 16],
    [39, 47],
    [16, 8],
    [47, 55],
    [8, 0],
  ].entries()) {
    const mover = ply % 2 === 0 ? white : black;
    expect(await mover.run({ type: "move", gameId, atVersion: version, path })).toMatchObject({ type: "done" });
    version += 1;
  }

  expect(await get(`matches/${gameId}`, black)).toMatchObject({
    game: "race",
    stake: 20,
    limitMinutes: 15,
    status: "completed",
    winner: 1,
    board: expect.stringMatching(/^R\.+r\.+$/),
  });
  expect(await get("matches?game=race&stakeMin=20&limitMinutes=15", black)).toMatchObject({
    matches: [{ id: gameId }],
  });
  expect(await get(`players/${white.player.id}`, black)).toMatchObject({
    games: { race: { wins: 1, losses: 0, draws: 0 }, chess: { wins: 0 } },
    recent: [{ id: gameId }],
  });
  expect(await get("leaderboard?game=race", black)).toMatchObject({ top: [{ player: { id: white.player.id } }, {}] });
  expect(await get(`matches/${gameId}/export`, black)).toMatch(/1\. a3-a4 .*h6-h5/);
  // 20 HC for each of three pieces: 500 - 60 - 4.44 + 120.
  const session = (await get("session", white)) as { readonly balance: string };
  expect(formatCoins(BigInt(session.balance) as never)).toBe("555.56");
  expect(gameOf("race").name).toBe("Race");
  visitor.close();
});
