import { randomUUID } from "node:crypto";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { toInstant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { addTestPlayers } from "../testing/test-players.ts";
import { findNeverPaired, loadRelation, RELATIONS_MAX, type RelationChanges, updateRelation } from "./relations.ts";

const at = toInstant(Date.UTC(2026, 0, 1));

let database: Database;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.close());

async function addPlayer(): Promise<PlayerId> {
  const [player] = await addTestPlayers(database, [`p${randomUUID().slice(0, 18)}`], "unused");
  return player!.id;
}

function update(order: RelationChanges & { readonly playerId: PlayerId; readonly otherId: PlayerId }) {
  const { playerId, otherId, ...wishes } = order;
  return transact(database, (tx) => updateRelation(tx, { playerId, otherId, changes: wishes, at }));
}

test("mutes and blocks independently, and undoes both", async () => {
  const [playerId, otherId] = [await addPlayer(), await addPlayer()];
  expect(await loadRelation(database.kysely, playerId, otherId)).toEqual({ muted: false, blocked: false });
  expect(await update({ playerId, otherId, muted: true })).toEqual({
    ok: true,
    value: { muted: true, blocked: false },
  });
  expect(await update({ playerId, otherId, blocked: true })).toMatchObject({ value: { muted: true, blocked: true } });
  expect(await update({ playerId, otherId })).toMatchObject({ value: { muted: true, blocked: true } });
  expect(await loadRelation(database.kysely, playerId, otherId)).toEqual({ muted: true, blocked: true });
  expect(await loadRelation(database.kysely, otherId, playerId)).toEqual({ muted: false, blocked: false });
  await update({ playerId, otherId, blocked: false, muted: false });
  expect(await loadRelation(database.kysely, playerId, otherId)).toEqual({ muted: false, blocked: false });
});

test("separates blocked players in both directions, but not muted ones", async () => {
  const [ada, bola, chi, dayo] = [await addPlayer(), await addPlayer(), await addPlayer(), await addPlayer()];
  await update({ playerId: ada, otherId: bola, blocked: true });
  await update({ playerId: chi, otherId: ada, blocked: true });
  await update({ playerId: ada, otherId: dayo, muted: true });
  expect(await findNeverPaired(database.kysely, ada, at)).toEqual(
    new Map([
      [bola, "in_any_game"],
      [chi, "in_any_game"],
    ]),
  );
  expect(await findNeverPaired(database.kysely, bola, at)).toEqual(new Map([[ada, "in_any_game"]]));
  expect(await findNeverPaired(database.kysely, dayo, at)).toEqual(new Map());
});

test("refuses relations to oneself and to unknown players", async () => {
  const playerId = await addPlayer();
  expect(await update({ playerId, otherId: playerId, blocked: true })).toEqual({ ok: false, refusal: "own_relation" });
  const otherId = "no-such-player" as PlayerId;
  expect(await update({ playerId, otherId, blocked: true })).toEqual({ ok: false, refusal: "unknown_player" });
});

test("keeps two concurrent changes", async () => {
  const [playerId, otherId] = [await addPlayer(), await addPlayer()];
  await Promise.all([update({ playerId, otherId, muted: true }), update({ playerId, otherId, blocked: true })]);
  expect(await loadRelation(database.kysely, playerId, otherId)).toEqual({ muted: true, blocked: true });
});

test("limits the number of relations, and still changes existing ones", async () => {
  const [playerId, standing, late] = [await addPlayer(), await addPlayer(), await addPlayer()];
  await update({ playerId, otherId: standing, muted: true });
  await sql`
    with player as (
      insert into players (id, email, updated_at)
      select 'crowded-' || n, 'crowded-' || n || '@example.com', now()
      from generate_series(2, ${RELATIONS_MAX}::int) n returning id
    )
    insert into profiles (id, username, created_at, updated_at) select id, id, now(), now() from player`.execute(
    database.kysely,
  );
  await sql`
    insert into player_relations (player_id, other_id, muted, blocked, updated_at)
    select ${playerId}, id, true, false, now() from profiles where id like 'crowded-%'`.execute(database.kysely);
  expect(await update({ playerId, otherId: late, muted: true })).toEqual({ ok: false, refusal: "too_many_requests" });
  expect(await update({ playerId, otherId: standing, blocked: true })).toMatchObject({ ok: true });
  await update({ playerId, otherId: standing, muted: false, blocked: false });
  expect(await update({ playerId, otherId: late, muted: true })).toMatchObject({ ok: true });
});
