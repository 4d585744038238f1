import { randomUUID } from "node:crypto";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { toInstant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database, Tx } from "../platform/database/database.ts";
import { transact } from "../platform/database/transaction.ts";
import { createTestDatabase } from "../platform/testing/test-database.ts";
import { type AuthLibrary, openAuthLibrary } from "./auth-library.ts";
import { PUBLIC_URL } from "./testing/test-accounts.ts";

const at = toInstant(Date.UTC(2026, 0, 1));

let database: Database;
let library: AuthLibrary;

beforeAll(async () => {
  database = await createTestDatabase();
  const secret = "a secret of at least thirty-two characters";
  library = openAuthLibrary({ database, secret, publicUrl: PUBLIC_URL, cookieName: "session", secureCookies: false });
});

afterAll(() => database.close());

async function read(playerId: PlayerId) {
  const { rows } = await sql`
    select holder.name, holder.email, holder.email_verified, holder.created_at, account.account_id, account.password
    from auth_users holder left join auth_accounts account on account.user_id = holder.id
    where holder.id = ${playerId}`.execute(database.kysely);
  return rows;
}

async function rollBack(work: (tx: Tx) => Promise<void>): Promise<void> {
  const rolledBack = transact(database, async (tx) => {
    await work(tx);
    throw new Error("rolled back");
  });
  await expect(rolledBack).rejects.toThrow("rolled back");
}

test("writes users and credentials in the caller's transaction", async () => {
  const id = randomUUID() as PlayerId;
  const user = { id, username: "Kemi", email: "kemi@example.com", emailVerified: false, passwordHash: "first" };
  await rollBack((tx) => library.users.create(tx, user, at));
  expect(await read(id)).toEqual([]);
  await transact(database, (tx) => library.users.create(tx, user, at));
  const created = {
    name: "Kemi",
    email: "kemi@example.com",
    email_verified: false,
    created_at: new Date(at),
    account_id: id,
    password: "first",
  };
  expect(await read(id)).toEqual([created]);

  await rollBack(async (tx) => {
    await library.users.setPasswordHash(tx, id, "second");
    await library.users.setVerifiedEmail(tx, id, "new@example.com", at);
  });
  expect(await read(id)).toEqual([created]);
  await transact(database, async (tx) => {
    await library.users.setPasswordHash(tx, id, "second");
    await library.users.setVerifiedEmail(tx, id, "new@example.com", at);
  });
  expect(await read(id)).toEqual([{ ...created, email: "new@example.com", email_verified: true, password: "second" }]);
});

test("keeps concurrent transactions apart", async () => {
  const users = Array.from({ length: 10 }, (_, index) => ({
    id: randomUUID() as PlayerId,
    username: `player${index}`,
    email: `player${index}@example.com`,
    emailVerified: true,
    passwordHash: "hash",
  }));
  await Promise.all(
    users.map((user, index) =>
      index % 2 === 0
        ? transact(database, (tx) => library.users.create(tx, user, at))
        : rollBack((tx) => library.users.create(tx, user, at)),
    ),
  );
  const counts = await Promise.all(users.map(async ({ id }) => (await read(id)).length));
  expect(counts).toEqual(users.map((_, index) => (index + 1) % 2));
});
