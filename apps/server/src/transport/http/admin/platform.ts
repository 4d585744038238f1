import type { CommandId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { AdminSettingsView, AdminsView } from "@holo/protocol/admin/money.ts";
import type { RouteResponse } from "@holo/protocol/routes.ts";
import type { Accounts } from "../../../accounts/accounts.ts";
import { type Admin, isWithinBounds } from "../../../admin/admin.ts";
import type { Handlers } from "../routes.ts";
import { requireConfirmed, requireRole } from "../session.ts";

export interface PlatformDeps {
  readonly admin: Admin;
  readonly accounts: Pick<Accounts, "checkPassword">;
}

type PlatformRoute =
  | "adminOverview"
  | "adminLive"
  | "adminDays"
  | "admins"
  | "addAdmin"
  | "removeAdmin"
  | "adminActs"
  | "adminSettings"
  | "settingsEffect"
  | "changeSettings";

type AdminsBody = RouteResponse<"admins">;

/** What people of the house see and do, by HTTP. */
export function makePlatformHandlers({ admin, accounts }: PlatformDeps): Handlers<PlatformRoute> {
  const { overview, admins, settings } = admin;

  return {
    async adminOverview(call) {
      const session = await requireRole(call, "admin");
      if (!session.ok) return session;
      const { role } = session.value;
      const { reconciliation, ...figures } = await overview.load();
      const compared = reconciliation && { ...reconciliation, differences: [...reconciliation.differences] };
      return ok({ body: { role, ...figures, reconciliation: compared } });
    },

    async adminLive(call) {
      const session = await requireRole(call, "admin");
      return session.ok ? ok({ body: await admin.live.load() }) : session;
    },

    async adminDays(call) {
      const session = await requireRole(call, "admin");
      if (!session.ok) return session;
      const days = (await admin.dailyFigures.load()).map(({ day, games, revenue, deposits, withdrawals }) => ({
        day,
        games,
        revenue: String(revenue),
        depositsKobo: Number(deposits),
        withdrawalsKobo: Number(withdrawals),
      }));
      return ok({ body: { days } });
    },

    async admins(call) {
      const session = await requireRole(call, "admin");
      return session.ok ? ok({ body: toAdminsBody(await admins.load()) }) : session;
    },

    async addAdmin(call) {
      const session = await requireRole(call, "admin");
      return session.ok ? toReply(await admins.add(session.value.player, call.body.email)) : session;
    },

    async removeAdmin(call) {
      const session = await requireRole(call, "admin");
      return session.ok ? toReply(await admins.remove(session.value.player, call.body.id)) : session;
    },

    async adminActs(call) {
      const session = await requireRole(call, "admin");
      if (!session.ok) return session;
      const { acts, next } = await admin.loadAuditEvents(call.query.before ?? null);
      return ok({ body: { acts: [...acts], next } });
    },

    async adminSettings(call) {
      const session = await requireRole(call, "ceo");
      return session.ok ? ok({ body: toSettingsBody(await settings.load()) }) : session;
    },

    async settingsEffect(call) {
      const session = await requireRole(call, "ceo");
      if (!session.ok) return session;
      if (!isWithinBounds(call.body)) return refuse("bad_settings");
      return ok({ body: await overview.loadEffect(call.body) });
    },

    async changeSettings(call) {
      const { password, commandId, ...order } = call.body;
      const session = await requireConfirmed(call, "ceo", password, accounts.checkPassword);
      if (!session.ok) return session;
      const playerId = session.value.player.id;
      const changed = await settings.change({ ...order, playerId, commandId: commandId as CommandId });
      return changed.ok ? ok({ body: toSettingsBody(changed.value) }) : changed;
    },
  };
}

function toReply<Refusal>(answer: Result<AdminsView, Refusal>): Result<{ readonly body: AdminsBody }, Refusal> {
  return answer.ok ? ok({ body: toAdminsBody(answer.value) }) : answer;
}

function toAdminsBody({ owner, admins }: AdminsView): AdminsBody {
  return { owner, admins: [...admins] };
}

function toSettingsBody({ changes, ...settings }: AdminSettingsView): RouteResponse<"adminSettings"> {
  return { ...settings, changes: [...changes] };
}
