import type { CommandId, PlayerId } from "@holo/kernel/ids.ts";
import { formatNaira, toKobo } from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { AdminSettingsView } from "@holo/protocol/admin-views.ts";
import type { SettingsView } from "@holo/protocol/views.ts";
import { loadRole } from "../accounts/accounts.ts";
import type { Database } from "../platform/database.ts";
import type { Time } from "../platform/time.ts";
import { transact } from "../platform/transaction.ts";
import { recordAct } from "./acts.ts";
import { findChange, loadChanges, loadSettings, lockSettings, saveChange } from "./settings-store.ts";

export interface SettingsOrder extends SettingsView {
  readonly playerId: PlayerId;
  readonly commandId: CommandId;
  /** What the CEO was shown as in force. */
  readonly expected: SettingsView;
}

export type SettingsRefusal =
  | "bad_settings"
  | "command_id_reused"
  | "access_denied"
  | "settings_changed"
  | "settings_unchanged";

/** The rate and the fee (ruling 4): what was begun keeps its own, these are for what begins. */
export interface Settings {
  /** What is in force. Kept in memory, which is the truth's copy as long as one server has the database. */
  current(): SettingsView;
  /** With the changes before; what stands in the database is in force from then on, whoever changed it. */
  load(): Promise<AdminSettingsView>;
  /**
   * Changes them and tells everyone. That it is the CEO, who has just signed in again, is for the caller to check; that they are still the
   * CEO is checked here. The same command gets the same answer. Refusals in the order of `SettingsRefusal`.
   */
  change(order: SettingsOrder): Promise<Result<AdminSettingsView, SettingsRefusal>>;
}

export interface SettingsOptions {
  readonly database: Database;
  readonly time: Time;
  /** Shows new settings to every connection. */
  readonly tell: (settings: SettingsView) => void;
}

/** ₦1 to ₦100,000 for a holocoin; the migration's checks say the same. */
const RATE_KOBO = { min: 100, max: 10_000_000 };
/** 20 %: above it a slip of the finger is likelier than a wish. */
const FEE_BPS_MAX = 2_000;

export function isWithinBounds({ rateKobo, feeBps }: SettingsView): boolean {
  return rateKobo >= RATE_KOBO.min && rateKobo <= RATE_KOBO.max && feeBps >= 0 && feeBps <= FEE_BPS_MAX;
}

/** `₦306 for a holocoin, fee 7.4 %`, as the act keeps it. */
function formatSettings({ rateKobo, feeBps }: SettingsView): string {
  return `${formatNaira(toKobo(BigInt(rateKobo)))} for a holocoin, fee ${feeBps / 100} %`;
}

/** What the act of a change says. The auditor builds the same from the rows. */
export function formatChange(next: SettingsView, before: SettingsView): string {
  return `${formatSettings(next)}; before: ${formatSettings(before)}`;
}

export async function openSettings({ database, time, tell }: SettingsOptions): Promise<Settings> {
  let { id: newestId, ...inForce } = await loadSettings(database.kysely);

  /** Of two changes at once the first to be committed may be the last to come here. */
  function adopt({ id, rateKobo, feeBps }: SettingsView & { readonly id: bigint }): void {
    if (id <= newestId) return;
    newestId = id;
    inForce = { rateKobo, feeBps };
    tell(inForce);
  }

  async function load(): Promise<AdminSettingsView> {
    adopt(await loadSettings(database.kysely));
    const changes = await loadChanges(database.kysely);
    const { rateKobo, feeBps } = changes[0] ?? inForce;
    return { rateKobo, feeBps, changes };
  }

  return {
    current: () => inForce,
    load,

    async change({ playerId, commandId, rateKobo, feeBps, expected }) {
      const next = { rateKobo, feeBps };
      if (!isWithinBounds(next)) return refuse("bad_settings");
      const changing = transact(database, async (tx, afterCommit): Promise<Result<null, SettingsRefusal>> => {
        await lockSettings(tx);
        const known = await findChange(tx, playerId, commandId);
        if (known !== null) return isSame(known, next) ? ok(null) : refuse("command_id_reused");
        if ((await loadRole(tx, playerId)) !== "ceo") return refuse("access_denied");
        const before = await loadSettings(tx);
        if (!isSame(before, expected)) return refuse("settings_changed");
        if (isSame(before, next)) return refuse("settings_unchanged");
        const at = time.now();
        const detail = formatChange(next, before);
        const actId = await recordAct(tx, { playerId, act: "settings_changed", subject: "", detail, at });
        const id = await saveChange(tx, { ...next, playerId, commandId, actId, at });
        afterCommit(() => adopt({ id, ...next }));
        return ok(null);
      });
      // A connection that was lost may have committed: what stands is looked up, and again by who asks for the settings.
      changing.catch(() => load()).catch(() => undefined);
      const changed = await changing;
      return changed.ok ? ok(await load()) : changed;
    },
  };
}

function isSame(one: SettingsView, other: SettingsView): boolean {
  return one.rateKobo === other.rateKobo && one.feeBps === other.feeBps;
}
