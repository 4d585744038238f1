import { sql } from "kysely";
import type { Database, Queries, Tx } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import type { Log } from "../../platform/log.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import type { Time } from "../../platform/time/time.ts";
import { loadPayoutHold, lockPayoutGuard, type PayoutHold, savePayoutHold } from "./payout-hold-store.ts";

/**
 * Prevents transfers while the database may lack orders that the provider received: after a
 * restore, by the operator's command, or on another PostgreSQL than before.
 */
export interface PayoutGuard {
  /** The open hold; null for none. Opens one if the database now runs elsewhere. */
  check(): Promise<PayoutHold | null>;
  /** Whether nothing may be sent now. No hold begins before the transaction ends. */
  isHeld(tx: Tx): Promise<boolean>;
}

interface PayoutGuardDeps {
  readonly database: Database;
  readonly time: Time;
  readonly log: Log;
  readonly metrics: Metrics;
}

/**
 * Changes when the database is copied, recovered to an earlier point or taken over by a standby:
 * the cluster, its timeline and the database in it.
 */
const IDENTITY = sql<string>`
  (select system_identifier from pg_control_system()) || ' ' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
    || ' ' || (select oid from pg_database where datname = current_database())`;
/** A managed PostgreSQL may lack these functions or forbid them. */
const UNREADABLE: ReadonlySet<unknown> = new Set(["42501", "42883", "0A000"]);

export function openPayoutGuard({ database, time, log, metrics }: PayoutGuardDeps): PayoutGuard {
  let isHeldNow = false;
  let isReadable: boolean | null = null;
  metrics.gauge("holo_payouts_held", "1 while payouts are held until the records are compared, else 0", () =>
    isHeldNow ? 1 : 0,
  );

  async function loadIdentity(queries: Queries): Promise<string | null> {
    if (isReadable === false) return null;
    try {
      const { rows } = await sql<{ readonly identity: string }>`select ${IDENTITY} as identity`.execute(queries);
      isReadable = true;
      return rows[0]!.identity;
    } catch (error) {
      // Any other failure is the database's, and nothing is sent.
      if (isReadable !== null || !UNREADABLE.has((error as { readonly code?: unknown }).code)) throw error;
      isReadable = false;
      log.warn("cannot tell whether this PostgreSQL was restored; see hold-payouts in docs/operations/backup.md");
      return null;
    }
  }

  async function adopt(identity: string): Promise<void> {
    await transact(database, async (tx) => {
      const known = await lockPayoutGuard(tx);
      if (known === identity) return;
      await sql`update payout_guard set database_identity = ${identity}`.execute(tx);
      if (known === null) return;
      await savePayoutHold(tx, { cause: "database_changed", at: time.now() });
      log.error(
        { known, identity },
        "the database was moved or restored; payouts are held until the records are compared",
      );
    });
  }

  return {
    async check() {
      const identity = await loadIdentity(database.kysely);
      if (identity !== null && (await loadKnownIdentity(database.kysely)) !== identity) await adopt(identity);
      const hold = await loadPayoutHold(database.kysely);
      isHeldNow = hold !== null;
      return hold;
    },
    async isHeld(tx) {
      const { rows } = await sql<{ readonly known: string | null }>`
        select database_identity as known from payout_guard for share`.execute(tx);
      const known = rows[0]!.known;
      const isElsewhere = known !== null && isReadable === true && (await loadIdentity(tx)) !== known;
      return isElsewhere || (await loadPayoutHold(tx)) !== null;
    },
  };
}

async function loadKnownIdentity(queries: Queries): Promise<string | null> {
  const { rows } = await sql<{ readonly known: string | null }>`
    select database_identity as known from payout_guard`.execute(queries);
  return rows[0]!.known;
}
