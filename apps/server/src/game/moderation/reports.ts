import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { addMs, DAY_MS, type Instant } from "@holo/kernel/instant.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { ReportReason } from "@holo/protocol/report-terms.ts";
import type { Database } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import { randomUUID } from "../../platform/runtime.ts";
import { isHiddenFrom, loadGame } from "../log/game-store.ts";
import { countReportsSince, hasReported, lockReporter, saveReport } from "./reports-store.ts";

interface ReportOrder {
  readonly reporterId: PlayerId;
  readonly gameId: GameId;
  readonly playerId: PlayerId | null;
  readonly reason: ReportReason;
  /** As typed, at most 500 UTF-16 units. */
  readonly text: string;
}

type ReportRefusal = "unknown_game" | "own_relation" | "unknown_player" | "too_many_requests";

export interface Reports {
  /**
   * Saves a report; one with the same content by the same reporter is saved once. Refuses, among
   * others, more than ten reports within a day.
   */
  report(order: ReportOrder): Promise<Result<null, ReportRefusal>>;
}

const REPORTS_A_DAY = 10;

export function openReports(database: Database, now: () => Instant): Reports {
  return {
    report: (order) =>
      transact(database, async (tx) => {
        const report = { ...order, text: toPlainText(order.text) };
        const { reporterId, gameId, playerId } = report;
        const game = await loadGame(tx, gameId);
        if (game === null || isHiddenFrom(reporterId, game)) return refuse("unknown_game");
        if (playerId === reporterId) return refuse("own_relation");
        if (playerId !== null && playerId !== game.player1_id && playerId !== game.player2_id) {
          return refuse("unknown_player");
        }
        await lockReporter(tx, reporterId);
        if (await hasReported(tx, report)) return ok(null);
        const at = now();
        const today = await countReportsSince(tx, reporterId, addMs(at, -DAY_MS));
        if (today >= REPORTS_A_DAY) return refuse("too_many_requests");
        await saveReport(tx, { id: randomUUID(), ...report }, at);
        return ok(null);
      }),
  };
}

function toPlainText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, "\n")
    .replace(/(?!\n)[\p{Cc}\p{Bidi_Control}]/gu, "")
    .trim();
}
