import { randomUUID } from "node:crypto";
import { type CommandId, type PlayerId, toCommandId, toGameId, toPlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { wholeCoins } from "@holo/kernel/money.ts";
import { rulesOf } from "@holo/rules/loaded-games.ts";
import type { TableCommand } from "@holo/table/command.ts";
import { decide, decideCreate } from "@holo/table/decide.ts";
import { evolve } from "@holo/table/evolve.ts";
import type { TableState } from "@holo/table/state.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { loadWallet, openWallet, postOpening } from "../../ledger/ledger.ts";
import { SEAT_RULES } from "../../match/match.ts";
import type { Database } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import { openMetrics } from "../../platform/metrics/metrics.ts";
import { Fenced } from "../../platform/servers/fence.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { makeTestServer, type TestServer } from "../../platform/testing/test-own-server.ts";
import { claimGames, releaseGames } from "./claim-store.ts";
import { LifecycleCommit } from "./lifecycle-commit.ts";
import type { LifecycleJob } from "./lifecycle-job.ts";
import { encodeRecord } from "./log-record.ts";
import { makeNewGame, type NewGame, toPaidSeat } from "./new-game.ts";
import { type SettlementChecks, type SettlementOutcome, settle } from "./settlement.ts";

const AT = 1_000_000 as Instant;

let database: Database;
let first: TestServer;
let second: TestServer;
let players: readonly [PlayerId, PlayerId];

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  [first, second] = [await makeTestServer(database), await makeTestServer(database)];
  players = [await addPlayer(), await addPlayer()];
});
afterAll(() => database.close());

async function addPlayer(): Promise<PlayerId> {
  const playerId = toPlayerId(`player-${randomUUID().slice(0, 12)}`);
  await transact(database, async (tx) => {
    await openWallet(tx, playerId, AT);
    await postOpening(tx, { playerId, amount: wholeCoins(500), at: AT });
  });
  return playerId;
}

const newId = (): CommandId => toCommandId(randomUUID());
const openLane = (own: TestServer) => new LifecycleCommit(database, openMetrics({ process: false }), own);

function toCreation(player: PlayerId): { readonly game: NewGame; readonly job: LifecycleJob } {
  const game = makeNewGame(toGameId(randomUUID()), decideCreate("chess", 1, 300_000, 740, player, AT, newId()));
  const { seat, entries } = toPaidSeat(game.state, player, 1);
  return { game, job: { at: AT, games: [game.change], seats: [seat], entries } };
}

interface Played {
  readonly state: TableState<unknown>;
  readonly hash: string;
}

async function create(own: TestServer): Promise<Played> {
  const { game, job } = toCreation(players[0]);
  expect(await openLane(own).commit(job)).toMatchObject({ type: "committed" });
  return { state: game.state, hash: game.encoded[0]!.hash };
}

async function act(
  own: TestServer,
  { state, hash }: Played,
  command: TableCommand,
  checks?: SettlementChecks,
): Promise<Played & { readonly outcome: SettlementOutcome }> {
  const rules = rulesOf(state.game);
  const decision = decide(rules, state, command, AT);
  if (!decision.ok || decision.value.type !== "decided") throw new Error("the command is refused");
  const { record } = decision.value;
  const next = evolve(rules, state, record);
  const encoded = encodeRecord(record, hash);
  const deps = { database, lifecycle: openLane(own), own, seatRules: SEAT_RULES };
  return { state: next, hash: encoded.hash, outcome: await settle(deps, record, encoded, hash, next, checks) };
}

const join = (): TableCommand => ({ type: "join", id: newId(), player: players[1], pairing: "address" });
const cancel = (): TableCommand => ({ type: "cancel", id: newId(), player: players[0] });

async function loadOwner({ state }: Played): Promise<string | null | undefined> {
  const { rows } = await sql<{ owner: string | null }>`select owner from games where id = ${state.gameId}`.execute(
    database.kysely,
  );
  return rows[0]?.owner;
}

test("a game that waits has no owner, and whoever seats the second player owns it to its end", async () => {
  const waiting = await create(first);
  expect(await loadOwner(waiting)).toBeNull();
  const joined = await act(second, waiting, join());
  expect(joined.outcome).toMatchObject({ type: "committed" });
  expect(await loadOwner(joined)).toBe(second.id);
  const refused = await act(first, joined, cancel());
  expect(refused.outcome, "by a server that does not own it").toEqual({ type: "fenced" });
  const ended = await act(second, joined, cancel());
  expect(ended.outcome).toMatchObject({ type: "committed" });
  expect(await loadOwner(ended)).toBe(second.id);
});

test("any server cancels a game that waits", async () => {
  const cancelled = await act(second, await create(first), cancel());
  expect(cancelled.outcome).toMatchObject({ type: "committed" });
  expect(await loadOwner(cancelled)).toBeNull();
});

test("a settlement needs the newest record of the log", async () => {
  const joined = await act(first, await create(first), join());
  const other = { ...joined, hash: "0".repeat(64) };
  expect((await act(first, other, cancel())).outcome).toEqual({ type: "stale" });
  const hook = async () => null;
  expect((await act(first, other, { type: "cancel_by_staff", note: "" }, { hook })).outcome).toEqual({ type: "stale" });
  const again = await act(first, joined, cancel());
  expect((await act(first, joined, cancel())).outcome, "the record was written").toEqual({ type: "stale" });
  expect(again.outcome).toMatchObject({ type: "committed" });
});

test("an ended server settles nothing, with a hook or without", async () => {
  const joined = await act(first, await create(first), join());
  await first.end();
  let hooked = 0;
  const hook = async () => {
    hooked += 1;
    return null;
  };
  expect((await act(first, joined, cancel())).outcome).toEqual({ type: "fenced" });
  expect((await act(first, joined, { type: "cancel_by_staff", note: "" }, { hook })).outcome).toEqual({
    type: "fenced",
  });
  expect(hooked).toBe(0);
  expect(first.fencedCount).toBe(2);
  expect((await loadWallet(database.kysely, players[0]))?.balance).toBeLessThan(wholeCoins(500));
  await expect(openLane(first).commit(toCreation(await addPlayer()).job)).rejects.toThrow(Fenced);
});

test("a game that was released is settled by who claims it", async () => {
  const { kysely } = database;
  const joined = await act(first, await create(first), join());
  await releaseGames(kysely, first.fence(), [joined.state.gameId], AT);
  const hook = async () => null;
  const byStaff: TableCommand = { type: "cancel_by_staff", note: "" };
  expect((await act(first, joined, byStaff, { hook })).outcome).toEqual({ type: "fenced" });
  await claimGames(kysely, second.fence(), [joined.state.gameId]);
  expect((await act(second, joined, byStaff, { hook })).outcome).toMatchObject({ type: "committed" });
  const { rows } = await sql`select unserved_from from games where id = ${joined.state.gameId}`.execute(kysely);
  expect(rows).toEqual([{ unserved_from: null }]);
});
