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

type Won = FlowFinding["won"][number];

/** What a case says of a flow: all of it, or some of its games. */
type FlowPart = FlowFinding & { readonly coins: Coins };

/**
 * The cases that a finding opens: one for coins of each kind that are to be held, one for the rest.
 * Coins that a case of the player holds already, or has released, are in no other.
 */
export function planCases(
  finding: Finding,
  known: readonly FairPlayCase[],
  { now, inOrder, toEdgesOf }: PlanContext,
): readonly FairPlayCase[] {
  const gamesOf = (cases: readonly FairPlayCase[]) => new Set(cases.flatMap(({ gameIds }) => gameIds));
  const forfeited = known.filter(({ state }) => state === "forfeited");
  const unfairGames = new Set([...gamesOf(forfeited)].filter((id) => !inOrder.has(id)));
  const holding = known.filter(({ untilAt, state }) => untilAt !== null && state !== "forfeited");
  const heldGames = gamesOf(holding);
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

  // A case marks coins of its origins from its games: those of other origins are not held yet.
  const isHeldBy = ({ depositIds, gameIds }: FairPlayCase, { depositId, gameId }: Won) =>
    gameId !== null && gameIds.includes(gameId) && depositIds.includes(depositId);
  // What a forfeit left, because it was staked, is held whatever its sum.
  const isToHold = ({ decision }: FlowFinding, id: GameId | null) =>
    id !== null && !inOrder.has(id) && (decision === "hold" || unfairGames.has(id));
  const held = finding.flows
    .map((flow) => {
      const isNew = (one: Won) => isToHold(flow, one.gameId) && !holding.some((held) => isHeldBy(held, one));
      return toPart(flow, flow.won.filter(isNew), (id) => isToHold(flow, id) && !heldGames.has(id));
    })
    .filter(({ won }) => won.length > 0);
  const listed = finding.flows
    .filter(({ decision }) => decision === "list")
    .map((flow) => {
      const won = flow.won.filter(({ gameId }) => !isToHold(flow, gameId));
      return toPart(flow, won, (id) => !isToHold(flow, id));
    })
    .filter(({ won }) => won.length > 0)
    .filter(({ gameIds }) => gameIds.length === 0 || gameIds.some((id) => !listedGames.has(id)));
  const groups: readonly (readonly [CaseKind, readonly FlowPart[]])[] = [
    ["flow", held.filter(({ kind }) => kind === "flow")],
    ["engine", held.filter(({ kind }) => kind === "engine")],
    ["listed", listed],
  ];
  const planned = groups.filter(([, flows]) => flows.length > 0).map(([kind, flows]) => toCase(kind, flows));
  return finding.flows.length === 0 ? [toCase("review", [])] : planned;
}

/** With the games of these coins, and those that speak for it. */
function toPart(flow: FlowFinding, won: readonly Won[], isMeant: (gameId: GameId) => boolean): FlowPart {
  const wonIn = new Set(won.map(({ gameId }) => gameId));
  const coins = toCoins(BigInt(won.reduce((sum, one) => sum + one.coins, 0)));
  return { ...flow, won, gameIds: flow.gameIds.filter((id) => wonIn.has(id) || isMeant(id)), coins };
}
