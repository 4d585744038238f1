import { randomUUID } from "node:crypto";
import type { OpponentView, PlayerStatsView } from "@holo/protocol/accounts/players.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../../platform/database/database.ts";
import { createTestDatabase } from "../../../platform/testing/test-database.ts";
import {
  beginGame,
  cancelGame,
  findBroken,
  openGame,
  type Pair,
  playGame,
  playOpening,
  resignGame,
} from "../../testing/test-games.ts";
import { openTestHttp, send, type TestHttp, type TestPerson } from "../../testing/test-http.ts";

let database: Database;
let http: TestHttp;
let pair: Pair;
let stranger: TestPerson;

beforeAll(async () => {
  database = await createTestDatabase();
  http = await openTestHttp(database);
  pair = { white: await http.addPlayer(), black: await http.addPlayer() };
  stranger = await http.addPlayer();
});

afterAll(async () => {
  const broken = await findBroken(database);
  await http.close();
  await database.close();
  expect(broken).toBeNull();
});

async function ask(method: string, path: string, person: TestPerson | null, body?: unknown) {
  const answer = await send(http.app, method, path, body, person === null ? {} : { cookie: person.cookie });
  return { status: answer.status, body: await answer.json() };
}

const refusal = (status: number, code: string) => ({ status, body: expect.objectContaining({ code }) });

describe("a settlement", () => {
  test("shows both players stakes, outcome and every coin movement", async () => {
    const { gameId, white, black } = await playGame(http.at, pair);
    for (const player of [white, black]) {
      const { status, body } = await ask("GET", `/api/matches/${gameId}/settlement`, player);
      expect(status).toBe(200);
      const staked = (holder: string) => ({
        id: expect.stringMatching(/^\d+$/),
        kind: "stake",
        at: expect.any(Number),
        postings: [
          { holder, amount: "-64440000" },
          { holder: "escrow", amount: "64440000" },
        ],
      });
      expect(body).toEqual({
        entries: [
          staked("white"),
          staked("black"),
          {
            id: expect.stringMatching(/^\d+$/),
            kind: "win",
            at: http.at.time.now(),
            postings: [
              { holder: "escrow", amount: "-128880000" },
              { holder: "platform", amount: "8880000" },
              { holder: "black", amount: "120000000" },
            ],
          },
        ],
        headToHead: { white: 0, black: 1, draws: 0 },
        ratings: {
          white: { before: { rating: 1500, deviation: 350 }, after: { rating: 1338, deviation: 290 } },
          black: { before: { rating: 1500, deviation: 350 }, after: { rating: 1662, deviation: 290 } },
        },
      });
    }
  });

  test("shows a waiting game's stake and a cancelled one's refund", async () => {
    const { white } = pair;
    const gameId = await openGame(http.at, white);
    const path = `/api/matches/${gameId}/settlement`;
    expect((await ask("GET", path, white)).body).toMatchObject({ entries: [{ kind: "stake" }] });
    await cancelGame(http.at, white, gameId);
    expect((await ask("GET", path, white)).body).toMatchObject({ entries: [{ kind: "stake" }, { kind: "refund" }] });
  });

  // [GAME-18 §2] After a game its two players see the score between them, such as 'You 3 : 2 kola_king'. No one else
  // can read it.
  test("counts all games between its two players, with either colour [GAME-18]", async () => {
    const [one, two, other] = [await http.addPlayer(), await http.addPlayer(), await http.addPlayer()];
    const scoreOf = async (gameId: string, player: TestPerson) => {
      const { body } = await ask("GET", `/api/matches/${gameId}/settlement`, player);
      return body.headToHead;
    };
    await playGame(http.at, { white: one, black: other });
    const unplayed = await openGame(http.at, one);
    expect(await scoreOf(unplayed, one)).toBeNull();
    await cancelGame(http.at, one, unplayed);
    expect(await scoreOf(unplayed, one)).toBeNull();
    await playGame(http.at, { white: one, black: two });
    const { gameId } = await playGame(http.at, { white: two, black: one });
    for (const player of [one, two]) expect(await scoreOf(gameId, player)).toEqual({ white: 1, black: 1, draws: 0 });
    const again = await playGame(http.at, { white: one, black: two });
    expect(await scoreOf(again.gameId, one)).toEqual({ white: 1, black: 2, draws: 0 });
  });

  test("is hidden from other people", async () => {
    const { gameId } = await playGame(http.at, pair);
    const path = `/api/matches/${gameId}/settlement`;
    expect(await ask("GET", path, null)).toEqual(refusal(401, "login_required"));
    expect(await ask("GET", path, stranger)).toEqual(refusal(403, "not_a_player"));
    const none = `/api/matches/${randomUUID()}/settlement`;
    expect(await ask("GET", none, stranger)).toEqual(refusal(404, "unknown_game"));
  });
});

