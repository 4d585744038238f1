import { assert } from "@holo/kernel/assert.ts";
import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { GameChatView, ReportOutcome, ReportsView, ReportView } from "@holo/protocol/house-views.ts";
import type { PlayerView } from "@holo/protocol/views.ts";
import { findPlayers, loadRole, lockEmailHolder } from "../accounts/accounts.ts";
import {
  type Arena,
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
import { REPORT_TITLE, REPORT_WORDS, writeReportMail } from "./report-mail.ts";

export interface ReportEndOrder {
  readonly actorId: PlayerId;
  readonly id: string;
  readonly outcome: ReportOutcome;
  /** What was found, for other admins alone. */
  readonly note: string;
}

export type ReportEndRefusal = "reason_missing" | "access_denied" | "unknown_report" | "own_matter" | "report_ended";

/** What players told the house of each other and of games, and what it answers. */
export interface ReportEnds {
  load(page: Omit<ReportsPage, "limit">): Promise<ReportsView>;
  /** What the two players of a game wrote; nothing where there is no such game. */
  loadChat(gameId: GameId): Promise<GameChatView>;
  /**
   * Ends a report and tells its reporter what came of it, on the page and by mail. Whoever told it, whom it is about and who plays in its game
   * leave it to others. Refusals in the order of `ReportEndRefusal`: of two admins at once the second finds it ended.
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

  async function toView(report: ListedReport, players: ReadonlyMap<PlayerId, PlayerView>): Promise<ReportView> {
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
    };
  }

  async function endIn(
    tx: Tx,
    order: ReportEndOrder,
    afterCommit: (effect: Effect) => void,
  ): Promise<Result<null, ReportEndRefusal>> {
    const { actorId, id, outcome, note } = order;
    if ((await loadRole(tx, actorId)) === null) return refuse("access_denied");
    const report = await lockReport(tx, id);
    if (report === null) return refuse("unknown_report");
    const { reporterId, playerId, gameId } = report;
    if ([reporterId, playerId, ...report.players].includes(actorId)) return refuse("own_matter");
    if (report.state === "closed") return refuse("report_ended");
    const at = time.now();
    const detail = `${outcome}: ${note}`;
    const actId = await recordAct(tx, { playerId: actorId, act: "report_ended", subject: id, detail, at });
    await saveReportEnd(tx, { id, outcome, note, actId, at });
    const holder = await lockEmailHolder(tx, reporterId);
    if (holder !== null) await queueMail(tx, writeReportMail({ ...holder, gameId, outcome, publicUrl, at }));
    afterCommit(() => notify(reporterId, REPORT_TITLE, REPORT_WORDS[outcome]));
    return ok(null);
  }

  return {
    async load(page) {
      const found = await loadReports(database.kysely, { ...page, limit: PAGE + 1 });
      const shown = found.slice(0, PAGE);
      const ids = shown.flatMap(({ reporterId, playerId, ended }) => [reporterId, playerId, ended?.by ?? null]);
      const players = await findPlayers(database.kysely, [...new Set(ids.filter((id) => id !== null))]);
      const reports = await Promise.all(shown.map((report) => toView(report, players)));
      return { reports, next: found.length > PAGE ? (shown.at(-1)?.id ?? null) : null };
    },

    async loadChat(gameId) {
      const messages = await loadMessages(database.kysely, gameId, 0, MESSAGES);
      const players = await findPlayers(database.kysely, [...new Set(messages.map(({ senderId }) => senderId))]);
      return {
        messages: messages.map(({ number, senderId, text, at }) => ({
          number,
          username: players.get(senderId)?.username ?? senderId,
          text,
          at,
        })),
      };
    },

    async end(given) {
      const order = { ...given, note: toPlainLine(given.note) };
      if (order.note === "") return refuse("reason_missing");
      return await transact(database, (tx, afterCommit) => endIn(tx, order, afterCommit));
    },
  };
}
