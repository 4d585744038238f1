import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { addMs, type Instant } from "@holo/kernel/instant.ts";
import { type Coins, toCoins } from "@holo/kernel/money.ts";
import { randomUUID } from "../../platform/runtime.ts";
import type { Finding, FlowFinding } from "../finding.ts";
import type { FairPlayCase, FlowEdge } from "./case.ts";
import { type CaseKind, HELD_MS } from "./decide-case.ts";
import { sumCoins } from "./flow-edges.ts";

interface PlanContext {
  readonly now: Instant;
  /** Of the known cases: those that are not held against anyone again. */
  readonly inOrder: ReadonlySet<GameId>;
  readonly toEdgesOf: (coins: Pick<FairPlayCase, "depositIds" | "gameIds">) => readonly FlowEdge[];
}

/** What a case says of a flow: all of it, or some of its games. */
type FlowPart = FlowFinding & { readonly coins: Coins };

/**
 * The cases that a finding opens: one for coins of each kind that are to be held, one for the rest.
 * Coins from a game that a case of the player holds already, or has released, are in no other.
 */
export function planCases(
  finding: Finding,
  known: readonly FairPlayCase[],
  { now, inOrder, toEdgesOf }: PlanContext,
): readonly FairPlayCase[] {
  const gamesOf = (cases: readonly FairPlayCase[]) => new Set(cases.flatMap(({ gameIds }) => gameIds));
  const forfeited = known.filter(({ state }) => state === "forfeited");
  const unfairGames = new Set([...gamesOf(forfeited)].filter((id) => !inOrder.has(id)));
  const heldGames = gamesOf(known.filter(({ untilAt, state }) => untilAt !== null && state !== "forfeited"));
  const listedGames = gamesOf(known);

  function toCase(kind: CaseKind, flows: readonly FlowPart[]): FairPlayCase {
    const holds = kind === "flow" || kind === "engine";
    const depositIds = [...new Set(flows.flatMap(({ won }) => won.map(({ depositId }) => depositId)))];
    const gameIds = [...new Set(flows.flatMap((flow) => flow.gameIds))];
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
      depositIds,
      gameIds,
      paymentId: null,
      concerned: [...new Set<PlayerId>(concerned)],
      finding: {
        flows: flows.map(({ kind: flowKind, decision, coins, bits, sourceIds, signals }) => {
          return { kind: flowKind, decision, coins, bits, sourceIds, signals };
        }),
        edges: toEdgesOf({ depositIds, gameIds }),
        cluster: finding.cluster,
        version: finding.version,
      },
    };
  }

  // What a forfeit left, because it was staked, is held whatever its sum.
  const held = finding.flows
    .map((flow) => {
      const isHeld = (id: GameId) => (flow.decision === "hold" || unfairGames.has(id)) && !heldGames.has(id);
      return toPart(flow, (id) => id !== null && isHeld(id) && !inOrder.has(id));
    })
    .filter(({ won }) => won.length > 0);
  const listed = finding.flows
    .filter(({ decision, gameIds }) => decision === "list" && !gameIds.some((id) => unfairGames.has(id)))
    .filter(({ gameIds }) => gameIds.length === 0 || gameIds.some((id) => !listedGames.has(id)))
    .map((flow) => toPart(flow, () => true));
  const groups: readonly (readonly [CaseKind, readonly FlowPart[]])[] = [
    ["flow", held.filter(({ kind }) => kind === "flow")],
    ["engine", held.filter(({ kind }) => kind === "engine")],
    ["listed", listed],
  ];
  const planned = groups.filter(([, flows]) => flows.length > 0).map(([kind, flows]) => toCase(kind, flows));
  return finding.flows.length === 0 ? [toCase("review", [])] : planned;
}

function toPart(flow: FlowFinding, isPart: (gameId: GameId | null) => boolean): FlowPart {
  const won = flow.won.filter(({ gameId }) => isPart(gameId));
  const coins = toCoins(BigInt(won.reduce((sum, one) => sum + one.coins, 0)));
  return { ...flow, won, gameIds: flow.gameIds.filter(isPart), coins };
}