describe("a log", () => {
  test("is public for finished games only", async () => {
    const game = await beginGame(http.at, pair);
    const path = `/api/matches/${game.gameId}/log`;
    await playOpening(http.at, game);
    for (const viewer of [null, stranger, game.white]) {
      expect(await ask("GET", path, viewer)).toEqual(refusal(409, "game_not_over"));
    }
    await resignGame(http.at, game);
    for (const viewer of [null, stranger, game.white]) {
      const { status, body } = await ask("GET", path, viewer);
      expect(status).toBe(200);
      expect(body).toMatchObject({ before: game.gameId, rows: expect.any(Array) });
    }
  });

  test("of a waiting game is unknown to visitors", async () => {
    const { white } = pair;
    const gameId = await openGame(http.at, white);
    expect(await ask("GET", `/api/matches/${gameId}/log`, null)).toEqual(refusal(404, "unknown_game"));
    expect(await ask("GET", `/api/matches/${gameId}/log`, white)).toEqual(refusal(409, "game_not_over"));
    await cancelGame(http.at, white, gameId);
    expect(await ask("GET", `/api/matches/${gameId}/log`, white)).toMatchObject({ status: 200 });
    expect(await ask("GET", `/api/matches/${randomUUID()}/log`, white)).toEqual(refusal(404, "unknown_game"));
  });
});

describe("a player's record", () => {
  // [CALL-21 §7,9 r1] There is no list of all players and their balances: other players can see only a player's
  // record.
  test("is public, and shows only the viewer's own preferences about them [CALL-21]", async () => {
    const { gameId, white, black } = await playGame(http.at, { white: pair.white, black: await http.addPlayer() });
    const path = `/api/players/${black.id}`;
    const { body } = await ask("GET", path, null);
    expect(body).toEqual({
      player: { id: black.id, username: black.username },
      sinceAt: expect.any(Number),
      games: { checkers: { wins: 1, losses: 0, draws: 0 }, chess: { wins: 0, losses: 0, draws: 0 } },
      rated: [expect.objectContaining({ game: "checkers", pool: "staked", form: ["won"] })],
      score: null,
      aborts: 0,
      recent: [expect.objectContaining({ id: gameId, winner: 2 })],
      relation: null,
    });
    const { username } = black;
    expect((await ask("GET", `/api/players/named/${username.toUpperCase()}`, null)).body).toEqual(body);
    const query = `players=${black.id},${stranger.id},nobody-here&game=checkers&pool=staked`;
    const seen = (await ask("GET", `/api/opponents?${query}`, white)).body as { opponents: OpponentView[] };
    expect(new Map(seen.opponents.map(({ id, score }) => [id, score]))).toEqual(
      new Map([
        [black.id, { wins: 0, losses: 1, draws: 0 }],
        [stranger.id, null],
      ]),
    );
    await ask("PATCH", `${path}/relation`, white, { blocked: true });
    const relationSeenBy = async (viewer: TestPerson | null) =>
      ((await ask("GET", path, viewer)).body as PlayerStatsView).relation;
    expect(await relationSeenBy(white)).toEqual({ muted: false, blocked: true });
    expect(await relationSeenBy(black)).toBeNull();
    expect(await relationSeenBy(stranger)).toEqual({ muted: false, blocked: false });
    expect(JSON.stringify(body)).not.toContain("@");
  });

  test("of an unknown player is not found", async () => {
    expect(await ask("GET", `/api/players/${randomUUID()}`, null)).toEqual(refusal(404, "unknown_player"));
    expect(await ask("GET", "/api/players/named/nobody", null)).toEqual(refusal(404, "unknown_player"));
  });
});

