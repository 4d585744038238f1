import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { addMs, type Instant } from "@holo/kernel/instant.ts";
import { randomUUID } from "../../platform/runtime.ts";
import type { Finding, FlowFinding } from "../finding.ts";
import type { FairPlayCase, FlowEdge } from "./case.ts";
import { type CaseKind, HELD_MS, toStateAt } from "./decide-case.ts";
import { sumCoins } from "./flow-edges.ts";

interface PlanContext {
  readonly now: Instant;
  /** Of the known cases: those that are not held against anyone again. */
  readonly inOrder: ReadonlySet<GameId>;
  readonly toEdgesOf: (depositIds: ReadonlySet<bigint>) => readonly FlowEdge[];
}

/**
 * The cases that a finding opens: one for coins of each kind that are to be held, one for the rest.
 * What a case of the player holds already, or has released, opens no other.
 */
export function planCases(
  finding: Finding,
  known: readonly FairPlayCase[],
  { now, inOrder, toEdgesOf }: PlanContext,
): readonly FairPlayCase[] {
  const open = known.filter((one) => toStateAt(one, now) === "open" && one.untilAt !== null);
  const heldDeposits = new Set(open.flatMap(({ depositIds }) => depositIds));
  const gamesOf = (cases: readonly FairPlayCase[]) => new Set(cases.flatMap(({ gameIds }) => gameIds));
  const forfeited = known.filter(({ state }) => state === "forfeited");
  const unfairGames = new Set([...gamesOf(forfeited)].filter((id) => !inOrder.has(id)));
  const heldGames = gamesOf(known.filter(({ untilAt, state }) => untilAt !== null && state !== "forfeited"));
  const listedGames = gamesOf(known);
  const isNew = (games: ReadonlySet<GameId>) => (flow: FlowFinding) =>
    flow.gameIds.length === 0 || flow.gameIds.some((id) => !games.has(id));

  function toCase(kind: CaseKind, flows: readonly FlowFinding[]): FairPlayCase {
    const holds = kind === "flow" || kind === "engine";
    const depositIds = new Set(flows.flatMap((flow) => flow.depositIds));
    const concerned = [
      finding.playerId,
      ...flows.flatMap(({ sourceIds, playerIds }) => [...sourceIds, ...playerIds]),
      ...finding.cluster.map(({ playerId }) => playerId),
    ];
    return {
      id: randomUUID(),
      playerId: finding.playerId,
      kind,
      state: "open",
      openedAt: now,
      untilAt: holds ? addMs(now, HELD_MS) : null,
      endedAt: null,
      coins: sumCoins(flows),
      depositIds: [...depositIds].filter((id) => !(holds && heldDeposits.has(id))),
      gameIds: [...new Set(flows.flatMap(({ gameIds }) => gameIds))],
      paymentId: null,
      concerned: [...new Set<PlayerId>(concerned)],
      finding: {
        flows: flows.map(({ kind: flowKind, decision, coins, bits, sourceIds, signals }) => {
          return { kind: flowKind, decision, coins, bits, sourceIds, signals };
        }),
        edges: toEdgesOf(depositIds),
        cluster: finding.cluster,
        version: finding.version,
      },
    };
  }

  // What a forfeit left, because it was staked, is held whatever its sum.
  const isHeld = ({ decision, gameIds }: FlowFinding) =>
    decision === "hold" || gameIds.some((id) => unfairGames.has(id));
  const held = finding.flows.filter(isHeld).filter(isNew(heldGames));
  const listed = finding.flows.filter((flow) => !isHeld(flow)).filter(isNew(listedGames));
  const planned = (["flow", "engine"] as const)
    .map((kind) =>
      toCase(
        kind,
        held.filter((flow) => flow.kind === kind),
      ),
    )
    .filter(({ depositIds }) => depositIds.length > 0);
  return [
    ...planned,
    ...(listed.length > 0 ? [toCase("listed", listed)] : []),
    ...(finding.flows.length === 0 ? [toCase("review", [])] : []),
  ];
}
