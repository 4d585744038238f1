import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { ok } from "@holo/kernel/result.ts";
import type { Admin } from "../../../admin/admin.ts";
import type { Handlers } from "../routes.ts";
import { requireRole, toRanked } from "../session.ts";
import { toRowView } from "../wallet/statement.ts";

export interface ModerationDeps {
  readonly admin: Pick<Admin, "maintenance" | "bans" | "gameCancellation" | "reports" | "players">;
}

type ModerationRoute =
  | "switchMaintenance"
  | "blockPlayer"
  | "unblockPlayer"
  | "cancelGame"
  | "gameChat"
  | "reports"
  | "endReport"
  | "findPlayers"
  | "playerFile"
  | "playerGames"
  | "playerEntries";

/** How people of the house run it, by HTTP. */
export function makeModerationHandlers({ admin }: ModerationDeps): Handlers<ModerationRoute> {
  const { maintenance, bans, gameCancellation, reports, players } = admin;

  return {
    async switchMaintenance(call) {
      const session = await requireRole(call, "admin");
      if (!session.ok) return session;
      const turned = await maintenance.set(session.value.player.id, call.body.notice);
      return turned.ok ? ok({ body: { maintenance: turned.value } }) : turned;
    },

    async cancelGame(call) {
      const session = await requireRole(call, "admin");
      if (!session.ok) return session;
      const { gameId, reason } = call.body;
      const order = { actorId: session.value.player.id, gameId: gameId as GameId, reason };
      const cancelled = await gameCancellation.cancel(order);
      return cancelled.ok ? ok({ body: {} }) : cancelled;
    },

    async gameChat(call) {
      const session = await requireRole(call, "admin");
      if (!session.ok) return session;
      const chat = await reports.loadChat(toRanked(session.value), call.params.id as GameId);
      return chat.ok ? ok({ body: { messages: [...chat.value.messages] } }) : chat;
    },

    async reports(call) {
      const session = await requireRole(call, "admin");
      if (!session.ok) return session;
      const { state = null, after = null } = call.query;
      const page = await reports.load(toRanked(session.value), { state, after, playerId: null });
      return ok({ body: { reports: [...page.reports], next: page.next } });
    },

    async endReport(call) {
      const session = await requireRole(call, "admin");
      if (!session.ok) return session;
      const ended = await reports.close({ ...call.body, actorId: session.value.player.id });
      return ended.ok ? ok({ body: {} }) : ended;
    },

    async findPlayers(call) {
      const session = await requireRole(call, "admin");
      if (!session.ok) return session;
      const found = await players.find(toRanked(session.value), call.query.text, call.query.after ?? null);
      return ok({ body: { players: [...found.players], next: found.next } });
    },

    async playerFile(call) {
      const session = await requireRole(call, "admin");
      if (!session.ok) return session;
      const file = await players.load(toRanked(session.value), call.params.id as PlayerId);
      if (!file.ok) return file;
      const { payments, sessions, reports: told } = file.value;
      return ok({ body: { ...file.value, payments: [...payments], sessions: [...sessions], reports: [...told] } });
    },

    async playerGames(call) {
      const session = await requireRole(call, "admin");
      if (!session.ok) return session;
      const before = call.query.before === undefined ? null : Number(call.query.before);
      const games = await players.loadGames(toRanked(session.value), call.params.id as PlayerId, before);
      if (!games.ok) return games;
      const { matches, next } = games.value;
      return ok({ body: { matches: [...matches], next: next === null ? null : String(next) } });
    },

    async playerEntries(call) {
      const session = await requireRole(call, "admin");
      if (!session.ok) return session;
      const before = call.query.before === undefined ? null : BigInt(call.query.before);
      const page = await players.loadEntries(toRanked(session.value), call.params.id as PlayerId, before);
      if (!page.ok) return page;
      return ok({ body: { rows: page.value.rows.map(toRowView), next: page.value.next } });
    },

    async blockPlayer(call) {
      const session = await requireRole(call, "admin");
      if (!session.ok) return session;
      const { playerId, reason } = call.body;
      const order = { actorId: session.value.player.id, playerId: playerId as PlayerId, reason };
      const blocked = await bans.ban(order);
      return blocked.ok ? ok({ body: {} }) : blocked;
    },

    async unblockPlayer(call) {
      const session = await requireRole(call, "admin");
      if (!session.ok) return session;
      const { playerId, reason } = call.body;
      const order = { actorId: session.value.player.id, playerId: playerId as PlayerId, reason };
      const unblocked = await bans.unban(order);
      return unblocked.ok ? ok({ body: {} }) : unblocked;
    },
  };
}
