import { createHmac, hkdfSync } from "node:crypto";
import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { listWinners } from "../ledger/ledger.ts";
import type { Queries } from "../platform/database/database.ts";
import { type AccountLink, findStrength } from "./clusters.ts";
import { wantMoves } from "./engine/screening.ts";
import type { ClusterMember, Finding, FlowFinding } from "./finding.ts";
import { judgeEngine } from "./signals/engine-flow.ts";
import { addSeeks, type Flow, loadFlows } from "./signals/load-flows.ts";
import type { HeldPiece } from "./signals/load-holding.ts";
import { isSmall, JUDGEMENT_VERSION, type Weighed, weighFlow } from "./signals/weigh.ts";

interface JudgeOptions {
  /** The servers' secret: no one else can tell where a threshold is. */
  readonly secret: string;
  readonly rateKobo: number;
}

const GAMES_MAX = 100;
/** From so many bits on, the engine is asked about the moves, for the next time. */
const UNCLEAR_FROM = 5;
const JUDGED_MAX = 10;
/** Below it, not even the most unlikely meetings make a case. */
const MEETING_FROM = 2.5;
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
  const weighed = await Promise.all(
    loaded.flows.map(async (flow) => {
      const first = { flow, ...weigh(flow, playerId, secret) };
      if (first.decision === "hold" || first.bits < MEETING_FROM) return first;
      const whole = await addSeeks(queries, flow, loaded.members);
      return { flow: whole, ...weigh(whole, playerId, secret) };
    }),
  );
  const found = weighed.flatMap((one) => toFinding(one.flow, playerId, one, loaded.holding) ?? []);
  const flows = countOnce(found.toSorted(compare));
  const held = flows.filter(({ decision }) => decision === "hold");
  const named = new Set(held.flatMap(({ won }) => won));
  // Also coins that are only listed: whom a program beats may be captive.
  const others = loaded.holding.filter((piece) => !named.has(piece));
  const engine = await judgeEngine(queries, playerId, loaded.games, others);
  const byEngine = new Set(engine.flows.flatMap(listOrigins));
  const listed = flows.filter((flow) => flow.decision === "list" && !listOrigins(flow).some((id) => byEngine.has(id)));
  const unclear = weighed
    .filter(({ bits, flow }) => bits >= UNCLEAR_FROM && !isSmall(flow.facts.money))
    .flatMap(({ flow }) => listUnjudged(flow));
  const wanted = [...new Set([...unclear, ...engine.wanted])].slice(0, GAMES_MAX);
  if (wanted.length > 0) await wantMoves(queries, wanted);
  const all = [...held, ...engine.flows, ...listed];
  if (all.length === 0) return null;
  return {
    playerId,
    flows: all,
    cluster: toMembers(playerId, loaded.members, loaded.links),
    version: JUDGEMENT_VERSION,
  };
}

/**
 * Judges who won coins in a span of time. Settled coins wait for a day: until then the engine has
 * judged the moves of unclear games. Throws at the end if a winner could not be judged.
 */
export async function judgeWinners(
  queries: Queries,
  { from, to }: { readonly from: Instant; readonly to: Instant },
  options: JudgeOptions,
): Promise<void> {
  const failures: unknown[] = [];
  for (const playerId of await listWinners(queries, from, to))
    await judgePlayer(queries, playerId, to, options).catch((err) => failures.push(err));
  if (failures.length > 0) throw new AggregateError(failures, "winners could not be judged");
}

function weigh({ source, facts }: Flow, playerId: PlayerId, secret: string): Weighed {
  const shift = toFraction(secret, `threshold ${playerId} ${source.depositorIds.toSorted().join(" ")}`) - 0.5;
  return weighFlow(facts, shift);
}

/** Games whose moves would tell more, and some of the losers' others to compare them with. */
function listUnjudged({ facts: { last } }: Flow): readonly GameId[] {
  const lost = last.games.filter(({ score }) => score === 0);
  return [...lost.slice(0, JUDGED_MAX), ...last.elsewhere.slice(0, JUDGED_MAX)]
    .filter(({ own }) => own === null)
    .map(({ gameId }) => gameId);
}

const listOrigins = ({ won }: FlowFinding): readonly bigint[] => won.map(({ depositId }) => depositId);
const sumWon = ({ won }: FlowFinding): number => won.reduce((sum, { coins }) => sum + coins, 0);

/** Held ones first, then the largest. */
function compare(one: FlowFinding, other: FlowFinding): number {
  return Number(other.decision === "hold") - Number(one.decision === "hold") || sumWon(other) - sumWon(one);
}

function toFinding(
  { source, way, facts }: Flow,
  playerId: PlayerId,
  { signals, bits, decision }: Weighed,
  holding: readonly HeldPiece[],
): FlowFinding | null {
  if (decision === null) return null;
  const sourceIds = source.depositorIds;
  // What others of the player's cluster won is judged when they withdraw it.
  const lost = facts.last.games
    .filter(({ score, opponentId }) => score === 0 && opponentId === playerId)
    .toSorted((one, other) => other.at - one.at);
  const won = new Set(source.pieces.flatMap(({ gameId }) => gameId ?? []));
  // A game lost on purpose moves a mule's own coins together with the depositor's.
  const pieces = [
    ...new Set([...source.pieces, ...holding.filter(({ gameId }) => gameId !== null && won.has(gameId))]),
  ];
  return {
    kind: "flow",
    sourceIds,
    playerIds: [...new Set([...sourceIds, ...way.keys, playerId])],
    won: pieces,
    signals: signals.filter((signal) => signal.bits !== 0 || signal.name === "stalling"),
    bits,
    gameIds: [...new Set<GameId>([...won, ...lost.slice(0, GAMES_MAX).map(({ gameId }) => gameId)])],
    decision,
  };
}

/** Depositors who were judged together and alone count once; what else is to be held still is. */
function countOnce(sorted: readonly FlowFinding[]): readonly FlowFinding[] {
  const counted: FlowFinding[] = [];
  for (const flow of sorted) {
    const before = new Set(counted.flatMap(({ won }) => won));
    const origins = new Set(counted.flatMap(listOrigins));
    const won = flow.won.filter((one) => !before.has(one));
    const isOther = flow.decision === "hold" ? won.length > 0 : !listOrigins(flow).some((id) => origins.has(id));
    if (isOther) counted.push({ ...flow, won });
  }
  return counted;
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
