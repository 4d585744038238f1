import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { makeTestTime } from "../../platform/testing/test-time.ts";
import { loadRole, PRODUCTION_RATE_LIMITS, saveOwner } from "../accounts.ts";
import { openTestAccounts } from "../testing/test-accounts.ts";
import { addTestPlayers, type TestPlayer } from "../testing/test-players.ts";

const SECRET = "a secret of at least thirty-two characters";
const time = makeTestTime();
let database: Database;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

let count = 0;
async function addPlayer(): Promise<TestPlayer> {
  count += 1;
  const [player] = await addTestPlayers(database, [`person${count}`], SECRET);
  if (player === undefined) throw new Error("nobody was added");
  return player;
}

async function setVerified({ id }: TestPlayer, isVerified: boolean): Promise<void> {
  await sql`update players set email_verified = ${isVerified} where id = ${id}`.execute(database.kysely);
}

async function list({ email }: TestPlayer): Promise<void> {
  await sql`
    insert into admin_emails (id, email, created_at, added_by)
    values (gen_random_uuid(), ${email}, 0, 'somebody')`.execute(database.kysely);
}

async function unlist({ email }: TestPlayer): Promise<void> {
  await sql`delete from admin_emails where email = ${email}`.execute(database.kysely);
}

// [ENT-15 §3,6 r25] An address on the list of admins gives its owner the role once it is verified. The CEO's address
// is in the server's configuration.
test("makes the owner of a listed and verified address an admin while it is both [ENT-15]", async () => {
  const player = await addPlayer();
  const role = () => loadRole(database.kysely, player.id);
  await list(player);
  expect(await role()).toBeNull();
  await setVerified(player, true);
  expect(await role()).toBe("admin");
  await setVerified(player, false);
  expect(await role()).toBeNull();
  await setVerified(player, true);
  await unlist(player);
  expect(await role()).toBeNull();
});

test("makes the account with the owner's verified address CEO and admin until the owner changes [ENT-15]", async () => {
  const [first, second] = [await addPlayer(), await addPlayer()];
  const role = ({ id }: TestPlayer) => loadRole(database.kysely, id);
  await saveOwner(database.kysely, first.email, time.now());
  expect(await role(first)).toBeNull();
  await setVerified(first, true);
  await setVerified(second, true);
  expect([await role(first), await role(second)]).toEqual(["ceo", null]);
  const { rows } = await sql`select role from user_roles where user_id = ${first.id} order by role`.execute(
    database.kysely,
  );
  expect(rows).toEqual([{ role: "admin" }, { role: "ceo" }]);

  await saveOwner(database.kysely, second.email, time.now());
  expect([await role(first), await role(second)]).toEqual([null, "ceo"]);
});

test("updates the role of an existing session at the next request", async () => {
  const player = await addPlayer();
  await setVerified(player, true);
  const accounts = openTestAccounts({
    database,
    time,
    secret: SECRET,
    rateLimits: PRODUCTION_RATE_LIMITS,
  });
  const role = async () => (await accounts.findSession(player.cookie))?.role;
  expect(await role()).toBeNull();
  await list(player);
  expect(await role()).toBe("admin");
  await unlist(player);
  expect(await role()).toBeNull();
});
