import type { RestrictionsView } from "@holo/protocol/accounts/restrictions.ts";
import type { PlayerFileView } from "@holo/protocol/admin/moderation.ts";
import type { AuditEventsView } from "@holo/protocol/admin/staff.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { adminInvariants } from "../../../admin/audit.ts";
import { gameInvariants } from "../../../game/audit/audit.ts";
import { ledgerInvariants } from "../../../ledger/audit/audit.ts";
import type { Database } from "../../../platform/database/database.ts";
import { audit } from "../../../platform/database/invariant.ts";
import { createTestDatabase } from "../../../platform/testing/test-database.ts";
import { openTestHttp, type TestHttp, type TestPerson } from "../../testing/test-http.ts";
import { openTestStaff, type TestStaff } from "../../testing/test-staff.ts";

let database: Database;
let http: TestHttp;
let staff: TestStaff;
let admin: TestPerson;

beforeAll(async () => {
  database = await createTestDatabase();
  http = await openTestHttp(database);
  staff = await openTestStaff(http, database);
  admin = await staff.makeAdmin();
});
afterAll(async () => {
  const broken = await audit(database.kysely, [...ledgerInvariants, ...gameInvariants, ...adminInvariants]);
  await http.close();
  await database.close();
  expect(broken).toBeNull();
});

// [ADMIN-11 §6 r25] In a player's file staff hold the withdrawals with a reason and release them, each in the audit
// log. The player reads the reason in the wallet at once. Staff who may ban a player may also hold their withdrawals.
test("staff hold a player's withdrawals with a reason that the player reads, and release them [ADMIN-11]", async () => {
  const player = await http.addPlayer();
  const hold = (by: TestPerson, reason: string) =>
    staff.ask(by, "POST", "admin/holds", { playerId: player.id, reason });
  const release = (by: TestPerson, reason: string, holdId: string) =>
    staff.ask(by, "POST", "admin/holds/end", { playerId: player.id, reason, holdId });
  const loadHoldId = async () =>
    (await staff.ask<PlayerFileView>(admin, "GET", `admin/players/${player.id}`)).body.withdrawalHoldId;
  const loadReason = async () => (await staff.ask<RestrictionsView>(player, "GET", "limits")).body.withdrawalsHeldFor;

  expect((await hold(admin, " ")).body.code).toBe("reason_missing");
  expect((await hold(admin, "We check\nyour games.")).status).toBe(200);
  expect(await loadReason()).toBe("We check your games.");
  expect(http.at.playerFrames.at(-1)).toMatchObject({
    playerId: player.id,
    frame: { type: "limits", limits: { withdrawalsHeldFor: "We check your games." } },
  });
  expect((await hold(admin, "Again")).body.code).toBe("hold_unchanged");
  const first = (await loadHoldId())!;
  expect((await release(admin, "All is well", first)).status).toBe(200);
  expect((await release(admin, "Again", first)).body.code).toBe("hold_unchanged");
  expect([await loadReason(), await loadHoldId()]).toEqual([null, null]);
  const { events } = (await staff.ask<AuditEventsView>(staff.ceo, "GET", "admin/audit-events")).body;
  expect(events.slice(0, 2)).toMatchObject([
    { action: "withdrawals_released", subject: player.id, detail: `${player.username}: All is well` },
    { action: "withdrawals_held", subject: player.id, detail: `${player.username}: We check your games.` },
  ]);
  // A page that still shows the first hold does not release the next one.
  expect((await hold(staff.ceo, "A stolen card")).status).toBe(200);
  expect((await release(admin, "All is well", first)).body.code).toBe("hold_changed");
  expect(await loadReason()).toBe("A stolen card");
  expect((await release(admin, "All is well", (await loadHoldId())!)).status).toBe(200);
});

test("no one holds their own withdrawals or the CEO's, and only the CEO an admin's [ADMIN-11]", async () => {
  const colleague = await staff.makeAdmin();
  const hold = async (by: TestPerson, { id }: TestPerson) =>
    (await staff.ask(by, "POST", "admin/holds", { playerId: id, reason: "Why" })).body.code ?? "done";
  expect(await hold(admin, admin)).toBe("own_matter");
  expect(await hold(admin, staff.ceo)).toBe("ceo_matter");
  expect(await hold(admin, colleague)).toBe("admin_matter");
  expect(await hold(staff.ceo, colleague)).toBe("done");
});
