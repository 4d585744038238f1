import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "@holo/kernel/random.ts";
import { isAlive } from "../../apps/server/src/platform/postgres/postmaster.ts";
import type { Installation } from "../installation.ts";
import { COMMIT_INSTANTS, type CommitFault } from "../machine/commit-faults.ts";
import { losePower } from "../machine/lose-power.ts";
import { type FaultTargets, signal } from "./targets.ts";

const POLL_MS = 20;
const COMMITS_SKIPPED_MAX = 8;
const ORDERED_MS_MAX = 1_000;
const STARTS_MAX = 10;
const START_PAUSE_MS = 500;
/** A server that is back sooner stores no outage. */
const DOWN_MS_MIN = 1_000;

/** The servers end at once and start again after a while. */
export async function restart(
  { installation: { servers }, record }: FaultTargets,
  indexes: readonly number[],
  how: "kill" | "stop",
  downMs: number,
): Promise<void> {
  const ending = indexes.map((index) => servers[index]!);
  const fromMs = Date.now();
  await Promise.all(ending.map((server) => server[how]()));
  await sleep(Math.max(downMs, DOWN_MS_MIN));
  await Promise.all(ending.map((server) => supervise(server)));
  record.downtimes.push({ fromMs, toMs: Date.now(), servers: indexes, isKilled: how === "kill" });
}

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

export async function orderCommitFault(
  server: Installation["servers"][number],
  random: Random,
  how: CommitFault["how"],
): Promise<void> {
  const instant = COMMIT_INSTANTS[random(COMMIT_INSTANTS.length)]!;
  await send(server, { instant, how, skip: random(COMMITS_SKIPPED_MAX) });
}

/** An order that met no commit would outlive its fault. */
export async function cancelCommitFault(server: Installation["servers"][number]): Promise<void> {
  await send(server, null);
}

async function send(server: Installation["servers"][number], commitFault: CommitFault | null): Promise<void> {
  // Another fault may have ended the server before it receives the order.
  await Promise.race([server.send({ commitFault }).catch(() => undefined), sleep(ORDERED_MS_MAX)]);
}

/** Without a commit in this time the server is killed at some other instant. */
export async function killAtCommit(
  { installation: { servers }, victim, random, record }: FaultTargets,
  lastsMs: number,
) {
  const server = servers[victim]!;
  const pid = server.pid();
  await orderCommitFault(server, random, "kill");
  let fromMs = Date.now();
  for (const endMs = performance.now() + lastsMs; isAlive(pid) && performance.now() < endMs; await sleep(POLL_MS))
    fromMs = Date.now();
  await server.kill();
  await sleep(DOWN_MS_MIN);
  await supervise(server);
  record.downtimes.push({ fromMs, toMs: Date.now(), servers: [victim], isKilled: true });
}

/** Everything ends at once, and the database's files are as they were last synced. */
export async function cutPower({ installation, record }: FaultTargets, lastsMs: number): Promise<void> {
  const { servers, machine, clusterDir, findDatabaseProcesses } = installation;
  if (machine === null) throw new Error("a power cut needs a machine");
  const fromMs = Date.now();
  // Nothing is synced any more. The second list has what the first process began meanwhile.
  for (const pid of findDatabaseProcesses().slice(0, 1)) signal(pid, "SIGSTOP");
  const pids = findDatabaseProcesses();
  for (const pid of pids) signal(pid, "SIGSTOP");
  await Promise.all(servers.map((server) => server.kill()));
  losePower(machine, clusterDir, findDatabaseProcesses, pids);
  await sleep(Math.max(lastsMs / 10, DOWN_MS_MIN));
  await Promise.all(servers.map((server) => supervise(server)));
  record.downtimes.push({ fromMs, toMs: Date.now(), servers: [...servers.keys()], isKilled: true });
}
