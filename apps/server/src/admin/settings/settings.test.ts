import { randomUUID } from "node:crypto";
import type { CommandId } from "@holo/kernel/ids.ts";
import type { MaintenanceView, SettingsView } from "@holo/protocol/platform.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addTestPlayers, type TestPlayer } from "../../accounts/testing/test-players.ts";
import type { Database } from "../../platform/database/database.ts";
import { loseCommits } from "../../platform/testing/lost-commits.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { makeTestTime } from "../../platform/testing/test-time.ts";
import { applyOwnerEmail } from "../admin.ts";
import { openMaintenance } from "./maintenance.ts";
import { openSettings } from "./settings.ts";

const time = makeTestTime();
let database: Database;
let ceo: TestPlayer;

beforeAll(async () => {
  database = await createTestDatabase();
  [ceo] = (await addTestPlayers(database, ["ceo"], "a secret of at least thirty-two characters")) as [TestPlayer];
  await sql`update players set email_verified = true where id = ${ceo.id}`.execute(database.kysely);
  await applyOwnerEmail(database, time, ceo.email);
});
afterAll(() => database.close());

test("applies an exchange rate whose commit response was lost", async () => {
  const sent: SettingsView[] = [];
  const settings = await openSettings({
    database: loseCommits(database),
    time,
    broadcast: (inForce) => void sent.push(inForce),
  });
  const expected = settings.current();
  const next = { rateKobo: 31_000, feeBps: 800 };
  const order = { ...next, playerId: ceo.id, commandId: randomUUID() as CommandId, expected };
  await expect(settings.change(order, async () => true)).rejects.toThrow("Connection terminated");
  await expect.poll(() => settings.current()).toEqual(next);
  expect(sent).toEqual([next]);
});

test("applies a change by another process when the settings are loaded", async () => {
  const [one, other] = [
    await openSettings({ database, time, broadcast: () => undefined }),
    await openSettings({ database, time, broadcast: () => undefined }),
  ];
  const next = { rateKobo: 32_000, feeBps: 740 };
  const order = { ...next, playerId: ceo.id, commandId: randomUUID() as CommandId, expected: one.current() };
  expect(await one.change(order, async () => true)).toMatchObject({ ok: true, value: next });
  expect(other.current()).not.toEqual(next);
  expect(await other.change(order, async () => true)).toMatchObject({ ok: true, value: next });
  expect(other.current()).toEqual(next);
});

test("shows maintenance whose commit response was lost", async () => {
  const sent: (MaintenanceView | null)[] = [];
  const turned = await openMaintenance({
    database: loseCommits(database),
    time,
    broadcast: (current) => void sent.push(current),
  });
  await expect(turned.set({ actorId: ceo.id, notice: "Back at noon.", sinceAt: null })).rejects.toThrow(
    "Connection terminated",
  );
  await expect.poll(() => turned.current()).toMatchObject({ text: "Back at noon." });
  expect(sent).toHaveLength(1);
});