describe("preferences about another player", () => {
  test("change one by one", async () => {
    const path = `/api/players/${stranger.id}/relation`;
    const ada = pair.white;
    expect(await ask("PATCH", path, ada, { muted: true })).toEqual({
      status: 200,
      body: { muted: true, blocked: false },
    });
    expect(await ask("PATCH", path, ada, { blocked: true })).toMatchObject({ body: { muted: true, blocked: true } });
    expect(await ask("PATCH", path, ada, { muted: false })).toMatchObject({ body: { muted: false, blocked: true } });
  });

  test("require another existing player", async () => {
    const ada = pair.white;
    const path = (id: string) => `/api/players/${id}/relation`;
    expect(await ask("PATCH", path(ada.id), null, { muted: true })).toEqual(refusal(401, "login_required"));
    expect(await ask("PATCH", path(ada.id), ada, { muted: true })).toEqual(refusal(422, "own_relation"));
    expect(await ask("PATCH", path(randomUUID()), ada, { muted: true })).toEqual(refusal(404, "unknown_player"));
    expect(await ask("PATCH", path("%00%00%00%00%00%00%00%00"), ada, { muted: true })).toEqual(
      refusal(400, "bad_request"),
    );
  });
});

describe("a report", () => {
  const about = (gameId: string, playerId: string | null, text = "") => ({ gameId, playerId, reason: "abuse", text });

  test("is stored once, and beside others of the same game with another reason or text", async () => {
    const { gameId, white, black } = await playGame(http.at, pair);
    const text = "  He\u0000 said\u202E things.\r\nTwice.\u0007 ";
    const first = await ask("POST", "/api/reports", white, about(gameId, black.id, text));
    expect(first).toEqual({ status: 200, body: {} });
    expect(await ask("POST", "/api/reports", white, about(gameId, black.id, text))).toEqual(first);
    expect(await ask("POST", "/api/reports", white, about(gameId, black.id, "And again."))).toEqual(first);
    const stalling = { ...about(gameId, black.id, "And again."), reason: "stalling" };
    expect(await ask("POST", "/api/reports", white, stalling)).toEqual(first);
    expect(await ask("POST", "/api/reports", white, about(gameId, null))).toEqual(first);
    const { rows } = await sql`
      select reporter_id, player_id, reason, text, state from reports where game_id = ${gameId} order by text desc, reason`.execute(
      database.kysely,
    );
    const kept = { reporter_id: white.id, reason: "abuse", state: "open" };
    expect(rows).toEqual([
      { ...kept, player_id: black.id, text: "He said things.\nTwice." },
      { ...kept, player_id: black.id, text: "And again." },
      { ...kept, player_id: black.id, reason: "stalling", text: "And again." },
      { ...kept, player_id: null, text: "" },
    ]);
  });

  test("is stored once for simultaneous requests", async () => {
    const { gameId, white, black } = await playGame(http.at, pair);
    const answers = await Promise.all([1, 2, 3].map(() => ask("POST", "/api/reports", white, about(gameId, black.id))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { rows } = await sql`select from reports where game_id = ${gameId}`.execute(database.kysely);
    expect(rows).toHaveLength(1);
  });

  test("can be made by a spectator about a seated player", async () => {
    const { gameId, white } = await playGame(http.at, pair);
    expect(await ask("POST", "/api/reports", stranger, about(gameId, white.id))).toMatchObject({ status: 200 });
    expect(await ask("POST", "/api/reports", white, about(gameId, stranger.id))).toEqual(
      refusal(404, "unknown_player"),
    );
    expect(await ask("POST", "/api/reports", white, about(gameId, white.id))).toEqual(refusal(422, "own_relation"));
    expect(await ask("POST", "/api/reports", white, about(randomUUID(), null))).toEqual(refusal(404, "unknown_game"));
    expect(await ask("POST", "/api/reports", null, about(gameId, null))).toEqual(refusal(401, "login_required"));
    const unreasoned = { ...about(gameId, null), reason: "because" };
    expect(await ask("POST", "/api/reports", white, unreasoned)).toEqual(refusal(400, "bad_request"));
    const long = about(gameId, null, "x".repeat(501));
    expect(await ask("POST", "/api/reports", white, long)).toEqual(refusal(400, "bad_request"));
  });

  test("is limited to ten a day", async () => {
    const reporter = await http.addPlayer();
    const report = (gameId: string) => ask("POST", "/api/reports", reporter, about(gameId, null));
    const games: string[] = [];
    for (let i = 0; i <= 10; i += 1) {
      const gameId = await openGame(http.at, pair.white);
      await cancelGame(http.at, pair.white, gameId);
      games.push(gameId);
    }
    const [eleventh = "", ...ten] = games;
    for (const gameId of ten) expect(await report(gameId)).toMatchObject({ status: 200 });
    expect(await report(eleventh)).toEqual(refusal(429, "too_many_requests"));
    expect(await report(ten[0] ?? "")).toMatchObject({ status: 200 });
    http.at.time.advance(24 * 3_600_000);
    expect(await report(eleventh)).toMatchObject({ status: 200 });
  });
});
