import type { Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";

interface Maintenance {
  readonly id: bigint;
  /** The notice to players; null: off. */
  readonly text: string | null;
  readonly at: Instant;
}

export async function loadMaintenance(queries: Queries): Promise<Maintenance | null> {
  const { rows } = await sql<{ readonly id: bigint; readonly text: string | null; readonly at: bigint }>`
    select id, text, at from maintenance_changes order by id desc limit 1`.execute(queries);
  const row = rows[0];
  return row === undefined ? null : { id: row.id, text: row.text, at: Number(row.at) as Instant };
}

export async function saveMaintenance(
  tx: Tx,
  { text, auditEventId, at }: { readonly text: string | null; readonly auditEventId: bigint; readonly at: Instant },
): Promise<bigint> {
  const { rows } = await sql<{ readonly id: bigint }>`
    insert into maintenance_changes (at, audit_event_id, text) values (${at}, ${auditEventId}, ${text}) returning id`.execute(
    tx,
  );
  return rows[0]!.id;
}
