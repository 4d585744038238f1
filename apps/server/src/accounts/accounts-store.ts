import { assert } from "@holo/kernel/assert.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";
import { toTimestamp } from "../platform/database/timestamp.ts";

interface NewAccount {
  readonly id: PlayerId;
  /** Normalized. */
  readonly email: string;
  readonly emailVerified: boolean;
}

export async function saveAccount(tx: Tx, account: NewAccount, at: Instant): Promise<void> {
  const { id, email, emailVerified } = account;
  await sql`
    insert into players (id, email, email_verified, updated_at)
    values (${id}, ${email}, ${emailVerified}, ${toTimestamp(at)})`.execute(tx);
}

/** The caller has checked that a new address is free. */
export async function saveVerifiedEmail(tx: Tx, playerId: PlayerId, email: string, at: Instant): Promise<void> {
  const { numAffectedRows } = await sql`
    update players set email = ${email}, email_verified = true, updated_at = ${toTimestamp(at)}
    where id = ${playerId}`.execute(tx);
  assert(numAffectedRows === 1n, `player ${playerId} has no account`);
}
