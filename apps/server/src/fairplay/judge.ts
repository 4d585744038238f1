import { createHmac, hkdfSync } from "node:crypto";
import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { toCoins } from "@holo/kernel/money.ts";
import type { Queries } from "../platform/database/database.ts";
import { type AccountLink, findStrength } from "./clusters.ts";
import type { ClusterMember, Finding, FlowFinding } from "./finding.ts";
import { type Flow, loadFlows } from "./signals/load-flows.ts";
import { JUDGEMENT_VERSION, weighFlow } from "./signals/weigh.ts";

interface JudgeOptions {
  /** The servers' secret: no one else can tell where a threshold is. */
  readonly secret: string;
  readonly rateKobo: number;
}

const GAMES_MAX = 100;
/** Of payouts that nothing was found about: looked at later, so that people see what is missed. */
const REVIEWED = 0.01;

/** Judges the won coins that a player has, settled or not. Null: nothing to hold or to list. */
export async function judgePlayer(
  queries: Queries,
  playerId: PlayerId,
  now: Instant,
  { secret, rateKobo }: JudgeOptions,
): Promise<Finding | null> {
  const loaded = await loadFlows(queries, { playerId, now, rateKobo });
  if (loaded === null) return null;
  const found = loaded.flows.flatMap((flow) => toFinding(flow, playerId, secret) ?? []);
  const flows = found
    .toSorted(
      (one, other) =>
        Number(other.decision === "hold") - Number(one.decision === "hold") || Number(other.coins - one.coins),
    )
    .filter(isFirstOfItsCoins);
  if (flows.length === 0) return null;
  return { playerId, flows, cluster: toMembers(playerId, loaded.members, loaded.links), version: JUDGEMENT_VERSION };
}

function toFinding({ source, way, facts }: Flow, playerId: PlayerId, secret: string): FlowFinding | null {
  const sourceIds = source.depositorIds;
  const shift = toFraction(secret, `threshold ${playerId} ${sourceIds.toSorted().join(" ")}`) - 0.5;
  const { signals, bits, decision } = weighFlow(facts, shift);
  if (decision === null) return null;
  const lost = facts.last.games.filter(({ score }) => score === 0).toSorted((one, other) => other.at - one.at);
  const won = source.pieces.flatMap(({ gameId }) => gameId ?? []);
  return {
    kind: "flow",
    sourceIds,
    playerIds: [...new Set([...sourceIds, ...way.keys, playerId])],
    depositIds: [...new Set(source.pieces.map(({ depositId }) => depositId))],
    coins: toCoins(BigInt(source.pieces.reduce((sum, { coins }) => sum + coins, 0))),
    signals: signals.filter((signal) => signal.bits > 0 || signal.name === "stalling"),
    bits,
    gameIds: [...new Set<GameId>([...won, ...lost.map(({ gameId }) => gameId)])].slice(0, GAMES_MAX),
    decision,
  };
}

/** Depositors who were judged together and alone count once. */
function isFirstOfItsCoins({ depositIds }: FlowFinding, index: number, flows: readonly FlowFinding[]): boolean {
  const before = new Set(flows.slice(0, index).flatMap((flow) => flow.depositIds));
  return !depositIds.some((id) => before.has(id));
}

function toMembers(
  playerId: PlayerId,
  members: readonly PlayerId[],
  links: readonly AccountLink[],
): readonly ClusterMember[] {
  return members
    .filter((id) => id !== playerId)
    .map((id) => ({
      playerId: id,
      strength: findStrength(links, playerId, id),
      kinds: links
        .filter(
          ({ playerIds }) =>
            playerIds.includes(id) && playerIds.some((other) => other !== id && members.includes(other)),
        )
        .flatMap(({ kinds }) => [...kinds]),
    }));
}

/** Whether a payout that nothing was found about is to be looked at later. */
export function isReviewed(secret: string, paymentId: string): boolean {
  return toFraction(secret, `review ${paymentId}`) < REVIEWED;
}

/** From 0 to 1, always the same for the same text. */
function toFraction(secret: string, text: string): number {
  const key = new Uint8Array(hkdfSync("sha256", secret, "", "holo fair play", 32));
  return createHmac("sha256", key).update(text).digest().readUInt32BE(0) / 2 ** 32;
}
