import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { addMs, type Instant } from "@holo/kernel/instant.ts";
import { randomUUID } from "../../platform/runtime.ts";
import type { Finding, FlowFinding } from "../finding.ts";
import type { FairPlayCase, FlowEdge } from "./case.ts";
import { type CaseKind, HELD_MS, toStateAt } from "./decide-case.ts";
import { sumCoins } from "./flow-edges.ts";

/**
 * The cases that a finding opens: one for coins of each kind that are to be held, one for the rest.
 * What a case of the player holds already, or has released, opens no other.
 */
export function planCases(
  finding: Finding,
  known: readonly FairPlayCase[],
  {
    now,
    toEdgesOf,
  }: { readonly now: Instant; readonly toEdgesOf: (depositIds: ReadonlySet<bigint>) => readonly FlowEdge[] },
): readonly FairPlayCase[] {
  const open = known.filter((one) => toStateAt(one, now) === "open" && one.untilAt !== null);
  const heldDeposits = new Set(open.flatMap(({ depositIds }) => depositIds));
  const heldGames = new Set(known.filter(({ untilAt }) => untilAt !== null).flatMap(({ gameIds }) => gameIds));
  const listedGames = new Set(known.flatMap(({ gameIds }) => gameIds));
  const isNew = (games: ReadonlySet<GameId>) => (flow: FlowFinding) =>
    flow.gameIds.length === 0 || flow.gameIds.some((id) => !games.has(id));

  function toCase(kind: CaseKind, flows: readonly FlowFinding[]): FairPlayCase {
    const isHeld = kind === "flow" || kind === "engine";
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
      untilAt: isHeld ? addMs(now, HELD_MS) : null,
      endedAt: null,
      coins: sumCoins(flows),
      depositIds: [...depositIds].filter((id) => !(isHeld && heldDeposits.has(id))),
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

  const held = finding.flows.filter(({ decision }) => decision === "hold").filter(isNew(heldGames));
  const listed = finding.flows.filter(({ decision }) => decision === "list").filter(isNew(listedGames));
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
