import { randomUUID } from "node:crypto";
import { type GameId, type PlayerId, toGameId } from "@holo/kernel/ids.ts";
import { toInstant } from "@holo/kernel/instant.ts";
import { makeRandom } from "@holo/kernel/random.ts";
import type { GameType, Move, Seat } from "@holo/rules/rules.ts";
import { LOG_FORMAT, type TableEvent } from "@holo/table/log-record.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { rulesOf } from "../game-rules.ts";
import { toBoardText } from "../lobby/match-view.ts";
import { encodeRecord, toFirstHash } from "../log/log-record.ts";
import { FORMAT_1, FORMAT_2, FORMAT_3 } from "../testing/golden-logs.ts";

let database: Database;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.close());

type Line = readonly [by: Seat | 0, ...events: TableEvent[]];

async function keepGame(game: GameType = "checkers"): Promise<GameId> {
  const gameId = toGameId(randomUUID());
  await sql`
    insert into games (id, game_type, status, player1_id, player2_id, stake_amount, fee_bps, platform_fee, time_limit, board_state,
      current_turn, move_count, player1_remaining_ms, player2_remaining_ms, version, created_at, updated_at, started_at)
    values (${gameId}, ${game}, 'active', 'ada', 'bola', 5, 740, 0, 300, '', 1, 0, 0, 0, 1, 0, 0, 0)`.execute(
    database.kysely,
  );
  return gameId;
}

async function keepLog(gameId: GameId, format: number, records: readonly string[]): Promise<void> {
  await sql`
    insert into game_log (game_id, version, format, entry, at, hash)
    select ${gameId}, row.version, ${format}, row.entry, row.version, lpad(row.version::text, 64, '0')
    from unnest(${records}::text[]) with ordinality as row (entry, version)`.execute(database.kysely);
}

/** A game of ada (white) and bola with this log; record 3 is the first of the lines. */
async function keep(lines: readonly Line[], game: GameType = "checkers"): Promise<GameId> {
  const gameId = await keepGame(game);
  const begun: readonly Line[] = [
    [1, { type: "created", game, stake: 5, limitMs: 300_000, feeBps: 740, player: "ada" as PlayerId }],
    [2, { type: "joined", player: "bola" as PlayerId }],
  ];
  const hash = toFirstHash(gameId);
  const records = [...begun, ...lines].map(
    ([by, ...events], index) => encodeRecord({ version: index + 1, at: toInstant(index), by, events }, hash).text,
  );
  await keepLog(gameId, LOG_FORMAT, records);
  return gameId;
}

async function read(view: string, gameId: GameId): Promise<readonly unknown[]> {
  const column = view === "rematch_offers" ? "original_game_id" : "game_id";
  const { rows } = await sql`
    select * from ${sql.table(`spec.${view}`)} where ${sql.ref(column)} = ${gameId} order by 1`.execute(
    database.kysely,
  );
  return rows;
}

const moved = (path: readonly number[]): TableEvent => ({
  type: "moved",
  path,
  chargedMs: 0,
  remainingMs: [300_000, 300_000],
});
const ended: TableEvent = { type: "ended", winner: null, reason: "agreement", remainingMs: [0, 0] };
const cancelled: TableEvent = { type: "cancelled", reason: "void", seat: null };
const takenBack = (seat: Seat, plies: 1 | 2): TableEvent => ({
  type: "taken_back",
  seat,
  plies,
  remainingMs: [300_000, 300_000],
});
const C3_D4 = moved([42, 35]);
const D6_C5 = moved([19, 26]);

