import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "@holo/kernel/random.ts";
import pg from "pg";
import { isAlive } from "../apps/server/src/platform/postgres/postmaster.ts";
import { setDiskFull } from "../apps/server/src/platform/testing/full-disk.ts";
import type { CuttableProxy } from "../e2e/support/cuttable-proxy.ts";
import type { Installation } from "./installation.ts";
import { type Downtime, type Jump, type Span, toTableTime } from "./judge/evidence.ts";
import { COMMIT_INSTANTS, type CommitFault } from "./machine/commit-faults.ts";
import type { Network } from "./network.ts";
import type { Provider } from "./payment-play.ts";
import type { Mood, Robot } from "./robot.ts";
import { findConnectionString } from "./stored-games.ts";

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
  /** The server does not run for a while, and no connection is closed. */
  "frozen server",
  /** All processes of the database stop for a while: nothing can be written. */
  "frozen database",
  /** The database stops for longer than the server waits for an answer, while players resign. */
  "silent database",
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
  "rolling restart",
  "killed NATS",
  /** NATS does not run for a while, and no connection is closed. */
  "frozen NATS",
  /** What one server and NATS send each other is swallowed. */
  "cut from NATS",
  "nothing to NATS",
  "nothing from NATS",
  "cut from database",
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

/** They start a server again. Its clock would start from a wall clock that is wrong. */
export const RESTARTS: ReadonlySet<Fault> = new Set<Fault>([
  "kill",
  "stop",
  "killed at a commit",
  "power cut",
  "kill all",
  "rolling restart",
]);

/** A restart would set their jump back. */
const CLOCK_FAULTS: ReadonlySet<Fault> = new Set<Fault>(["outage at a flag", "time passes"]);

export interface FaultTargets {
  readonly installation: Installation;
  /** The server that a fault of one server hits. */
  readonly victim: number;
  readonly random: Random;
  /** Null: no one pays. */
  readonly provider: Provider | null;
  readonly networks: readonly Network[];
  readonly robots: readonly Robot[];
  readonly frozen: Span[];
  readonly stopped: Span[];
  readonly jumps: Jump[];
  readonly downtimes: Downtime[];
}

/** Longer than any clock and any wait. */
const PASSING_MS = 40 * 60_000;
/** Longer than a silence that is no outage, and than the delivery to clients. */
const FREEZE_MS = 6_000;
/** Longer than the server waits for an answer to a statement. */
const SILENCE_MS = 17_000;
/** What was on its way to the database has arrived. */
const CALM_MS = 400;
/** On the clock when the database stops: together with a heartbeat less than an outage. */
const LEFT_MS = 1_300;
/** On the clock before an offer sets the table's timer again. */
const LEFT_BEFORE_MS = 5_000;
const ATTEMPTS_MAX = 8;
const FLAGGED_MS = 3_000;
const FLAGGED_MS_MAX = 4_000;
const OFFER_MS = 800;
const CALMED_MS_MAX = 12_000;
const POLL_MS = 20;
const BURST_MS = 700;
const BREATH_MS = 300;
const SWALLOW_EVERY_MS = 600;
/** As when a clock is corrected, or set by hand. */
const STEPS_MS = [-3_600_000, -3_000, 3_000, 3_600_000] as const;
const COMMITS_SKIPPED_MAX = 8;
const CUT_EVERY_MS = 250;
const ORDERED_MS_MAX = 1_000;
const CONNECTIONS_MAX = 200;
const CONNECTING = 20;
const OWN_NAME = "holo-faults";
const WRITTEN_TABLES = ["game_log", "games", "seats", "ledger_entries", "chat_messages", "game_commands", "outages"];

/** Faults of the process, of its database, of the clients' network, or of the provider. */
const PAIRED: readonly (readonly Fault[])[] = [
  ["kill", "stop", "frozen server", "killed at a commit", "power cut"],
  ["full tables", "no connections", "slow disk", "killed database", "cut at commits", "failing sync", "clock step"],
  ["half-open clients", "nothing from clients", "nothing to clients"],
  ["killed provider", "frozen provider", "nothing to provider", "nothing from provider"],
];

