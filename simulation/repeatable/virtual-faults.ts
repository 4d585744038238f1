import { sleep, wallMs } from "../../apps/server/src/platform/runtime.ts";
import { runRounds } from "../faults/rounds.ts";
import { type FaultRecord, makeFaultRecord, type Span } from "../judge/evidence.ts";
import type { Network } from "../network.ts";
import type { VirtualDatabase } from "./database.ts";
import type { VirtualNats } from "./nats.ts";
import type { Process, Scheduler } from "./scheduler.ts";
import type { VirtualServer } from "./server.ts";
import type { VirtualNetwork } from "./sockets.ts";
import type { World } from "./world.ts";

const VIRTUAL_FAULTS = [
  /** The server's process ends without notice, and another one starts. */
  "crash",
  "stop",
  /** With several servers. */
  "crash of all",
  /** The server's process does not run while messages wait. */
  "stall",
  /** With several servers: one of them loses NATS. */
  "cut from NATS",
  "silent database",
  "lost connections",
  /** Some statements lose their connection, before or after they took effect. */
  "lost answers",
  /** Some clients' connections carry nothing any more. */
  "half-open",
] as const;
const OF_SERVERS: ReadonlySet<string> = new Set(["crash of all", "cut from NATS"]);
export type VirtualFault = (typeof VIRTUAL_FAULTS)[number];

interface VirtualFaults {
  readonly record: FaultRecord;
  readonly counts: ReadonlyMap<VirtualFault, number>;
  /** Those that run. */
  servers(): readonly VirtualServer[];
  startServers(): Promise<void>;
  /** Injects one fault after the other, at least one, until it is stopped. */
  run(): Promise<void>;
  stop(): void;
}

interface FaultDeps {
  readonly scheduler: Scheduler;
  readonly world: World;
  readonly database: VirtualDatabase;
  readonly network: VirtualNetwork;
  readonly networks: readonly Network[];
  readonly servers: number;
  /** Null: there is one server. */
  readonly nats: VirtualNats | null;
  openServer(): Promise<VirtualServer>;
}

const EVERY_MS = { min: 1_000, max: 9_000 };
const LASTS_MS = { min: 300, max: 8_000 };
/** A shorter time is no outage. */
const STARTING_MS = { min: 1_200, max: 3_000 };
const SHUTDOWN_MS_MAX = 10_000;
const LOST_ANSWERS_THOUSANDTHS = 60;

export function openVirtualFaults({
  scheduler,
  world,
  database,
  network,
  networks,
  servers: serverCount,
  nats,
  openServer,
}: FaultDeps): VirtualFaults {
  const { random } = scheduler;
  const { spawn, atOnce } = world;
  const record = makeFaultRecord();
  const counts = new Map<VirtualFault, number>();
  const servers: (VirtualServer | null)[] = Array.from({ length: serverCount }, () => null);
  let started = 0;
  let isOver = false;

  const possible = VIRTUAL_FAULTS.filter((fault) => nats !== null || !OF_SERVERS.has(fault));
  const between = ({ min, max }: { readonly min: number; readonly max: number }): number => min + random(max - min);
  const toSpan = (lastsMs: number): Span => ({ fromMs: wallMs(), toMs: wallMs() + lastsMs });

  /** No fault lasts while a server starts: a start that fails ends the run as a finding. */
  async function startServer(index: number): Promise<void> {
    started += 1;
    servers[index] = await spawn(scheduler.makeProcess(`server ${started}`, index), openServer);
  }

  async function endProcess(process: Process): Promise<void> {
    process.isGone = true;
    network.breakAll(process);
    await atOnce(() => database.abandon(process));
  }

  async function restart(index: number, isKilled: boolean): Promise<void> {
    const ending = servers[index] ?? null;
    if (ending === null) return;
    servers[index] = null;
    if (!isKilled) await Promise.race([spawn(ending.process, ending.close), sleep(SHUTDOWN_MS_MAX)]);
    const fromMs = wallMs();
    await endProcess(ending.process);
    await sleep(between(STARTING_MS));
    await startServer(index);
    record.downtimes.push({ fromMs, toMs: wallMs(), servers: [index], isKilled });
  }

  async function inject(fault: VirtualFault): Promise<void> {
    const lastsMs = between(LASTS_MS);
    const victim = random(serverCount);
    switch (fault) {
      case "crash":
      case "stop":
        return await restart(victim, fault === "crash");
      case "crash of all":
        await Promise.all(servers.map((_, index) => restart(index, true)));
        return;
      case "cut from NATS":
        nats?.cut(servers[victim]!.process, lastsMs);
        break;
      case "stall":
        servers[victim]!.process.heldUntilMs = scheduler.nowMs() + lastsMs;
        record.stopped.push(toSpan(lastsMs));
        break;
      case "silent database":
        database.silence(lastsMs);
        record.frozen.push(toSpan(lastsMs));
        break;
      case "lost connections":
        return await atOnce(database.loseAll);
      case "lost answers":
        database.setLosses(LOST_ANSWERS_THOUSANDTHS);
        break;
      case "half-open":
        for (const one of networks) if (random(4) === 0) one.swallow();
        break;
    }
    await sleep(lastsMs);
    database.setLosses(0);
  }

  async function next(): Promise<VirtualFault | null> {
    await sleep(between(EVERY_MS));
    if (isOver && counts.size > 0) return null;
    const fault = possible[random(possible.length)]!;
    counts.set(fault, (counts.get(fault) ?? 0) + 1);
    scheduler.note(`fault: ${fault}`);
    return fault;
  }

  return {
    record,
    counts,
    servers: () => servers.filter((server) => server !== null),
    async startServers() {
      for (const index of servers.keys()) await startServer(index);
    },
    async run() {
      await runRounds({ next, inject, record });
    },
    stop() {
      isOver = true;
    },
  };
}