describe.each([
  { view: "draw_offers", by: "offered_by_player_id", asked: "draw_offered", answered: "draw_answered", done: ended },
  {
    view: "takeback_requests",
    by: "requested_by_player_id",
    asked: "takeback_requested",
    answered: "takeback_answered",
    done: takenBack(1, 2),
  },
] as const)("$view", ({ view, by, asked, answered, done }) => {
  const ask = (seat: Seat): Line => [seat, { type: asked, seat }];
  const answer = (
    seat: Seat,
    offer: number,
    given: "accept" | "decline" | "decline_all",
    ...more: TableEvent[]
  ): Line => [seat, { type: answered, seat, offer, answer: given }, ...more];
  const moves: readonly Line[] = [
    [1, C3_D4],
    [2, D6_C5],
  ];

  test.each<readonly [string, readonly Line[], string]>([
    ["is open", [ask(1)], "pending"],
    ["remains after a move by the asking player", [ask(1), [1, moved([49, 42])]], "pending"],
    ["lapses by a move of the asked player", [ask(1), [1, moved([49, 42])], [2, moved([21, 30])]], "lapsed"],
    ["was accepted", [ask(1), answer(2, 5, "accept", done)], "accepted"],
    ["was declined", [ask(1), answer(2, 5, "decline"), [2, ended]], "declined"],
    ["was declined with all others", [ask(1), answer(2, 5, "decline_all")], "declined"],
    ["was crossed", [ask(1), [2, { type: asked, seat: 2 }, done]], "accepted"],
    ["was overtaken by the end", [ask(1), [1, { ...ended, winner: 2, reason: "resignation" }]], "lapsed"],
    ["was overtaken by an outage", [ask(1), [0, cancelled]], "lapsed"],
  ])("one that %s [ENT-10]", async (_what, lines, status) => {
    const gameId = await keep([...moves, ...lines]);
    expect(await read(view, gameId)).toEqual([expect.objectContaining({ game_id: gameId, [by]: "ada", status })]);
  });

  test("keeps several of one game apart", async () => {
    const gameId = await keep([...moves, ask(1), answer(2, 5, "decline"), ask(2), [1, moved([49, 42])], ask(2)]);
    const statuses = (await read(view, gameId)).map((row) => row as Record<string, unknown>);
    expect(statuses.map((row) => [row[by], row.status]).sort()).toEqual([
      ["ada", "declined"],
      ["bola", "lapsed"],
      ["bola", "pending"],
    ]);
  });
});

test("names a takeback request by its game and record", async () => {
  const gameId = await keep([[1, { type: "takeback_requested", seat: 1 }]]);
  expect(await read("takeback_requests", gameId)).toEqual([
    { id: `${gameId}:3`, game_id: gameId, requested_by_player_id: "ada", status: "pending" },
  ]);
});

describe("rematch_offers", () => {
  const next = toGameId(randomUUID());
  const offer = (seat: Seat): Line => [seat, { type: "rematch_offered", seat, feeBps: 740 }];
  const started: TableEvent = { type: "rematch_started", gameId: next, feeBps: 740 };
  const answer = (given: "accept" | "decline", ...more: TableEvent[]): Line => [
    1,
    { type: "rematch_answered", seat: 1, offer: 4, answer: given },
    ...more,
  ];
  const lapsed: Line = [0, { type: "rematch_lapsed", reason: "time", seat: null }];

  test.each<readonly [string, readonly Line[], string, GameId | null]>([
    ["stands", [], "pending", null],
    ["was accepted", [answer("accept", started)], "accepted", next],
    ["was crossed", [[1, { type: "rematch_offered", seat: 1, feeBps: 740 }, started]], "accepted", next],
    ["was declined", [answer("decline")], "declined", null],
    ["lapsed", [lapsed], "lapsed", null],
  ])("one that %s [ENT-09]", async (_what, lines, status, newGameId) => {
    const gameId = await keep([[2, ended], offer(2), ...lines]);
    expect(await read("rematch_offers", gameId)).toEqual([
      {
        id: `${gameId}:4`,
        original_game_id: gameId,
        from_player_id: "bola",
        to_player_id: "ada",
        status,
        new_game_id: newGameId,
      },
    ]);
  });

  test("keeps one after a lapsed one apart", async () => {
    const gameId = await keep([[2, ended], offer(2), lapsed, offer(1)]);
    expect(await read("rematch_offers", gameId)).toMatchObject([
      { from_player_id: "bola", status: "lapsed" },
      { from_player_id: "ada", status: "pending" },
    ]);
  });
});