const PAIRED_OF_SERVERS: readonly (readonly Fault[])[] = [
  [...PAIRED[0]!, "rolling restart"],
  ["killed NATS", "frozen NATS", "cut from NATS", "nothing to NATS", "nothing from NATS"],
  [...PAIRED[1]!, "cut from database", "nothing to database", "nothing from database"],
  ...PAIRED.slice(2),
];

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
  return [...chosen, ...(random(2) === 0 ? (["outage at a flag"] as const) : []), "time passes"];
}

export async function injectFault(fault: Fault, targets: FaultTargets, lastsMs: number): Promise<void> {
  const { installation, networks, provider, random, victim } = targets;
  const { servers, nats, machine } = installation;
  const server = servers[victim]!;
  const link = installation.links[victim];
  const databaseLink = installation.databaseLinks[victim];
  switch (fault) {
    case "kill":
    case "stop":
      return await restart(targets, [victim], fault, nats === null ? lastsMs / 10 : lastsMs);
    case "kill all":
      return await restart(targets, [...servers.keys()], "kill", lastsMs / 10);
    case "rolling restart":
      for (const index of servers.keys()) await restart(targets, [index], "stop", 0);
      return;
    case "killed NATS":
      await nats?.kill();
      await sleep(lastsMs);
      await nats?.start();
      return;
    case "frozen NATS":
      nats?.signal("SIGSTOP");
      await sleep(lastsMs);
      nats?.signal("SIGCONT");
      return;
    case "cut from NATS":
      return await cutLink(link, lastsMs);
    case "nothing to NATS":
      return await cutLink(link, lastsMs, "up");
    case "nothing from NATS":
      return await cutLink(link, lastsMs, "down");
    case "cut from database":
      return await cutLink(databaseLink, lastsMs);
    case "nothing to database":
      return await cutLink(databaseLink, lastsMs, "up");
    case "nothing from database":
      return await cutLink(databaseLink, lastsMs, "down");
    case "killed provider":
      await provider?.kill();
      await sleep(lastsMs);
      await provider?.start();
      return;
    case "frozen provider":
      provider?.signal("SIGSTOP");
      await sleep(lastsMs);
      provider?.signal("SIGCONT");
      return;
    case "nothing to provider":
      return await cutLink(provider?.link, lastsMs, "up");
    case "nothing from provider":
      return await cutLink(provider?.link, lastsMs, "down");
    case "nothing from clients":
      return await cutClients(networks, lastsMs, "up");
    case "nothing to clients":
      return await cutClients(networks, lastsMs, "down");
    case "killed at a commit":
      return await killAtCommit(targets, lastsMs);
    case "cut at commits":
      for (const endMs = performance.now() + lastsMs; performance.now() < endMs; await sleep(CUT_EVERY_MS))
        await orderCommitFault(server, random, "cut");
      return;
    case "power cut":
      return await cutPower(targets, lastsMs);
    case "failing sync":
      machine?.setSyncing("fails");
      await sleep(lastsMs);
      machine?.setSyncing("honest");
      return;
    case "clock step":
      machine?.setClock(STEPS_MS[random(STEPS_MS.length)]!);
      await sleep(lastsMs);
      machine?.setClock(0);
      return;
    case "full disk":
      await setAllFull(installation, true);
      await sleep(lastsMs);
      return await setAllFull(installation, false);
    case "full tables":
      await execute(installation, DISK_FULL, ...WRITTEN_TABLES.map(toDiskFullTrigger));
      await sleep(lastsMs);
      return await execute(
        installation,
        ...WRITTEN_TABLES.map((table) => `drop trigger if exists disk_full on ${table}`),
      );
    case "read-only database":
      await execute(installation, `alter database holo set default_transaction_read_only = on; ${END_SESSIONS}`);
      await sleep(lastsMs);
      return await execute(
        installation,
        `set transaction read write; alter database holo reset default_transaction_read_only; ${END_SESSIONS}`,
      );
    case "no connections":
      return await takeConnections(installation, lastsMs);
    case "half-open clients":
      for (const endMs = performance.now() + lastsMs; performance.now() < endMs; await sleep(SWALLOW_EVERY_MS)) {
        for (const network of networks) network.swallow();
      }
      return;
    case "killed database":
      for (const pid of installation.findDatabaseProcesses()) signal(pid, "SIGKILL");
      await sleep(lastsMs);
      return;
    case "frozen server": {
      const fromMs = Date.now();
      signal(server.pid(), "SIGSTOP");
      await sleep(lastsMs);
      signal(server.pid(), "SIGCONT");
      targets.stopped.push({ fromMs, toMs: Date.now() });
      return;
    }
    case "time passes":
      return await passTime(targets);
    case "frozen database":
      return await freezeCalmDatabase(targets);
    case "silent database":
      return await silenceDatabase(targets);
    case "outage at a flag":
      return await stopAtFlag(targets);
    case "slow disk":
      for (const endMs = performance.now() + lastsMs; performance.now() < endMs; await sleep(BREATH_MS)) {
        const pids = installation.findDatabaseProcesses();
        for (const pid of pids) signal(pid, "SIGSTOP");
        await sleep(BURST_MS);
        for (const pid of pids) signal(pid, "SIGCONT");
      }
      return;
  }
}

