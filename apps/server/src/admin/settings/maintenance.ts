import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { MaintenanceView } from "@holo/protocol/platform.ts";
import { sql } from "kysely";
import { loadMaintenance, loadRole, saveMaintenance } from "../../accounts/accounts.ts";
import type { Database } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import type { Time } from "../../platform/time/time.ts";
import { recordAuditEvent } from "../audit-log/audit-log.ts";
import { toSingleLine } from "../single-line.ts";

type MaintenanceRefusal = "maintenance_text_missing" | "access_denied" | "maintenance_changed";

interface MaintenanceOrder {
  readonly actorId: PlayerId;
  /** Null: off. */
  readonly notice: string | null;
  /** When the maintenance began that the actor saw; null: off. */
  readonly sinceAt: number | null;
}

/** Maintenance mode: no new games and deposits; what has begun continues. */
export interface MaintenanceSwitch {
  /**
   * The notice to players; null if off. Cached for pages; seats and deposits check the database.
   */
  current(): MaintenanceView | null;
  /** Reads it again: another server may have changed it. */
  refresh(): Promise<void>;
  /**
   * Sets the notice, or ends maintenance with null, and broadcasts it. No effect if unchanged.
   * Refusals in the order of `MaintenanceRefusal`.
   */
  set(order: MaintenanceOrder): Promise<Result<MaintenanceView | null, MaintenanceRefusal>>;
}

interface MaintenanceDeps {
  readonly database: Database;
  readonly time: Time;
  readonly broadcast: (maintenance: MaintenanceView | null) => void;
}

/** "Main" in ASCII: serializes changes. */
const MAINTENANCE_LOCK = 0x4d61696e;

export async function openMaintenance({ database, time, broadcast }: MaintenanceDeps): Promise<MaintenanceSwitch> {
  const kept = await loadMaintenance(database.kysely);
  let newestId = kept?.id ?? 0n;
  let inForce = toMaintenanceView(kept?.text ?? null, kept?.at);

  /** Concurrent changes may arrive here out of order. */
  function adopt(id: bigint, view: MaintenanceView | null): void {
    if (id <= newestId) return;
    newestId = id;
    inForce = view;
    broadcast(view);
  }

  async function reload(): Promise<void> {
    const current = await loadMaintenance(database.kysely);
    if (current !== null) adopt(current.id, toMaintenanceView(current.text, current.at));
  }

  return {
    current: () => inForce,
    refresh: reload,

    async set({ actorId: playerId, notice, sinceAt }) {
      const text = notice === null ? null : toSingleLine(notice);
      if (text === "") return refuse("maintenance_text_missing");
      const setting = transact(database, async (tx, afterCommit): Promise<SetResult> => {
        await sql`select pg_advisory_xact_lock(${MAINTENANCE_LOCK})`.execute(tx);
        if ((await loadRole(tx, playerId)) === null) return refuse("access_denied");
        const before = await loadMaintenance(tx);
        if ((before?.text ?? null) === text) {
          const current = toMaintenanceView(text, before?.at);
          if (before !== null) afterCommit(() => adopt(before.id, current));
          return ok(current);
        }
        const seenAt = before === null || before.text === null ? null : before.at;
        if (seenAt !== sinceAt) return refuse("maintenance_changed");
        const at = time.now();
        const action = text === null ? "maintenance_ended" : "maintenance_begun";
        const auditEventId = await recordAuditEvent(tx, { playerId, action, subject: "", detail: text ?? "", at });
        const id = await saveMaintenance(tx, { text, auditEventId, at });
        const view = toMaintenanceView(text, at);
        afterCommit(() => adopt(id, view));
        return ok(view);
      });
      // If the connection was lost, the change may have been committed: reload.
      setting.catch(reload).catch(() => undefined);
      return await setting;
    },
  };
}

type SetResult = Result<MaintenanceView | null, MaintenanceRefusal>;

function toMaintenanceView(text: string | null, sinceAt: Instant | undefined): MaintenanceView | null {
  return text === null || sinceAt === undefined ? null : { text, sinceAt };
}
