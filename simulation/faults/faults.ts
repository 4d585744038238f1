import type { Random } from "@holo/kernel/random.ts";

/** A campaign's faults of server, database and clients while games continue. */
export const FAULTS = [
  "kill",
  "stop",
  /** Nothing can be written: the database crashes, no mail and no file is saved. */
  "full disk",
  /** Statements that need space fail, as on a disk that keeps room for the write-ahead log. */
  "full tables",
  "read-only database",
  /** Other sessions took every connection; the server's own were lost. */
  "no connections",
  /** The clients' packets are dropped repeatedly. No connection is closed. */
  "half-open clients",
  /** A network that works in one direction only: frames wait, and nothing can connect. */
  "nothing from clients",
  "nothing to clients",
  "killed provider",
  "frozen provider",
  "nothing to provider",
  /** Calls are carried out and not answered. */
  "nothing from provider",
  "slow disk",
  "killed database",
  /** A server ends exactly before, during or after a commit, or before it broadcasts it. */
  "killed at a commit",
  /** The connections that carry commits are lost at such instants. */
  "cut at commits",
  /** All processes end at once, and the disk loses what was not synced. */
  "power cut",
  /** Every fsync fails with EIO. */
  "failing sync",
  /** The wall clock of servers and database jumps, and back again later. */
  "clock step",
  /** The server does not run for a while; no connection is closed. Others may end it meanwhile. */
  "frozen for 1 s",
  "frozen for 5 s",
  "frozen for 30 s",
  /** All processes of the database stop for a while: nothing can be written. */
  "frozen database",
  /** The database stops for longer than the server waits for an answer, while players resign. */
  "silent database",
  /** No server runs for longer than tables continue by themselves, and some players return late. */
  "long outage",
  /** The database stops just before a clock expires. From here on the tables' clock is ahead. */
  "outage at a flag",
  /** Last, because a restart would set it back: the tables' clock goes ahead beyond every limit. */
  "time passes",
] as const;

/** With several servers these come too, and those of one server hit any of them. */
export const SERVERS_FAULTS = [
  /** All servers are killed at once. */
  "kill all",
  /** A release: each server stops and starts, one after the other. */
  "release",
  "killed NATS",
  /** NATS does not run for a while, and no connection is closed. */
  "frozen NATS for 1 s",
  "frozen NATS for 30 s",
  /** What one server and NATS send each other is swallowed. */
  "cut from NATS",
  "nothing to NATS",
  "nothing from NATS",
  "cut from database",
  "cut from both",
  "nothing to database",
  /** Commits are carried out and not answered. */
  "nothing from database",
] as const;
export type Fault = (typeof FAULTS)[number] | (typeof SERVERS_FAULTS)[number];

/** They need a machine that can be built here. */
const MACHINE_FAULTS: ReadonlySet<Fault> = new Set<Fault>(["power cut", "failing sync", "clock step"]);

export function needsMachine(fault: Fault): boolean {
  return MACHINE_FAULTS.has(fault);
}

const PROVIDER_FAULTS: ReadonlySet<Fault> = new Set<Fault>([
  "killed provider",
  "frozen provider",
  "nothing to provider",
  "nothing from provider",
]);

/** Why this fault would do nothing, or null. */
export function findImpossible(
  fault: Fault,
  { servers, payers }: { readonly servers: number; readonly payers: number },
): string | null {
  if (payers === 0 && PROVIDER_FAULTS.has(fault)) return `"${fault}" needs players who pay (--payers)`;
  const isOfServers = (SERVERS_FAULTS as readonly Fault[]).includes(fault);
  return servers < 2 && isOfServers ? `"${fault}" needs several servers (--servers)` : null;
}

/** They start a server again. Its clock would start from a wall clock that is wrong. */
export const RESTARTS: ReadonlySet<Fault> = new Set<Fault>([
  "kill",
  "stop",
  "killed at a commit",
  "power cut",
  "kill all",
  "release",
  "long outage",
]);

/** A restart would set their jump back. */
const CLOCK_FAULTS: ReadonlySet<Fault> = new Set<Fault>(["long outage", "outage at a flag", "time passes"]);

/** Faults of the process, of its database, of the clients' network, or of the provider. */
const PAIRED: readonly (readonly Fault[])[] = [
  ["kill", "stop", "frozen for 1 s", "frozen for 5 s", "killed at a commit", "power cut"],
  ["full tables", "no connections", "slow disk", "killed database", "cut at commits", "failing sync", "clock step"],
  ["half-open clients", "nothing from clients", "nothing to clients"],
  ["killed provider", "frozen provider", "nothing to provider", "nothing from provider"],
];

const PAIRED_OF_SERVERS: readonly (readonly Fault[])[] = [
  [...PAIRED[0]!, "release"],
  ["killed NATS", "frozen NATS for 1 s", "cut from NATS", "nothing to NATS", "nothing from NATS"],
  [...PAIRED[1]!, "cut from database", "cut from both", "nothing to database", "nothing from database"],
  ...PAIRED.slice(2),
];

const LONG_OUTAGE_EVERY = 8;

/** Three faults and a pair in any order, and at the end those that move the clock of tables. */
export function chooseFaults(random: Random, servers: number): readonly (Fault | readonly [Fault, Fault])[] {
  const pick = <Value>(list: readonly Value[]): Value => list[random(list.length)]!;
  const all: readonly Fault[] = servers > 1 ? [...SERVERS_FAULTS, ...SERVERS_FAULTS, ...FAULTS] : FAULTS;
  const single = all.filter((fault) => !CLOCK_FAULTS.has(fault));
  const kinds = [...(servers > 1 ? PAIRED_OF_SERVERS : PAIRED)];
  const [first] = kinds.splice(random(kinds.length), 1);
  let pair = [pick(first!), pick(pick(kinds))] as const;
  while (pair.includes("clock step") && pair.some((fault) => RESTARTS.has(fault)))
    pair = [pick(first!), pick(pick(kinds))];
  const chosen: (Fault | readonly [Fault, Fault])[] = [pick(single), pick(single), pick(single)];
  chosen.splice(random(chosen.length + 1), 0, pair);
  const atFlag: readonly Fault[] = random(2) === 0 ? ["outage at a flag"] : [];
  // It takes more than a minute.
  const long: readonly Fault[] = random(LONG_OUTAGE_EVERY) === 0 ? ["long outage"] : [];
  return [...chosen, ...long, ...atFlag, "time passes"];
}
