import type { Random } from "@holo/kernel/random.ts";

/** What a fault hits. Two at once are of different kinds. */
type Kind = "server" | "database" | "clients" | "provider" | "nats" | "clocks";

interface FaultFacts {
  readonly kind: Kind;
  /** It starts a server again, whose clock would start from a wall clock that is wrong. */
  readonly restarts?: true;
  /** It would do nothing without. Default: nothing special. */
  readonly needs?: "a machine" | "payers" | "servers";
  /** Too long, or too much by itself, for a pair. */
  readonly isAlone?: true;
}

/** A campaign's faults of server, database and clients while games continue. */
const TABLE = {
  kill: { kind: "server", restarts: true },
  stop: { kind: "server", restarts: true },
  /** Nothing can be written: the database crashes, no mail and no file is saved. */
  "full disk": { kind: "database", isAlone: true },
  /** Statements that need space fail, as on a disk that keeps room for the write-ahead log. */
  "full tables": { kind: "database" },
  "read-only database": { kind: "database", isAlone: true },
  /** Other sessions took every connection; the server's own were lost. */
  "no connections": { kind: "database" },
  /** The clients' packets are dropped repeatedly. No connection is closed. */
  "half-open clients": { kind: "clients" },
  /** A network that works in one direction only: frames wait, and nothing can connect. */
  "nothing from clients": { kind: "clients" },
  "nothing to clients": { kind: "clients" },
  "killed provider": { kind: "provider", needs: "payers" },
  "frozen provider": { kind: "provider", needs: "payers" },
  "nothing to provider": { kind: "provider", needs: "payers" },
  /** Calls are carried out and not answered. */
  "nothing from provider": { kind: "provider", needs: "payers" },
  "slow disk": { kind: "database" },
  "killed database": { kind: "database" },
  /** A server ends exactly before, during or after a commit, or before it broadcasts it. */
  "killed at a commit": { kind: "server", restarts: true },
  /** The connections that carry commits are lost at such instants. */
  "cut at commits": { kind: "database" },
  /** All processes end at once, and the disk loses what was not synced. */
  "power cut": { kind: "server", restarts: true, needs: "a machine" },
  /** Every fsync fails with EIO. */
  "failing sync": { kind: "database", needs: "a machine" },
  /** The wall clock of servers and database jumps, and back again later. */
  "clock step": { kind: "database", needs: "a machine" },
  /** The server does not run for a while; no connection is closed. Others may end it meanwhile. */
  "frozen for 1 s": { kind: "server" },
  "frozen for 5 s": { kind: "server" },
  "frozen for 30 s": { kind: "server", isAlone: true },
  /** All processes of the database stop for a while: nothing can be written. */
  "frozen database": { kind: "database", isAlone: true },
  /** The database stops for longer than the server waits for an answer, while players resign. */
  "silent database": { kind: "database", isAlone: true },
  /** All servers are killed at once. */
  "kill all": { kind: "server", restarts: true, needs: "servers", isAlone: true },
  /** Each server stops and starts, one after the other. */
  release: { kind: "server", restarts: true, needs: "servers" },
  "killed NATS": { kind: "nats", needs: "servers" },
  /** NATS does not run for a while, and no connection is closed. */
  "frozen NATS for 1 s": { kind: "nats", needs: "servers" },
  "frozen NATS for 30 s": { kind: "nats", needs: "servers", isAlone: true },
  /** What one server and NATS send each other is swallowed. */
  "cut from NATS": { kind: "nats", needs: "servers" },
  "nothing to NATS": { kind: "nats", needs: "servers" },
  "nothing from NATS": { kind: "nats", needs: "servers" },
  "cut from database": { kind: "database", needs: "servers" },
  "cut from both": { kind: "database", needs: "servers" },
  "nothing to database": { kind: "database", needs: "servers" },
  /** Commits are carried out and not answered. */
  "nothing from database": { kind: "database", needs: "servers" },
  /** Last, because a restart would set it back: the tables' clock goes ahead beyond every limit. */
  "time passes": { kind: "clocks" },
} as const satisfies Readonly<Record<string, FaultFacts>>;

export type Fault = keyof typeof TABLE;

/** Two at once, or one. */
export type FaultRound = Fault | readonly [Fault, Fault];

const factsOf: Readonly<Record<Fault, FaultFacts>> = TABLE;
const ALL = Object.keys(TABLE) as readonly Fault[];

interface Surroundings {
  readonly servers: number;
  readonly payers: number;
}

export function needsMachine(fault: Fault): boolean {
  return factsOf[fault].needs === "a machine";
}

function isRestart(round: FaultRound): boolean {
  return [round].flat().some((fault) => factsOf[fault as Fault].restarts === true);
}

/** Why this fault would do nothing, or null. */
function findImpossible(fault: Fault, { servers, payers }: Surroundings): string | null {
  const { needs } = factsOf[fault];
  if (needs === "payers" && payers === 0) return `"${fault}" needs players who pay (--payers)`;
  return needs === "servers" && servers < 2 ? `"${fault}" needs several servers (--servers)` : null;
}

export function listFaults(surroundings: Surroundings): readonly Fault[] {
  return ALL.filter((fault) => findImpossible(fault, surroundings) === null);
}

/** Parses `kill,power cut+nothing to clients`. Throws what is wrong with it. */
export function parseFaults(text: string, surroundings: Surroundings): readonly FaultRound[] {
  const parse = (name: string): Fault => {
    const fault = ALL.find((one) => one === name);
    if (fault === undefined) throw new Error(`there is no fault "${name}"; there are ${ALL.join(", ")}`);
    const why = findImpossible(fault, surroundings);
    if (why !== null) throw new Error(why);
    return fault;
  };
  const parseRound = (words: string): FaultRound => {
    const [first, second] = words.split("+").map(parse);
    return second === undefined ? first! : [first!, second];
  };
  return text.split(",").filter(Boolean).map(parseRound);
}

/** Three faults and a pair in any order, and at the end the one that moves the clock of tables. */
export function chooseFaults(random: Random, surroundings: Surroundings): readonly FaultRound[] {
  const pick = <Value>(list: readonly Value[]): Value => list[random(list.length)]!;
  const single = listFaults(surroundings).filter((fault) => factsOf[fault].kind !== "clocks");
  const paired = single.filter((fault) => factsOf[fault].isAlone !== true);
  const first = pick(paired);
  const isClockStep = (fault: Fault): boolean => fault === "clock step";
  const second = pick(
    paired.filter(
      (fault) =>
        factsOf[fault].kind !== factsOf[first].kind &&
        !([first, fault].some(isClockStep) && [first, fault].some((one) => isRestart(one))),
    ),
  );
  const chosen: FaultRound[] = [pick(single), pick(single), pick(single)];
  chosen.splice(random(chosen.length + 1), 0, [first, second]);
  return [...chosen, "time passes"];
}