/** The servers end at once and start again after a while. */
async function restart(
  { installation: { servers }, downtimes }: FaultTargets,
  indexes: readonly number[],
  how: "kill" | "stop",
  downMs: number,
): Promise<void> {
  const ending = indexes.map((index) => servers[index]!);
  const fromMs = Date.now();
  await Promise.all(ending.map((server) => server[how]()));
  await sleep(downMs);
  await Promise.all(ending.map((server) => supervise(server)));
  downtimes.push({ fromMs, toMs: Date.now(), servers: indexes, isKilled: how === "kill" });
}

const STARTS_MAX = 10;
const START_PAUSE_MS = 500;
const PERSISTENCE = 60;

/** Another fault may keep a server from starting; a supervisor tries again. */
async function supervise(server: Installation["servers"][number], starts = 1): Promise<void> {
  try {
    await server.start();
  } catch (error) {
    if (starts === STARTS_MAX) throw error;
    await sleep(START_PAUSE_MS);
    await supervise(server, starts + 1);
  }
}

async function cutLink(link: CuttableProxy | undefined, lastsMs: number, way?: "up" | "down"): Promise<void> {
  link?.cut(way);
  await sleep(lastsMs);
  link?.restore();
}

async function cutClients(networks: readonly Network[], lastsMs: number, way: "up" | "down"): Promise<void> {
  for (const network of networks) network.cut(way);
  await sleep(lastsMs);
  for (const network of networks) network.heal();
}

async function orderCommitFault(
  server: Installation["servers"][number],
  random: Random,
  how: CommitFault["how"],
): Promise<void> {
  const instant = COMMIT_INSTANTS[random(COMMIT_INSTANTS.length)]!;
  const commitFault: CommitFault = { instant, how, skip: random(COMMITS_SKIPPED_MAX) };
  // Another fault may have ended the server before it receives the order.
  await Promise.race([server.send({ commitFault }).catch(() => undefined), sleep(ORDERED_MS_MAX)]);
}

/** Without a commit in this time the server is killed at some other instant. */
async function killAtCommit({ installation: { servers }, victim, random, downtimes }: FaultTargets, lastsMs: number) {
  const server = servers[victim]!;
  const pid = server.pid();
  await orderCommitFault(server, random, "kill");
  let fromMs = Date.now();
  for (const endMs = performance.now() + lastsMs; isAlive(pid) && performance.now() < endMs; await sleep(POLL_MS))
    fromMs = Date.now();
  await server.kill();
  await supervise(server);
  downtimes.push({ fromMs, toMs: Date.now(), servers: [victim], isKilled: true });
}

