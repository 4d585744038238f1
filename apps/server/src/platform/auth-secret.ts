import { hkdfSync } from "node:crypto";
import { sql } from "kysely";
import type { Queries } from "./database/database.ts";

/** One way: a secret of at least 32 characters cannot be computed from it. */
function toFingerprint(secret: string): string {
  return Buffer.from(hkdfSync("sha256", secret, "", "holo fingerprint", 32)).toString("hex");
}

export const FOREIGN_SECRET =
  "AUTH_SECRET (or DATA_DIR/auth-secret, if it is not set) is not the secret of this database: sessions, login codes and waiting mails would be lost. Set the one that the server had before; to change it on purpose, see docs/operations/admin.md#change-auth_secret";

/** Null: no server has started on the database yet. */
export async function isSecretOf(queries: Queries, secret: string): Promise<boolean | null> {
  const { rows: tables } = await sql`select where to_regclass('auth_secret') is not null`.execute(queries);
  if (tables.length === 0) return null;
  const { rows } = await sql<{ fingerprint: string }>`select fingerprint from auth_secret`.execute(queries);
  return rows[0] === undefined ? null : rows[0].fingerprint === toFingerprint(secret);
}

/** Makes it the database's secret if there is none. Throws if there is another. */
export async function keepSecret(queries: Queries, secret: string): Promise<void> {
  await sql`insert into auth_secret (fingerprint) values (${toFingerprint(secret)}) on conflict do nothing`.execute(
    queries,
  );
  if (!(await isSecretOf(queries, secret))) throw new Error(FOREIGN_SECRET);
}

/** The next server to start determines the secret. False if none was kept. */
export async function forgetSecret(queries: Queries): Promise<boolean> {
  const { rows } = await sql`delete from auth_secret returning true`.execute(queries);
  return rows.length > 0;
}
