import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { MaintenanceView } from "@holo/protocol/views.ts";
import { sql } from "kysely";
import { loadMaintenance, loadRole, saveMaintenance } from "../accounts/accounts.ts";
import type { Database } from "../platform/database.ts";
import type { Time } from "../platform/time.ts";
import { transact } from "../platform/transaction.ts";
import { recordAct } from "./acts.ts";
import { toPlainLine } from "./plain-line.ts";

export type MaintenanceRefusal = "maintenance_text_missing" | "access_denied";

/** The switch that keeps games from beginning and coins from coming in, while what was begun goes on. */
export interface MaintenanceSwitch {
  /** What players are told now; null: it is off. Kept in memory, for pages; seats and deposits ask the database. */
  current(): MaintenanceView | null;
  /**
   * Turns it on, or off with null, and tells everyone. On again with other words changes what they are told; as it is already, nothing is
   * done. Refusals in the order of `MaintenanceRefusal`.
   */
  turn(playerId: PlayerId, text: string | null): Promise<Result<MaintenanceView | null, MaintenanceRefusal>>;
}

export interface MaintenanceOptions {
  readonly database: Database;
  readonly time: Time;
  /** Shows every connection what is on now. */
  readonly tell: (maintenance: MaintenanceView | null) => void;
}

/** "Main" in ASCII: the switch is turned by one at a time. */
const MAINTENANCE_LOCK = 0x4d61696e;

export async function openMaintenance({ database, time, tell }: MaintenanceOptions): Promise<MaintenanceSwitch> {
  const kept = await loadMaintenance(database.kysely);
  let newestId = kept?.id ?? 0n;
  let isOn = toMaintenanceView(kept?.text ?? null, kept?.at);

  /** Of two turns at once the first to be committed may be the last to come here. */
  function adopt(id: bigint, view: MaintenanceView | null): void {
    if (id <= newestId) return;
    newestId = id;
    isOn = view;
    tell(view);
  }

  async function lookUp(): Promise<void> {
    const stands = await loadMaintenance(database.kysely);
    if (stands !== null) adopt(stands.id, toMaintenanceView(stands.text, stands.at));
  }

  return {
    current: () => isOn,

    async turn(playerId, wanted) {
      const text = wanted === null ? null : toPlainLine(wanted);
      if (text === "") return refuse("maintenance_text_missing");
      const turning = transact(database, async (tx, afterCommit): Promise<Turned> => {
        await sql`select pg_advisory_xact_lock(${MAINTENANCE_LOCK})`.execute(tx);
        if ((await loadRole(tx, playerId)) === null) return refuse("access_denied");
        const before = await loadMaintenance(tx);
        if ((before?.text ?? null) === text) {
          const stands = toMaintenanceView(text, before?.at);
          if (before !== null) afterCommit(() => adopt(before.id, stands));
          return ok(stands);
        }
        const at = time.now();
        const act = text === null ? "maintenance_ended" : "maintenance_begun";
        const actId = await recordAct(tx, { playerId, act, subject: "", detail: text ?? "", at });
        const id = await saveMaintenance(tx, { text, actId, at });
        const view = toMaintenanceView(text, at);
        afterCommit(() => adopt(id, view));
        return ok(view);
      });
      // A connection that was lost may have committed: what stands is looked up, and by who turns the switch again.
      turning.catch(lookUp).catch(() => undefined);
      return await turning;
    },
  };
}

type Turned = Result<MaintenanceView | null, MaintenanceRefusal>;

function toMaintenanceView(text: string | null, sinceAt: Instant | undefined): MaintenanceView | null {
  return text === null || sinceAt === undefined ? null : { text, sinceAt };
}