/** Everything ends at once, and the database's files are as they were last synced. */
async function cutPower({ installation, downtimes }: FaultTargets, lastsMs: number): Promise<void> {
  const { servers, machine, clusterDir } = installation;
  if (machine === null) return;
  const fromMs = Date.now();
  // Nothing is synced any more. The second list has what the first process began meanwhile.
  for (const pid of installation.findDatabaseProcesses().slice(0, 1)) signal(pid, "SIGSTOP");
  const pids = installation.findDatabaseProcesses();
  for (const pid of pids) signal(pid, "SIGSTOP");
  await Promise.all(servers.map((server) => server.kill()));
  for (const pid of pids) signal(pid, "SIGKILL");
  // Without a pause for the supervisor in this process, which would start the database too early.
  while (pids.some(isAlive)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
  machine.loseUnsynced(clusterDir);
  await sleep(lastsMs / 10);
  await Promise.all(servers.map((server) => supervise(server)));
  downtimes.push({ fromMs, toMs: Date.now(), servers: [...servers.keys()], isKilled: true });
}

async function freezeDatabase({ installation, frozen }: FaultTargets, lastsMs: number): Promise<void> {
  const pids = installation.findDatabaseProcesses();
  for (const pid of pids) signal(pid, "SIGSTOP");
  const fromMs = Date.now();
  await sleep(lastsMs);
  frozen.push({ fromMs, toMs: Date.now() });
  for (const pid of pids) signal(pid, "SIGCONT");
}

async function advanceTables({ installation, jumps }: FaultTargets, byMs: number): Promise<void> {
  await installation.advanceTables(byMs);
  jumps.push({ atMs: Date.now(), byMs });
}

/** From then on no player moves. Returns the one with the least time on a running clock, if any. */
async function calmDown({ robots, jumps }: FaultTargets): Promise<Robot | null> {
  const findMover = (): Robot | null => {
    const now = toTableTime(Date.now(), jumps);
    const toLeftMs = (robot: Robot): number => robot.clockLeftMs(now) ?? Number.POSITIVE_INFINITY;
    const [mover] = robots.toSorted((a, b) => toLeftMs(a) - toLeftMs(b));
    return mover !== undefined && toLeftMs(mover) < Number.POSITIVE_INFINITY ? mover : null;
  };
  for (const endMs = performance.now() + CALMED_MS_MAX; performance.now() < endMs; await sleep(POLL_MS)) {
    if (findMover() === null) continue;
    setMoods(robots, "silent");
    await sleep(OFFER_MS);
    const mover = findMover();
    if (mover !== null) return mover;
    setMoods(robots, "lively");
  }
  return null;
}

/** The clock of one turn approaches its end, and the database stops. */
async function stopAtFlag(targets: FaultTargets): Promise<void> {
  const { robots, jumps } = targets;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const mover = await calmDown(targets);
    if (mover === null) break;
    const toLeftMs = (): number | null => mover.clockLeftMs(toTableTime(Date.now(), jumps));
    const version = mover.tableVersion();
    await advanceTables(targets, Math.max(0, (toLeftMs() ?? 0) - LEFT_BEFORE_MS));
    setMoods(robots, "asking");
    while ((toLeftMs() ?? 0) > LEFT_MS) await sleep(POLL_MS);
    // Without a record since then no timer follows the jump.
    const isTimerSet = mover.tableVersion() > version && toLeftMs() !== null;
    if (isTimerSet) await freezeDatabase(targets, FREEZE_MS);
    setMoods(robots, "lively");
    if (isTimerSet) return;
    await sleep(FLAGGED_MS);
  }
  setMoods(robots, "lively");
}

