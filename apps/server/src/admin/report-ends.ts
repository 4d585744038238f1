import { assert } from "@holo/kernel/assert.ts";
import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { GameChatView, ReportOutcome, ReportsView, ReportView } from "@holo/protocol/house-views.ts";
import type { PlayerView } from "@holo/protocol/views.ts";
import { findPlayers, hasLeft, loadRoles, lockEmailHolder, type Role } from "../accounts/accounts.ts";
import {
  type Arena,
  findReportedPlayers,
  type ListedReport,
  loadMessages,
  loadReports,
  lockReport,
  type ReportsPage,
  saveReportEnd,
} from "../arena/arena.ts";
import type { Database, Tx } from "../platform/database.ts";
import type { QueueMail } from "../platform/mail/outbox.ts";
import type { Time } from "../platform/time.ts";
import { type Effect, transact } from "../platform/transaction.ts";
import { recordAct } from "./acts.ts";
import { toPlainLine } from "./plain-line.ts";
import { checkMatter, type Ranked, toMatterHeldBack } from "./ranks.ts";
import { REPORT_TITLE, REPORT_WORDS, writeReportMail } from "./report-mail.ts";

export interface ReportEndOrder {
  readonly actorId: PlayerId;
  readonly id: string;
  readonly outcome: ReportOutcome;
  /** What was found, for other admins alone. */
  readonly note: string;
}

export type ReportEndRefusal =
  | "reason_missing"
  | "access_denied"
  | "unknown_report"
  | "own_matter"
  | "admin_matter"
  | "report_ended";
export type ChatRefusal = "unknown_report" | "admin_matter";

/** What players told the house of each other and of games, and what it answers. */
export interface ReportEnds {
  /** All but those about the viewer: who told of somebody of the house is not told to them. */
  load(viewer: Ranked, page: Omit<ReportsPage, "limit" | "viewerId">): Promise<ReportsView>;
  /**
   * What the two players of a game wrote, where somebody reported something of it: what nobody complained of is theirs alone. Refusals:
   * `unknown_report`, `admin_matter`.
   */
  loadChat(viewer: Ranked, gameId: GameId): Promise<Result<GameChatView, ChatRefusal>>;
  /**
   * Ends a report and tells its reporter what came of it, on the page and by mail. It concerns whoever told it, whom it is about and who plays
   * in its game; whose it is to end, `toMatterHeldBack` says. Refusals in the order of `ReportEndRefusal`: of two admins at once the second finds it ended.
   */
  end(order: ReportEndOrder): Promise<Result<null, ReportEndRefusal>>;
}

export interface ReportEndsOptions {
  readonly database: Database;
  readonly time: Time;
  readonly publicUrl: string;
  readonly queueMail: QueueMail;
  readonly arena: Pick<Arena, "loadMatch">;
  readonly notify: (playerId: PlayerId, title: string, text: string) => void;
}

const PAGE = 20;
const MESSAGES = 500;

export function openReportEnds(options: ReportEndsOptions): ReportEnds {
  const { database, time, publicUrl, queueMail, arena, notify } = options;

  async function toView(
    viewer: Ranked,
    report: ListedReport,
    players: ReadonlyMap<PlayerId, PlayerView>,
    roles: ReadonlyMap<PlayerId, Role>,
  ): Promise<ReportView> {
    const toPlayer = (id: PlayerId): PlayerView => players.get(id) ?? { id, username: id };
    const { id, reporterId, playerId, gameId, reason, text, at, ended } = report;
    // Whoever reported a game may see it, and so may who judges it.
    const match = await arena.loadMatch(gameId, reporterId);
    assert(match !== null, `report ${id} is of a game`);
    return {
      id,
      reporter: toPlayer(reporterId),
      player: playerId === null ? null : toPlayer(playerId),
      match,
      reason,
      text,
      at,
      ended: ended === null ? null : { ...ended, by: toPlayer(ended.by).username },
      heldBack: toMatterHeldBack(viewer, toConcerned(report), roles),
    };
  }

  async function endIn(
    tx: Tx,
    order: ReportEndOrder,
    afterCommit: (effect: Effect) => void,
  ): Promise<Result<null, ReportEndRefusal>> {
    const { actorId, id, outcome, note } = order;
    const isOfHouse = await checkMatter(tx, actorId, []);
    if (!isOfHouse.ok) return isOfHouse;
    const report = await lockReport(tx, id);
    if (report === null) return refuse("unknown_report");
    const { reporterId, gameId } = report;
    const allowed = await checkMatter(tx, actorId, toConcerned(report));
    if (!allowed.ok) return allowed;
    if (report.state === "closed") return refuse("report_ended");
    const at = time.now();
    const detail = `${outcome}: ${note}`;
    const actId = await recordAct(tx, { playerId: actorId, act: "report_ended", subject: id, detail, at });
    await saveReportEnd(tx, { id, outcome, note, actId, at });
    const holder = await lockEmailHolder(tx, reporterId);
    if (holder !== null && !(await hasLeft(tx, reporterId)))
      await queueMail(tx, writeReportMail({ ...holder, gameId, outcome, publicUrl, at }));
    afterCommit(() => notify(reporterId, REPORT_TITLE, REPORT_WORDS[outcome]));
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
      const reports = await Promise.all(shown.map((report) => toView(viewer, report, players, roles)));
      return { reports, next: found.length > PAGE ? (shown.at(-1)?.id ?? null) : null };
    },

    async loadChat(viewer, gameId) {
      const gamePlayers = await findReportedPlayers(database.kysely, gameId);
      if (gamePlayers === null) return refuse("unknown_report");
      const roles = await loadRoles(
        database.kysely,
        gamePlayers.filter((id) => id !== null),
      );
      if (toMatterHeldBack(viewer, gamePlayers, roles) === "admin_matter") return refuse("admin_matter");
      const messages = await loadMessages(database.kysely, gameId, 0, MESSAGES);
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

    async end(given) {
      const order = { ...given, note: toPlainLine(given.note) };
      if (order.note === "") return refuse("reason_missing");
      return await transact(database, (tx, afterCommit) => endIn(tx, order, afterCommit));
    },
  };
}

function toConcerned({ reporterId, playerId, players }: ListedReport): readonly (PlayerId | null)[] {
  return [reporterId, playerId, ...players];
}
