import type { PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import { addMs, type Instant } from "@holo/kernel/instant.ts";
import { loadPaths, loadWalletOrigins, loadWhereabouts, markCoins } from "../../ledger/ledger.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { Effect } from "../../platform/database/transaction.ts";
import type { Log } from "../../platform/log.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import { randomUUID } from "../../platform/runtime.ts";
import { wantMoves } from "../engine/screening.ts";
import type { Finding } from "../finding.ts";
import type { CaseFinding, FairPlayCase } from "./case.ts";
import { endCase, loadCasesOf, loadClearedGames, lockDisputeCase, saveAct, saveCase } from "./case-store.ts";
import { HELD_MS, toStateAt } from "./decide-case.ts";
import { sumCoins, toEdges } from "./flow-edges.ts";
import { planCases } from "./plan-cases.ts";

/** Of one case: the engine has others to look at. */
const WANTED_MAX = 250;

/** What a withdrawal does in its transaction, under its wallet's lock, before it takes coins. */
export type Screening = (tx: Tx, afterCommit: (effect: Effect) => void, at: Instant) => Promise<void>;

interface DepositName {
  readonly paymentId: PaymentId;
  readonly playerId: PlayerId;
}

export interface OpenedCases {
  /** Marks the coins that the finding wants held, and opens its cases. */
  toScreening(finding: Finding): Screening;
  /** Others have coins of a disputed deposit (ruling 52). The caller marks them afterwards. */
  openDispute(tx: Tx, afterCommit: (effect: Effect) => void, deposit: DepositName, at: Instant): Promise<void>;
  closeDispute(tx: Tx, paymentId: PaymentId, at: Instant): Promise<void>;
}

export interface OpenedCasesDeps {
  readonly log: Log;
  readonly metrics: Metrics;
}

export function openOpenedCases({ log, metrics }: OpenedCasesDeps): OpenedCases {
  const count = metrics.counter("holo_fair_play_holds_total", "Cases of fair play that hold coins until staff decide");

  async function save(tx: Tx, afterCommit: (effect: Effect) => void, one: FairPlayCase): Promise<void> {
    await saveCase(tx, one);
    if (one.gameIds.length > 0) await wantMoves(tx, one.gameIds.slice(0, WANTED_MAX));
    afterCommit(() => {
      // Coins that never left their depositor are not held by the case.
      if (one.untilAt === null || one.concerned.length < 2) return;
      count.inc();
      log.error({ alert: `fair_play_${one.kind}`, case: one.id }, "coins are held until staff decide, or for 72 hours");
    });
  }

  return {
    toScreening(finding) {
      const { playerId } = finding;
      return async (tx, afterCommit, at) => {
        const origins = await loadWalletOrigins(tx, playerId, at);
        const wanted = new Set(finding.flows.flatMap(({ won }) => won.map(({ depositId }) => depositId)));
        const suspected = origins.filter(({ origin }) => wanted.has(origin.pieceId));
        const paths = await loadPaths(
          tx,
          suspected.map(({ pieceId }) => pieceId),
        );
        const known = await loadCasesOf(tx, playerId);
        const inOrder = await loadClearedGames(tx, [...new Set(known.flatMap(({ gameIds }) => gameIds))]);
        const toEdgesOf = ({ depositIds, gameIds }: Pick<FairPlayCase, "depositIds" | "gameIds">) => {
          const chosen = suspected.flatMap((one, index) => {
            const gameId = one.wonFrom?.gameId ?? null;
            const isMeant = gameId !== null && gameIds.includes(gameId) && depositIds.includes(one.origin.pieceId);
            return isMeant ? [{ one, index }] : [];
          });
          return toEdges(
            chosen.map(({ one }) => one),
            chosen.flatMap(({ index }) => paths[index] ?? []),
          );
        };
        const planned = planCases(finding, known, { now: at, inOrder, toEdgesOf });
        for (const one of planned) {
          await save(tx, afterCommit, one);
          const { id: caseId, depositIds, gameIds, untilAt: until } = one;
          if (until !== null) await markCoins(tx, { caseId, playerId, depositIds, gameIds, until });
        }
      };
    },

    async openDispute(tx, afterCommit, deposit, at) {
      const { paymentId, playerId } = deposit;
      const known = await lockDisputeCase(tx, paymentId);
      if (known !== null && toStateAt(known, at) === "open") return;
      // Disputed again, after the time of an earlier hold.
      if (known !== null) await release(tx, known, "released", at);
      const { held, gone } = await loadWhereabouts(tx, deposit);
      const others = held.filter((one) => one.playerId !== playerId);
      const finding: CaseFinding = { flows: [], edges: [], cluster: [], version: 0 };
      await save(tx, afterCommit, {
        id: randomUUID(),
        playerId,
        kind: "dispute",
        state: "open",
        openedAt: at,
        untilAt: addMs(at, HELD_MS),
        endedAt: null,
        coins: sumCoins(others),
        depositIds: [],
        gameIds: [],
        paymentId,
        concerned: [...new Set([playerId, ...others.map((one) => one.playerId), ...gone.map((one) => one.playerId)])],
        finding,
      });
    },

    async closeDispute(tx, paymentId, at) {
      const one = await lockDisputeCase(tx, paymentId);
      if (one === null) return;
      const isOver = toStateAt(one, at) === "released";
      await release(tx, one, isOver ? "released" : "closed", at);
    },
  };
}

/** By itself. What ended with its time ended then, also if it is written later. */
export async function release(
  tx: Tx,
  { id, untilAt }: FairPlayCase,
  state: "released" | "closed",
  at: Instant,
): Promise<void> {
  const endedAt = state === "released" && untilAt !== null ? untilAt : at;
  await endCase(tx, id, { state, at: endedAt });
  await saveAct(tx, id, { type: state, byId: null, at: endedAt });
}