/** Nothing is on its way to the database when it stops, so that all that comes then must wait. */
async function freezeCalmDatabase(targets: FaultTargets): Promise<void> {
  setMoods(targets.robots, "silent");
  await sleep(CALM_MS);
  const freezing = freezeDatabase(targets, FREEZE_MS);
  await sleep(CALM_MS);
  setMoods(targets.robots, "lively");
  await freezing;
}

/** Settlements are on their way to the database when it stops; it commits them unasked later. */
async function silenceDatabase(targets: FaultTargets): Promise<void> {
  setMoods(targets.robots, "silent");
  await sleep(CALM_MS);
  const freezing = freezeDatabase(targets, SILENCE_MS);
  setMoods(targets.robots, "resigning");
  await freezing;
  setMoods(targets.robots, "lively");
}

function setMoods(robots: readonly Robot[], mood: Mood): void {
  for (const robot of robots) robot.setMood(mood);
}

/** Every clock expires. The next record of a table sets its timer, which does not follow a jump. */
async function passTime(targets: FaultTargets): Promise<void> {
  await calmDown(targets);
  await advanceTables(targets, PASSING_MS);
  setMoods(targets.robots, "asking");
  const isRunning = (robot: Robot): boolean => robot.clockLeftMs(toTableTime(Date.now(), targets.jumps)) !== null;
  // The others expire with the next move.
  for (const endMs = performance.now() + FLAGGED_MS_MAX; performance.now() < endMs; await sleep(POLL_MS))
    if (!targets.robots.some(isRunning)) break;
  setMoods(targets.robots, "lively");
}

const END_SESSIONS = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'holo-arena';`;

const DISK_FULL = `create or replace function disk_full() returns trigger language plpgsql as
  $$ begin raise exception 'no space left on device' using errcode = 'disk_full'; end $$`;
const toDiskFullTrigger = (table: string): string =>
  `create or replace trigger disk_full before insert on ${table} execute function disk_full()`;

async function connect({ dataDir }: Installation): Promise<pg.Client> {
  const connectionString = findConnectionString(dataDir);
  const client = new pg.Client({ connectionString, application_name: OWN_NAME });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** One transaction each: two locks in one would deadlock with the server's. */
async function execute(installation: Installation, ...statements: readonly string[]): Promise<void> {
  for (const sql of statements) await persist(() => executeOne(installation, sql));
}

async function executeOne(installation: Installation, sql: string): Promise<void> {
  const client = await connect(installation);
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Another fault may keep the database from answering. */
async function persist<Value>(act: () => Promise<Value>, attempts = PERSISTENCE): Promise<Value> {
  try {
    return await act();
  } catch (error) {
    if (attempts === 1) throw error;
    await sleep(START_PAUSE_MS);
    return await persist(act, attempts - 1);
  }
}

async function setAllFull({ servers, findDatabaseProcesses }: Installation, isFull: boolean): Promise<void> {
  await setDiskFull(
    servers.map((server) => server.pid()),
    isFull,
  );
  await setDiskFull(findDatabaseProcesses().slice(0, 1), isFull);
  await setDiskFull(findDatabaseProcesses(), isFull);
}

async function takeConnections(installation: Installation, lastsMs: number): Promise<void> {
  const first = await persist(() => connect(installation));
  const taken: pg.Client[] = [];
  const takeAll = async (): Promise<void> => {
    for (let i = 0; i < CONNECTIONS_MAX; i += CONNECTING) {
      const clients = await Promise.all(
        Array.from({ length: CONNECTING }, () => connect(installation).catch(() => null)),
      );
      const opened = clients.filter((client) => client !== null);
      taken.push(...opened);
      if (opened.length < CONNECTING) return;
    }
  };
  await takeAll();
  // Another fault may have ended the database.
  await first.query(END_SESSIONS).catch(() => undefined);
  await takeAll();
  await sleep(lastsMs);
  await Promise.all([first, ...taken].map((client) => client.end()));
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // It has ended meanwhile.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
