import { ok } from "@holo/kernel/result.ts";
import type { Admin } from "../../../admin/admin.ts";
import type { Queries } from "../../../platform/database/database.ts";
import { type Handlers, replyWith, toEmpty } from "../routes.ts";
import { loadRowViews } from "../wallet/statement.ts";

interface ModerationDeps {
  readonly admin: Pick<Admin, "maintenance" | "bans" | "gameCancellation" | "reports" | "players" | "withdrawalHolds">;
  readonly queries: Queries;
}

type ModerationRoute =
  | "switchMaintenance"
  | "banPlayer"
  | "unbanPlayer"
  | "cancelGame"
  | "gameChat"
  | "reports"
  | "endReport"
  | "holdWithdrawals"
  | "releaseWithdrawals"
  | "searchPlayers"
  | "playerFile"
  | "playerGames"
  | "playerEntries";

export function makeModerationHandlers({ admin, queries }: ModerationDeps): Handlers<ModerationRoute> {
  const { maintenance, bans, gameCancellation, reports, players, withdrawalHolds } = admin;

  return {
    async switchMaintenance({ staff, body }) {
      return replyWith(await maintenance.set({ ...body, actorId: staff.id }), (value) => ({ maintenance: value }));
    },

    async cancelGame({ staff, body }) {
      return replyWith(await gameCancellation.cancel({ ...body, actorId: staff.id }), toEmpty);
    },

    async gameChat({ staff, params }) {
      return replyWith(await reports.loadChat(staff, params.id), (chat) => chat);
    },

    async reports({ staff, query }) {
      const { state = null, after = null } = query;
      return ok({ body: await reports.load(staff, { state, after, playerId: null }) });
    },

    async endReport({ staff, body }) {
      return replyWith(await reports.close({ ...body, actorId: staff.id }), toEmpty);
    },

    async holdWithdrawals({ staff, body }) {
      return replyWith(await withdrawalHolds.hold({ ...body, actorId: staff.id }), toEmpty);
    },

    async releaseWithdrawals({ staff, body }) {
      return replyWith(await withdrawalHolds.release({ ...body, actorId: staff.id }), toEmpty);
    },

    async searchPlayers({ staff, query }) {
      return ok({ body: await players.find(staff, query.text, query.after ?? null) });
    },

    async playerFile({ staff, params }) {
      return replyWith(await players.load(staff, params.id), (file) => file);
    },

    async playerGames({ staff, params, query }) {
      const before = query.before === undefined ? null : Number(query.before);
      return replyWith(await players.loadGames(staff, params.id, before), ({ matches, next }) => ({
        matches,
        next: next === null ? null : String(next),
      }));
    },

    async playerEntries({ staff, params, query }) {
      const before = query.before === undefined ? null : BigInt(query.before);
      const found = await players.loadEntries(staff, params.id, before);
      if (!found.ok) return found;
      const { rows, next } = found.value;
      return ok({ body: { rows: await loadRowViews(queries, params.id, rows), next } });
    },

    async banPlayer({ staff, body }) {
      return replyWith(await bans.ban({ ...body, actorId: staff.id }), toEmpty);
    },

    async unbanPlayer({ staff, body }) {
      return replyWith(await bans.unban({ ...body, actorId: staff.id }), toEmpty);
    },
  };
}
