import type { Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../database/database.ts";
import { fromTimestamp, toTimestamp } from "../database/timestamp.ts";

interface QueuedMail {
  readonly id: string;
  readonly recipient: string;
  readonly kind: string;
  readonly subject: string;
  readonly sealedBody: Buffer;
  readonly createdAt: Instant;
  /** The mail is useless after this. */
  readonly expiresAt: Instant;
}

interface NewQueuedMail extends QueuedMail {
  readonly accountId: string | null;
}

export interface ClaimedMail extends QueuedMail {
  /** Including this attempt. */
  readonly attempts: number;
}

/** Does nothing if that id was saved before. */
export async function saveMail(queries: Queries, mail: NewQueuedMail): Promise<void> {
  const { id, accountId, recipient, kind, subject, sealedBody } = mail;
  const createdAt = toTimestamp(mail.createdAt);
  await sql`
    insert into outbox (id, account_id, recipient, kind, subject, sealed_body, created_at, expires_at, next_attempt_at)
    values (${id}, ${accountId}, ${recipient}, ${kind}, ${subject}, ${sealedBody}, ${createdAt}, ${toTimestamp(mail.expiresAt)}, ${createdAt})
    on conflict (id) do nothing`.execute(queries);
}

/** Claims the mail that has been due the longest until `untilAt`; null if none is due. */
export async function claimMail(queries: Queries, at: Instant, untilAt: Instant): Promise<ClaimedMail | null> {
  const stamp = toTimestamp(at);
  const { rows } = await sql<{
    readonly id: string;
    readonly recipient: string;
    readonly kind: string;
    readonly subject: string;
    readonly sealed_body: Buffer;
    readonly created_at: Date;
    readonly expires_at: Date;
    readonly attempts: number;
  }>`
    update outbox set attempts = attempts + 1, claimed_until = ${toTimestamp(untilAt)}
    where id = (
      select id from outbox
      where sent_at is null and given_up_at is null and next_attempt_at <= ${stamp}
        and (claimed_until is null or claimed_until <= ${stamp})
      order by next_attempt_at limit 1 for update skip locked)
    returning id, recipient, kind, subject, sealed_body, created_at, expires_at, attempts`.execute(queries);
  const row = rows[0];
  if (row === undefined) return null;
  const { id, recipient, kind, subject, attempts } = row;
  const [createdAt, expiresAt] = [fromTimestamp(row.created_at), fromTimestamp(row.expires_at)];
  return { id, recipient, kind, subject, sealedBody: row.sealed_body, createdAt, expiresAt, attempts };
}

/** Marks the mail as finished and erases its body. */
export async function endMail(queries: Queries, id: string, end: "sent" | "given_up", at: Instant): Promise<void> {
  const stamp = toTimestamp(at);
  await sql`
    update outbox set sealed_body = null, claimed_until = null, sent_at = ${end === "sent" ? stamp : null},
      given_up_at = ${end === "given_up" ? stamp : null}
    where id = ${id} and sent_at is null and given_up_at is null`.execute(queries);
}

export async function postponeMail(queries: Queries, id: string, untilAt: Instant): Promise<void> {
  await sql`
    update outbox set claimed_until = null, next_attempt_at = ${toTimestamp(untilAt)}
    where id = ${id} and sent_at is null and given_up_at is null`.execute(queries);
}

export async function removeEndedMails(queries: Queries, beforeAt: Instant): Promise<void> {
  await sql`delete from outbox where created_at < ${toTimestamp(beforeAt)} and sealed_body is null`.execute(queries);
}

/** Mails about the account, to whatever address, and all others to `recipient`. */
export async function removeMails(tx: Tx, accountId: string, recipient: string): Promise<void> {
  await sql`delete from outbox where account_id = ${accountId} or recipient = ${recipient}`.execute(tx);
}
