import type { CommandId, PlayerId } from "@holo/kernel/ids.ts";
import { formatNaira, toKobo } from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { AdminSettingsView } from "@holo/protocol/admin/settings.ts";
import type { SettingsView } from "@holo/protocol/platform.ts";
import { type LockConfirmed, loadRole } from "../../accounts/accounts.ts";
import type { Database } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import type { Time } from "../../platform/time/time.ts";
import { recordAuditEvent } from "../audit-log/audit-log.ts";
import { findChange, loadChanges, loadSettings, lockSettings, saveChange } from "./settings-store.ts";

interface SettingsOrder extends SettingsView {
  readonly playerId: PlayerId;
  readonly commandId: CommandId;
  readonly expected: SettingsView;
}

type SettingsRefusal =
  | "bad_settings"
  | "command_id_reused"
  | "access_denied"
  | "wrong_password"
  | "settings_changed"
  | "settings_unchanged";

/** Exchange rate and platform fee (ruling 4). Games and payments keep those they began with. */
export interface Settings {
  current(): SettingsView;
  /** Reads them again: another server may have changed them. */
  refresh(): Promise<void>;
  load(): Promise<AdminSettingsView>;
  /**
   * Changes the settings and broadcasts them; a repeated command gets the same response. The role
   * is checked here, and again that the confirmed password of the CEO has not changed.
   */
  change(order: SettingsOrder, lockConfirmed: LockConfirmed): Promise<Result<AdminSettingsView, SettingsRefusal>>;
}

interface SettingsDeps {
  readonly database: Database;
  readonly time: Time;
  readonly broadcast: (settings: SettingsView) => void;
}

/** ₦1 to ₦100,000 per holocoin. `schema/30-administration.sql` checks it and has the first rate. */
const RATE_KOBO = { min: 100, max: 10_000_000 };
/** 20 %: a higher value is more likely a typing error. */
const FEE_BPS_MAX = 2_000;

export function isWithinBounds({ rateKobo, feeBps }: SettingsView): boolean {
  return rateKobo >= RATE_KOBO.min && rateKobo <= RATE_KOBO.max && feeBps >= 0 && feeBps <= FEE_BPS_MAX;
}

/** `₦306 for a holocoin, fee 7.4 %`, as stored in the audit event. */
function formatSettings({ rateKobo, feeBps }: SettingsView): string {
  return `${formatNaira(toKobo(BigInt(rateKobo)))} for a holocoin, fee ${feeBps / 100} %`;
}

/** The detail of the audit event; the auditor formats it again from the rows. */
export function formatChange(next: SettingsView, before: SettingsView): string {
  return `${formatSettings(next)}; before: ${formatSettings(before)}`;
}

export async function openSettings({ database, time, broadcast }: SettingsDeps): Promise<Settings> {
  let { id: newestId, ...current } = await loadSettings(database.kysely);

  /** Concurrent changes may arrive here out of order. */
  function adopt({ id, rateKobo, feeBps }: SettingsView & { readonly id: bigint }): void {
    if (id <= newestId) return;
    newestId = id;
    current = { rateKobo, feeBps };
    broadcast(current);
  }

  async function load(): Promise<AdminSettingsView> {
    adopt(await loadSettings(database.kysely));
    const changes = await loadChanges(database.kysely);
    const { rateKobo, feeBps } = changes[0] ?? current;
    return { rateKobo, feeBps, changes };
  }

  return {
    current: () => current,
    refresh: async () => adopt(await loadSettings(database.kysely)),
    load,

    async change({ playerId, commandId, rateKobo, feeBps, expected }, lockConfirmed) {
      const next = { rateKobo, feeBps };
      if (!isWithinBounds(next)) return refuse("bad_settings");
      const changing = transact(database, async (tx, afterCommit): Promise<Result<null, SettingsRefusal>> => {
        await lockSettings(tx);
        const known = await findChange(tx, playerId, commandId);
        if (known !== null) return isSame(known, next) ? ok(null) : refuse("command_id_reused");
        if ((await loadRole(tx, playerId)) !== "ceo") return refuse("access_denied");
        if (!(await lockConfirmed(tx))) return refuse("wrong_password");
        const before = await loadSettings(tx);
        if (!isSame(before, expected)) return refuse("settings_changed");
        if (isSame(before, next)) return refuse("settings_unchanged");
        const at = time.now();
        const detail = formatChange(next, before);
        const auditEventId = await recordAuditEvent(tx, {
          playerId,
          action: "settings_changed",
          subject: "",
          detail,
          at,
        });
        const id = await saveChange(tx, { ...next, playerId, commandId, auditEventId, at });
        afterCommit(() => adopt({ id, ...next }));
        return ok(null);
      });
      // If the connection was lost, the change may have been committed: reload.
      changing.catch(() => load()).catch(() => undefined);
      const changed = await changing;
      return changed.ok ? ok(await load()) : changed;
    },
  };
}

function isSame(one: SettingsView, other: SettingsView): boolean {
  return one.rateKobo === other.rateKobo && one.feeBps === other.feeBps;
}
