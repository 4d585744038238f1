import type { PlayerId } from "@holo/kernel/ids.ts";
import type { AuditEventsView } from "@holo/protocol/admin/staff.ts";
import type { Accounts } from "../accounts/accounts.ts";
import type { FairPlay } from "../fairplay/fairplay.ts";
import type { Games } from "../game/game.ts";
import type { Payments } from "../payments/payments.ts";
import type { Database } from "../platform/database/database.ts";
import type { Log } from "../platform/log.ts";
import type { QueueMail } from "../platform/mail/outbox.ts";
import type { Metrics } from "../platform/metrics/metrics.ts";
import type { Links } from "../platform/servers/links.ts";
import type { Time } from "../platform/time/time.ts";
import type { TimerWheel } from "../platform/time/timer-wheel.ts";
import { type Admins, openAdmins } from "./admins/admins.ts";
import { loadAuditEvents } from "./audit-log/audit-log.ts";
import { type FairPlayCases, openFairPlayCases } from "./fair-play/fair-play-cases.ts";
import { type GameCancellation, openGameCancellation } from "./moderation/game-cancellation.ts";
import { openReportModeration, type ReportModeration } from "./moderation/reports.ts";
import { type DailyFigures, openDailyFigures } from "./overview/daily-figures.ts";
import { type LiveFigures, openLiveFigures } from "./overview/live-figures.ts";
import { type Overview, openOverview } from "./overview/overview.ts";
import { openPaymentCases, type PaymentCases } from "./payments/payment-cases.ts";
import { type ManualReconciliation, openManualReconciliation } from "./payments/reconciliation.ts";
import { openRevenue, type Revenue } from "./payments/revenue.ts";
import { type Bans, openBans } from "./players/bans.ts";
import { openPlayerFiles, type PlayerFiles } from "./players/player-files.ts";
import { openWithdrawalHolds, type WithdrawalHolds } from "./players/withdrawal-holds.ts";
import type { MaintenanceSwitch } from "./settings/maintenance.ts";
import type { Settings } from "./settings/settings.ts";

export { applyOwnerEmail } from "./admins/admins.ts";
export { recordAuditEvent } from "./audit-log/audit-log.ts";
export type { StaffMember } from "./authority.ts";
export { type MaintenanceSwitch, openMaintenance } from "./settings/maintenance.ts";
export { isWithinBounds, openSettings, type Settings } from "./settings/settings.ts";
export { loadRateAt } from "./settings/settings-store.ts";

interface AdminDeps {
  readonly database: Database;
  /** Null: there is no other server. */
  readonly links: Links | null;
  readonly time: Time;
  readonly wheel: TimerWheel;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly publicUrl: string;
  readonly queueMail: QueueMail;
  readonly onRoleChanged: (playerId: PlayerId) => void;
  readonly payments: Pick<
    Payments,
    | "loadProviderBalance"
    | "listPayments"
    | "corrections"
    | "loadCases"
    | "answerDispute"
    | "orphanedBalances"
    | "reconciliation"
    | "revenue"
    | "bankAccounts"
  >;
  readonly fairPlay: Pick<FairPlay, "staff" | "listHeld">;
  readonly settings: Settings;
  readonly maintenance: MaintenanceSwitch;
  readonly games: Pick<Games, "cancelWaiting" | "cancelByStaff" | "loadMatch" | "loadOpenGame" | "loadGamesOf">;
  readonly accounts: Pick<Accounts, "listSessions" | "registrationBlocks">;
  readonly notify: (playerId: PlayerId, title: string, text: string) => void;
  readonly pushLimits: (playerId: PlayerId) => Promise<void>;
}

/**
 * What staff see and do. The caller checks permissions first; actions check them again in their
 * transaction.
 */
export interface Admin {
  readonly overview: Overview;
  readonly live: Pick<LiveFigures, "load">;
  readonly dailyFigures: DailyFigures;
  readonly admins: Admins;
  readonly settings: Settings;
  readonly maintenance: MaintenanceSwitch;
  readonly bans: Bans;
  readonly gameCancellation: GameCancellation;
  readonly reports: ReportModeration;
  readonly players: PlayerFiles;
  readonly fairPlayCases: FairPlayCases;
  readonly withdrawalHolds: WithdrawalHolds;
  readonly paymentCases: PaymentCases;
  readonly reconciliation: ManualReconciliation;
  readonly revenue: Revenue;
  /** Newest first; `before` is the id of an event, for older ones. */
  loadAuditEvents(viewerId: PlayerId, before: string | null): Promise<AuditEventsView>;
  close(): void;
}

export function openAdmin(deps: AdminDeps): Admin {
  const { database, time, settings, maintenance } = deps;
  const dailyFigures = openDailyFigures({ queries: database.kysely, time });
  const live = openLiveFigures({ ...deps, queries: database.kysely, dailyFigures });
  const reports = openReportModeration(deps);
  return {
    overview: openOverview({ ...deps, settings: settings.current }),
    live,
    dailyFigures,
    admins: openAdmins(deps),
    settings,
    maintenance,
    bans: openBans(deps),
    gameCancellation: openGameCancellation(deps),
    reports,
    players: openPlayerFiles(deps, reports),
    fairPlayCases: openFairPlayCases(deps),
    withdrawalHolds: openWithdrawalHolds(deps),
    paymentCases: openPaymentCases(deps),
    reconciliation: openManualReconciliation(deps),
    revenue: openRevenue({ ...deps, rateKobo: () => settings.current().rateKobo }),
    loadAuditEvents: (viewerId, before) => loadAuditEvents(database.kysely, viewerId, before),
    close: live.stop,
  };
}
