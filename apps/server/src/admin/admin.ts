import type { PlayerId } from "@holo/kernel/ids.ts";
import type { AdminActsView } from "@holo/protocol/admin-views.ts";
import type { Accounts } from "../accounts/accounts.ts";
import type { Arena } from "../arena/arena.ts";
import type { Payments } from "../payments/payments.ts";
import type { Database } from "../platform/database.ts";
import type { QueueMail } from "../platform/mail/outbox.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { Time } from "../platform/time.ts";
import type { TimerWheel } from "../platform/timer-wheel.ts";
import { loadActs } from "./acts.ts";
import { type Admins, openAdmins } from "./admins.ts";
import { type Blocks, openBlocks } from "./blocks.ts";
import { type Comparing, openComparing } from "./comparing.ts";
import { type Days, openDays } from "./days.ts";
import { type GameEnds, openGameEnds } from "./game-ends.ts";
import { type LiveFigures, openLiveFigures } from "./live-figures.ts";
import type { MaintenanceSwitch } from "./maintenance.ts";
import { type Overview, openOverview } from "./overview.ts";
import { openPlayerFiles, type PlayerFiles } from "./players.ts";
import { openReportEnds, type ReportEnds } from "./report-ends.ts";
import { openRevenueActs, type RevenueActs } from "./revenue.ts";
import { openReviewEnds, type ReviewEnds } from "./reviews.ts";
import type { Settings } from "./settings.ts";

export { recordAct } from "./acts.ts";
export { keepOwner } from "./admins.ts";
export { type MaintenanceSwitch, openMaintenance } from "./maintenance.ts";
export type { Ranked } from "./ranks.ts";
export { isWithinBounds, openSettings, type Settings } from "./settings.ts";

export interface AdminOptions {
  readonly database: Database;
  readonly time: Time;
  readonly wheel: TimerWheel;
  /** Where this process counts what it does. */
  readonly metrics: Metrics;
  readonly publicUrl: string;
  readonly queueMail: QueueMail;
  /** Tells somebody that they have another role from now on. */
  readonly tellRole: (playerId: PlayerId) => void;
  readonly payments: Pick<
    Payments,
    "loadProviderBalance" | "listPayments" | "reviews" | "leftCoins" | "reconciliation" | "revenue" | "bankAccounts"
  >;
  readonly settings: Settings;
  readonly maintenance: MaintenanceSwitch;
  readonly arena: Pick<Arena, "cancelWaiting" | "cancelByHouse" | "loadMatch" | "loadOpenGame" | "loadGamesOf">;
  readonly accounts: Pick<Accounts, "listSessions" | "mailboxes">;
  /** Shows a player something to read, wherever they are. */
  readonly notify: (playerId: PlayerId, title: string, text: string) => void;
  /** Shows a player what they may do from now on. */
  readonly tellLimits: (playerId: PlayerId) => Promise<void>;
}

/** What people of the house see and do. Who may is for the caller to check first; acts check it again as they are done. */
export interface Admin {
  readonly overview: Overview;
  readonly live: Pick<LiveFigures, "load">;
  readonly days: Days;
  readonly admins: Admins;
  readonly settings: Settings;
  readonly maintenance: MaintenanceSwitch;
  readonly blocks: Blocks;
  readonly gameEnds: GameEnds;
  readonly reports: ReportEnds;
  readonly players: PlayerFiles;
  readonly reviews: ReviewEnds;
  readonly comparing: Comparing;
  readonly revenue: RevenueActs;
  /**
   * Everything that was done, the newest first.
   *
   * @param before the id of an act: those before it; null for the newest
   */
  loadActs(before: string | null): Promise<AdminActsView>;
  close(): void;
}

export function openAdmin(options: AdminOptions): Admin {
  const { database, time, settings, maintenance } = options;
  const days = openDays({ queries: database.kysely, time });
  const live = openLiveFigures({ ...options, queries: database.kysely, days });
  const reports = openReportEnds(options);
  return {
    overview: openOverview({ ...options, settings: settings.current }),
    live,
    days,
    admins: openAdmins(options),
    settings,
    maintenance,
    blocks: openBlocks(options),
    gameEnds: openGameEnds(options),
    reports,
    players: openPlayerFiles(options, reports),
    reviews: openReviewEnds(options),
    comparing: openComparing(options),
    revenue: openRevenueActs(options),
    loadActs: (before) => loadActs(database.kysely, before),
    close: live.stop,
  };
}
