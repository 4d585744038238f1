import { addMs, DAY_MS, HOUR_MS, type Instant } from "@holo/kernel/instant.ts";
import type { FairPlayYearView } from "@holo/protocol/fair-play.ts";
import { transact } from "../platform/database/transaction.ts";
import { lockOverdueCases, removeOldCases } from "./cases/case-store.ts";
import { type OpenedCases, type OpenedCasesDeps, openOpenedCases, release } from "./cases/opened-cases.ts";
import { openPlayerActs, type PlayerActs, type PlayerActsDeps } from "./cases/player-acts.ts";
import { openStaffActs, type StaffActs, type StaffActsDeps } from "./cases/staff-acts.ts";
import { loadYears } from "./cases/years-store.ts";

export type { CaseAct, FairPlayCase, Gift } from "./cases/case.ts";
export { loadActs, loadCase, loadCases, loadCasesOf, loadClearedGames } from "./cases/case-store.ts";
export {
  decideAnswer,
  decideClear,
  decideConfirmation,
  decideProposal,
  decideWithdrawal,
  findProposal,
  toStateAt,
} from "./cases/decide-case.ts";
export { sumCoins, toGifts } from "./cases/flow-edges.ts";
export { type HeldPayment, type HeldPayments, loadHeldOrigins, NOTHING_HELD } from "./cases/held-coins.ts";
export type { Screening } from "./cases/opened-cases.ts";
export { type CasePermit, type StaffAct, type StaffActs, toGainer } from "./cases/staff-acts.ts";
export type { GameEvaluation, MoveFigures } from "./engine/move-figures.ts";
export { openScreener, type Screener } from "./engine/screener.ts";
export { type GameScreening, loadScreenings, wantMoves } from "./engine/screening.ts";
export type { ClusterMember, Finding, FlowFinding, Signal, SignalClass } from "./finding.ts";
export { isReviewed, judgePlayer } from "./judge.ts";
export { loadPairFlows, type PairFlow } from "./pair-flows.ts";

export interface FairPlay extends OpenedCases {
  readonly staff: StaffActs;
  readonly player: PlayerActs;
  listHeld: StaffActsDeps["payments"]["listHeld"];
  /** By year, newest first. */
  loadYears(): Promise<readonly FairPlayYearView[]>;
  /** Writes the end of holds whose time is over, and deletes cases after their time. */
  keepUp(): Promise<void>;
}

type FairPlayDeps = StaffActsDeps & PlayerActsDeps & OpenedCasesDeps;

/** Of cases without a forfeit: the law asks for five years. */
const KEPT_MS = 5 * 366 * DAY_MS;
const RELEASED_AT_ONCE = 100;
/** The public counts read many rows. */
const YEARS_LIFE_MS = HOUR_MS;

export function openFairPlay(deps: FairPlayDeps): FairPlay {
  const { database, time, payments } = deps;
  const opened = openOpenedCases(deps);
  let years: { readonly at: Instant; readonly found: Promise<readonly FairPlayYearView[]> } | null = null;

  return {
    ...opened,
    staff: openStaffActs(deps),
    player: openPlayerActs(deps),
    listHeld: payments.listHeld,
    loadYears() {
      const now = time.now();
      if (years === null || now >= addMs(years.at, YEARS_LIFE_MS))
        years = { at: now, found: loadYears(database.kysely) };
      years.found.catch(() => {
        years = null;
      });
      return years.found;
    },
    async keepUp() {
      const now = time.now();
      await transact(database, async (tx) => {
        for (const one of await lockOverdueCases(tx, now, RELEASED_AT_ONCE)) await release(tx, one, "released", now);
      });
      await removeOldCases(database.kysely, addMs(now, -KEPT_MS));
    },
  };
}