describe("game_moves", () => {
  test("lists each move with player, squares and captures [ENT-08]", async () => {
    const gameId = await keep([
      [1, moved([42, 35])],
      [2, moved([17, 24])],
      [1, moved([35, 28])],
      [2, moved([19, 37])],
    ]);
    const rows = await read("game_moves", gameId);
    expect(rows).toMatchObject([
      { player_id: "ada", move_number: 1, from_index: 42, to_index: 35, captured_piece: false },
      { player_id: "bola", move_number: 2, from_index: 17, to_index: 24, captured_piece: false },
      { player_id: "ada", move_number: 3, from_index: 35, to_index: 28, captured_piece: false },
      { player_id: "bola", move_number: 4, from_index: 19, to_index: 37, captured_piece: true },
    ]);
  });

  function openPlayed(game: GameType) {
    const rules = rulesOf(game);
    const lines: Line[] = [];
    const made: { readonly before: unknown; readonly row: object }[] = [];
    let position = rules.start();
    return {
      rules,
      lines,
      made,
      position: () => position,
      play({ path, promotion, captured }: Move): void {
        const seat = rules.toMove(position);
        lines.push([seat, { ...moved(path), ...(promotion === undefined ? {} : { promotion }) }]);
        const row = {
          player_id: seat === 1 ? "ada" : "bola",
          move_number: made.length + 1,
          from_index: path[0],
          to_index: path.at(-1),
          captured_piece: captured.length > 0,
          board_state_before: toBoardText(rules, position),
        };
        made.push({ before: position, row });
        const next = rules.play(position, path, promotion);
        if (!next.ok) throw new Error("a legal move was refused");
        position = next.value.position;
      },
      takeBack(plies: 1 | 2): void {
        lines.push([rules.toMove(position), takenBack(rules.toMove(position), plies)]);
        position = made.splice(-plies)[0]?.before;
      },
    };
  }

  async function expectRead(game: GameType, { lines, made }: ReturnType<typeof openPlayed>): Promise<void> {
    const gameId = await keep(lines, game);
    const { rows } = await sql`
      select player_id, move_number, from_index, to_index, captured_piece, board_state_before
      from spec.game_moves where game_id = ${gameId} order by move_number`.execute(database.kysely);
    expect(rows).toEqual(made.map(({ row }) => row));
  }

  test("include castling, en passant and an underpromotion", async () => {
    const played = openPlayed("chess");
    const moves = "e4 a6 e5 d5 exd6 Nf6 dxc7 g6 cxb8=N Bg7 d4 O-O Bf4 Nd5 Qd2 h6 Nc3 h5 O-O-O h4 Kb1";
    for (const text of moves.split(" ")) {
      const move = played.rules.parseMove(played.position(), text);
      if (!move.ok) throw new Error(`${text} is not legal`);
      played.play(move.value);
    }
    await expectRead("chess", played);
  });

  test.each(["checkers", "chess"] as const)(
    "of random games of %s are the moves that were not taken back, with their boards",
    async (game) => {
      const draw = makeRandom(20_260_801);
      for (let count = 0; count < 12; count += 1) {
        const played = openPlayed(game);
        for (let turn = 0; turn < 160 && played.rules.outcome(played.position()) === null; turn += 1) {
          const legal = played.rules.legalMoves(played.position());
          if (played.made.length > 2 && draw(12) === 0) played.takeBack(draw(2) === 0 ? 1 : 2);
          else played.play(legal[draw(legal.length)]!);
        }
        await expectRead(game, played);
      }
    },
  );
});

test.each([
  { format: 1, log: FORMAT_1, moves: 4, draws: [], takebacks: [], rematches: [] },
  {
    format: 2,
    log: FORMAT_2,
    moves: 2,
    draws: ["accepted", "declined"],
    takebacks: ["accepted"],
    rematches: ["accepted", "lapsed"],
  },
  { format: 3, log: FORMAT_3, moves: 1, draws: [], takebacks: [], rematches: [] },
])("the views read a log of format $format", async ({ format, log, moves, draws, takebacks, rematches }) => {
  const gameId = await keepGame();
  await keepLog(gameId, format, log);
  const statuses = async (view: string) => (await read(view, gameId)).map((row) => (row as { status: string }).status);
  expect(await read("game_moves", gameId)).toHaveLength(moves);
  expect((await statuses("draw_offers")).sort()).toEqual(draws);
  expect(await statuses("takeback_requests")).toEqual(takebacks);
  expect((await statuses("rematch_offers")).sort()).toEqual(rematches);
});
