import type { PlayerId } from "@holo/kernel/ids.ts";
import { DAY_MS, type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import { loadTracesAround, TRACE_KEPT_MS, type Trace, type TraceKind } from "../accounts/accounts.ts";
import type { Queries } from "../platform/database/database.ts";

/** How strongly traces join two accounts, from 0 to 1. It groups counts, and holds nothing. */
export interface AccountLink {
  readonly playerIds: readonly [PlayerId, PlayerId];
  readonly strength: number;
  readonly kinds: ReadonlySet<TraceKind>;
}

const WEIGHTS = {
  bankAccount: 1,
  card: 0.8,
  alternatingDevice: 0.8,
  passedDevice: 0.4,
  placeDevice: 0.1,
  network: 0.3,
};
/** A device of more accounts is a shared place, as a cybercafe's. */
const DEVICE_ACCOUNTS_MAX = 4;
/** More accounts on a network in one hour: a carrier's address, which says nothing. */
const NETWORK_ACCOUNTS_MAX = 5;
const NETWORK_DAYS_MIN = 3;
const NETWORK_NEAR_MS = 10 * MINUTE_MS;
const JOINED_FROM = 0.8;
const STEPS_MAX = 2;
const MEMBERS_MAX = 25;

interface Evidence {
  readonly playerIds: readonly [PlayerId, PlayerId];
  readonly kinds: Set<TraceKind>;
  readonly networkDays: Set<number>;
  /** The part that is not joined yet. */
  apart: number;
}

/** The links between the players of these traces. Those of networks need several days. */
export function toLinks(traces: readonly Trace[], now: Instant): readonly AccountLink[] {
  const kept = traces.filter(({ kind, lastAt }) => now - lastAt <= TRACE_KEPT_MS[kind]);
  const pairs = new Map<string, Evidence>();
  for (const shared of Map.groupBy(kept, ({ keyedHash }) => keyedHash).values()) {
    for (const [one, other] of toPairs(shared)) {
      const key = `${one.playerId} ${other.playerId}`;
      const known = pairs.get(key);
      const playerIds = [one.playerId, other.playerId] as const;
      const evidence = known ?? { playerIds, kinds: new Set(), networkDays: new Set(), apart: 1 };
      pairs.set(key, evidence);
      add(evidence, one, other, shared.length);
    }
  }
  return [...pairs.values()].map(toLink).filter(({ strength }) => strength > 0);
}

function toPairs(traces: readonly Trace[]): readonly (readonly [Trace, Trace])[] {
  const sorted = traces.toSorted((one, other) => (one.playerId < other.playerId ? -1 : 1));
  return sorted.flatMap((one, index) => sorted.slice(index + 1).map((other) => [one, other] as const));
}

function add(evidence: Evidence, one: Trace, other: Trace, accounts: number): void {
  if (one.kind === "network") {
    const isNear = Math.max(one.firstAt, other.firstAt) - Math.min(one.lastAt, other.lastAt) <= NETWORK_NEAR_MS;
    if (isNear && accounts <= NETWORK_ACCOUNTS_MAX) evidence.networkDays.add(Math.floor(one.firstAt / DAY_MS));
    return;
  }
  evidence.kinds.add(one.kind);
  evidence.apart *= 1 - toWeight(one, other, accounts);
}

function toWeight(one: Trace, other: Trace, accounts: number): number {
  if (one.kind === "bank_account") return WEIGHTS.bankAccount;
  if (one.kind === "card") return WEIGHTS.card;
  if (accounts > DEVICE_ACCOUNTS_MAX) return WEIGHTS.placeDevice;
  // A-B-A: one of the two came back after the other. A phone that was passed on has no overlap.
  const alternates = one.firstAt < other.lastAt && other.firstAt < one.lastAt;
  return alternates ? WEIGHTS.alternatingDevice : WEIGHTS.passedDevice;
}

function toLink({ playerIds, kinds, networkDays, apart }: Evidence): AccountLink {
  const isNetwork = networkDays.size >= NETWORK_DAYS_MIN;
  const strength = 1 - apart * (isNetwork ? 1 - WEIGHTS.network : 1);
  // Without the error of binary fractions, which would miss a threshold.
  const rounded = Math.round(strength * 10_000) / 10_000;
  return { playerIds, strength: rounded, kinds: isNetwork ? new Set([...kinds, "network"]) : kinds };
}

/** How strongly two accounts are joined directly; 0 for not at all. */
export function findStrength(links: readonly AccountLink[], one: PlayerId, other: PlayerId): number {
  return links.find(({ playerIds }) => playerIds.includes(one) && playerIds.includes(other))?.strength ?? 0;
}

/** The accounts joined with this one, itself first, then step by step, strongest first. */
export function toCluster(links: readonly AccountLink[], playerId: PlayerId): readonly PlayerId[] {
  const joined = links.filter(({ strength }) => strength >= JOINED_FROM);
  const strongest = joined.toSorted((one, other) => other.strength - one.strength);
  const members = new Set([playerId]);
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const before = new Set(members);
    for (const { playerIds } of strongest) {
      if (members.size >= MEMBERS_MAX || !playerIds.some((id) => before.has(id))) continue;
      members.add(before.has(playerIds[0]) ? playerIds[1] : playerIds[0]);
    }
  }
  return [...members];
}

interface Clusters {
  readonly links: readonly AccountLink[];
  readonly members: ReadonlyMap<PlayerId, readonly PlayerId[]>;
}

/** The clusters of these players. Reads the traces around them, then those around who is joined. */
export async function loadClusters(queries: Queries, playerIds: readonly PlayerId[], now: Instant): Promise<Clusters> {
  const nearest = toLinks(await loadTracesAround(queries, playerIds), now);
  const joined = [...new Set(playerIds.flatMap((id) => toCluster(nearest, id)))];
  const links = joined.length === playerIds.length ? nearest : toLinks(await loadTracesAround(queries, joined), now);
  return { links, members: new Map(playerIds.map((id) => [id, toCluster(links, id)])) };
}
