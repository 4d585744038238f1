import { ok, refuse } from "@holo/kernel/result.ts";
import type { Accounts } from "../../../accounts/accounts.ts";
import { type Admin, isWithinBounds } from "../../../admin/admin.ts";
import { type Handlers, replyWith } from "../routes.ts";

interface PlatformDeps {
  readonly admin: Admin;
  readonly accounts: Pick<Accounts, "confirmPassword">;
}

type PlatformRoute =
  | "adminOverview"
  | "adminLive"
  | "adminDays"
  | "admins"
  | "addAdmin"
  | "removeAdmin"
  | "auditEvents"
  | "adminSettings"
  | "settingsEffect"
  | "changeSettings";

export function makePlatformHandlers({ admin, accounts }: PlatformDeps): Handlers<PlatformRoute> {
  const { overview, admins, settings } = admin;

  return {
    async adminOverview({ staff }) {
      return ok({ body: { role: staff.role, ...(await overview.load()) } });
    },

    async adminLive() {
      return ok({ body: await admin.live.load() });
    },

    async adminDays() {
      const days = (await admin.dailyFigures.load()).map(({ day, games, revenue, deposits, withdrawals }) => ({
        day,
        games,
        revenue: String(revenue),
        depositsKobo: Number(deposits),
        withdrawalsKobo: Number(withdrawals),
      }));
      return ok({ body: { days } });
    },

    async admins() {
      return ok({ body: await admins.load() });
    },

    async addAdmin({ session, body }) {
      const confirmed = await accounts.confirmPassword(session.player.id, body.password);
      if (!confirmed.ok) return confirmed;
      return replyWith(await admins.add(session.player, body.email, confirmed.value), (value) => value);
    },

    async removeAdmin({ session, body }) {
      return replyWith(await admins.remove(session.player, body.id), (value) => value);
    },

    async auditEvents({ staff, query }) {
      return ok({ body: await admin.loadAuditEvents(staff.id, query.before ?? null) });
    },

    async adminSettings() {
      return ok({ body: await settings.load() });
    },

    async settingsEffect({ body }) {
      if (!isWithinBounds(body)) return refuse("bad_settings");
      return ok({ body: await overview.loadEffect(body) });
    },

    async changeSettings({ session, body }) {
      const { password, ...order } = body;
      const confirmed = await accounts.confirmPassword(session.player.id, password);
      if (!confirmed.ok) return confirmed;
      return replyWith(
        await settings.change({ ...order, playerId: session.player.id }, confirmed.value),
        (value) => value,
      );
    },
  };
}
