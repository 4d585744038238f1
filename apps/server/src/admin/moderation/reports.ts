import { assert } from "@holo/kernel/assert.ts";
import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { GameChatView, ReportsView, ReportView } from "@holo/protocol/admin/moderation.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import type { ReportOutcome } from "@holo/protocol/report-terms.ts";
import { findPlayers, isAccountDeleted, loadRoles, lockAccount, type Role } from "../../accounts/accounts.ts";
import {
  findReportedPlayers,
  GAME_MESSAGES_MAX,
  type Games,
  type ListedReport,
  loadMessages,
  loadReports,
  lockReport,
  type ReportsPage,
  saveReportEnd,
} from "../../game/game.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import { type Effect, transact } from "../../platform/database/transaction.ts";
import type { QueueMail } from "../../platform/mail/outbox.ts";
import type { Time } from "../../platform/time/time.ts";
import { recordAuditEvent } from "../audit-log/audit-log.ts";
import { checkCase, findCaseConflict, type StaffMember } from "../authority.ts";
import { toSingleLine } from "../single-line.ts";
import { REPORT_OUTCOME_TEXTS, REPORT_TITLE, toReportMail } from "./report-mail.ts";

interface CloseReportOrder {
  readonly actorId: PlayerId;
  readonly id: string;
  readonly outcome: ReportOutcome;
  /** The findings, visible to staff only. */
  readonly note: string;
}

type CloseReportRefusal =
  | "reason_missing"
  | "access_denied"
  | "unknown_report"
  | "own_matter"
  | "admin_matter"
  | "report_ended";
type ChatRefusal = "unknown_report" | "admin_matter";

export interface ReportModeration {
  /** All reports except those about the viewer: staff do not learn who reported them. */
  load(viewer: StaffMember, page: Omit<ReportsPage, "limit" | "viewerId">): Promise<ReportsView>;
  /**
   * The chat of a game that someone else reported or the viewer played; other chats are private to
   * their players. Refusals: `unknown_report`, `admin_matter`.
   */
  loadChat(viewer: StaffMember, gameId: GameId): Promise<Result<GameChatView, ChatRefusal>>;
  /**
   * Closes a report and notifies its reporter on the page and by mail. The case concerns the
   * reporter, the reported player and both players of the game (`findCaseConflict`).
   */
  close(order: CloseReportOrder): Promise<Result<null, CloseReportRefusal>>;
}

interface ReportModerationDeps {
  readonly database: Database;
  readonly time: Time;
  readonly publicUrl: string;
  readonly queueMail: QueueMail;
  readonly games: Pick<Games, "loadMatch">;
  readonly notify: (playerId: PlayerId, title: string, text: string) => void;
}

const PAGE = 20;

export function openReportModeration(deps: ReportModerationDeps): ReportModeration {
  const { database, time, publicUrl, queueMail, games, notify } = deps;

  async function endIn(
    tx: Tx,
    order: CloseReportOrder,
    afterCommit: (effect: Effect) => void,
  ): Promise<Result<null, CloseReportRefusal>> {
    const { actorId, id, outcome, note } = order;
    const isStaff = await checkCase(tx, actorId, []);
    if (!isStaff.ok) return isStaff;
    const report = await lockReport(tx, id);
    if (report === null) return refuse("unknown_report");
    const { reporterId, gameId } = report;
    const allowed = await checkCase(tx, actorId, toConcerned(report));
    if (!allowed.ok) return allowed;
    if (report.state === "closed") return refuse("report_ended");
    const at = time.now();
    const detail = `${outcome}: ${note}`;
    const auditEventId = await recordAuditEvent(tx, {
      playerId: actorId,
      action: "report_ended",
      subject: id,
      detail,
      at,
    });
    await saveReportEnd(tx, { id, outcome, note, auditEventId: auditEventId, at });
    const account = await lockAccount(tx, reporterId);
    if (account !== null && !(await isAccountDeleted(tx, reporterId)))
      await queueMail(tx, toReportMail({ ...account, gameId, outcome, publicUrl, at }));
    afterCommit(() => notify(reporterId, REPORT_TITLE, REPORT_OUTCOME_TEXTS[outcome]));
    return ok(null);
  }

  return {
    async load(viewer, page) {
      const found = await loadReports(database.kysely, { ...page, viewerId: viewer.id, limit: PAGE + 1 });
      const shown = found.slice(0, PAGE);
      const ids = shown.flatMap(({ reporterId, playerId, ended }) => [reporterId, playerId, ended?.by ?? null]);
      const players = await findPlayers(database.kysely, [...new Set(ids.filter((id) => id !== null))]);
      const concerned = shown.flatMap(toConcerned).filter((id) => id !== null);
      const roles = await loadRoles(database.kysely, [...new Set(concerned)]);
      const reports = await Promise.all(shown.map((report) => loadView(games, viewer, report, players, roles)));
      return { reports, next: found.length > PAGE ? (shown.at(-1)?.id ?? null) : null };
    },

    async loadChat(viewer, gameId) {
      const gamePlayers = await findReportedPlayers(database.kysely, gameId, viewer.id);
      if (gamePlayers === null) return refuse("unknown_report");
      const roles = await loadRoles(
        database.kysely,
        gamePlayers.filter((id) => id !== null),
      );
      if (findCaseConflict(viewer, gamePlayers, roles) === "admin_matter") return refuse("admin_matter");
      const messages = await loadMessages(database.kysely, gameId, 0, GAME_MESSAGES_MAX);
      const players = await findPlayers(database.kysely, [...new Set(messages.map(({ senderId }) => senderId))]);
      return ok({
        messages: messages.map(({ number, senderId, text, at }) => ({
          number,
          username: players.get(senderId)?.username ?? senderId,
          text,
          at,
        })),
      });
    },

    async close(given) {
      const order = { ...given, note: toSingleLine(given.note) };
      if (order.note === "") return refuse("reason_missing");
      return await transact(database, (tx, afterCommit) => endIn(tx, order, afterCommit));
    },
  };
}

function toConcerned({ reporterId, playerId, players }: ListedReport): readonly (PlayerId | null)[] {
  return [reporterId, playerId, ...players];
}

async function loadView(
  games: Pick<Games, "loadMatch">,
  viewer: StaffMember,
  report: ListedReport,
  players: ReadonlyMap<PlayerId, PlayerView>,
  roles: ReadonlyMap<PlayerId, Role>,
): Promise<ReportView> {
  const findPlayer = (id: PlayerId): PlayerView => players.get(id) ?? { id, username: id };
  const { id, reporterId, playerId, gameId, reason, text, at, ended } = report;
  const match = await games.loadMatch(gameId, reporterId);
  assert(match !== null, `report ${id} is of a game`);
  return {
    id,
    reporter: findPlayer(reporterId),
    player: playerId === null ? null : findPlayer(playerId),
    match,
    reason,
    text,
    at,
    ended: ended === null ? null : { ...ended, by: findPlayer(ended.by).username },
    heldBack: findCaseConflict(viewer, toConcerned(report), roles),
  };
}
