import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, DAY_MS, HOUR_MS, type Instant } from "@holo/kernel/instant.ts";
import type { FairPlayYearView } from "@holo/protocol/fair-play.ts";
import { transact } from "../platform/database/transaction.ts";
import { lockOverdueCases, removeOldCases } from "./cases/case-store.ts";
import {
  type OpenedCases,
  type OpenedCasesDeps,
  openOpenedCases,
  release,
  type Screening,
} from "./cases/opened-cases.ts";
import { openPlayerActs, type PlayerActs, type PlayerActsDeps } from "./cases/player-acts.ts";
import { openStaffActs, type StaffActs, type StaffActsDeps } from "./cases/staff-acts.ts";
import { loadYears } from "./cases/years-store.ts";
import { isReviewed, judgePlayer, judgeWinners } from "./judge.ts";
import { JUDGEMENT_VERSION } from "./signals/weigh.ts";

export type { CaseAct, FairPlayCase, Gift } from "./cases/case.ts";
export { loadActs, loadCase, loadCases } from "./cases/case-store.ts";
export {
  decideAnswer,
  decideClear,
  decideConfirmation,
  decideProposal,
  decideWithdrawal,
  findProposal,
  toStateAt,
} from "./cases/decide-case.ts";
export { sumCoins } from "./cases/flow-edges.ts";
export { type HeldPayments, loadConcerned, loadForfeit } from "./cases/held-coins.ts";
export { exportCases } from "./cases/player-acts.ts";
export type { CasePermit, StaffAct, StaffActs } from "./cases/staff-acts.ts";
export { openScreener } from "./engine/screener.ts";
export { type GameScreening, loadScreenings } from "./engine/screening.ts";
export type { FlowFinding } from "./finding.ts";
export { judgePlayer } from "./judge.ts";

export interface FairPlay extends OpenedCases {
  /**
   * Judges the coins in a wallet before a withdrawal; reads only. The withdrawal runs the result in
   * its transaction. Null: nothing was found.
   */
  screen(playerId: PlayerId, now: Instant): Promise<Screening | null>;
  readonly staff: StaffActs;
  readonly player: PlayerActs;
  listHeld: StaffActsDeps["payments"]["listHeld"];
  /** By year, newest first. */
  loadYears(): Promise<readonly FairPlayYearView[]>;
  /** Writes the end of holds whose time is over, and deletes cases after their time. */
  keepUp(): Promise<void>;
  /** Judges who won coins since the last call, long before the coins can leave. */
  judgeAhead(): Promise<void>;
}

type FairPlayDeps = StaffActsDeps &
  PlayerActsDeps &
  OpenedCasesDeps & {
    /** The servers' secret: no one else can tell where a threshold is. */
    readonly secret: string;
  };

/** Of cases without a forfeit: the law asks for five years. */
const KEPT_MS = 5 * 366 * DAY_MS;
const RELEASED_AT_ONCE = 100;
/** What was won while no server ran is judged by its withdrawal. */
const FIRST_LOOK_MS = HOUR_MS;
/** While a winner cannot be judged, each hour judges the same span again: at most so much. */
const JUDGED_MS_MAX = DAY_MS;
/** The public counts read many rows. */
const YEARS_LIFE_MS = HOUR_MS;

export function openFairPlay(deps: FairPlayDeps): FairPlay {
  const { database, time, payments, secret, rateKobo } = deps;
  const opened = openOpenedCases(deps);
  let judgedUntil = addMs(time.now(), -FIRST_LOOK_MS);
  let years: { readonly at: Instant; readonly found: Promise<readonly FairPlayYearView[]> } | null = null;

  return {
    ...opened,
    async screen(playerId, now) {
      const found = await judgePlayer(database.kysely, playerId, now, { secret, rateKobo: rateKobo() });
      if (found !== null) return opened.toScreening(found);
      const isChosen = isReviewed(secret, `${playerId} ${now}`);
      return isChosen ? opened.toScreening({ playerId, flows: [], cluster: [], version: JUDGEMENT_VERSION }) : null;
    },
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
    async judgeAhead() {
      const now = time.now();
      const span = { from: Math.max(judgedUntil, now - JUDGED_MS_MAX) as Instant, to: now };
      await judgeWinners(database.kysely, span, { secret, rateKobo: rateKobo() });
      judgedUntil = now;
    },
  };
}
