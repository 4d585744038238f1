import { setTimeout as sleep } from "node:timers/promises";
import type { CuttableProxy } from "../../e2e/support/cuttable-proxy.ts";
import type { Network } from "../network.ts";
import { freezeCalmDatabase, passTime, silenceDatabase } from "./calm-faults.ts";
import { fillTables, refuseWrites, setAllFull, takeConnections } from "./database-faults.ts";
import type { Fault } from "./faults.ts";
import { cancelCommitFault, cutPower, killAtCommit, orderCommitFault, restart } from "./restart.ts";
import { type FaultTargets, signal } from "./targets.ts";

const BURST_MS = 700;
const BREATH_MS = 300;
const SWALLOW_EVERY_MS = 600;
const CUT_EVERY_MS = 250;
/** As when a clock is corrected, or set by hand. */
const STEPS_MS = [-3_600_000, -3_000, 3_000, 3_600_000] as const;

const FROZEN_MS = { "frozen for 1 s": 1_000, "frozen for 5 s": 5_000, "frozen for 30 s": 30_000 } as const;

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
    case "release":
      for (const index of servers.keys()) await restart(targets, [index], "stop", 0);
      return;
    case "killed NATS":
      await nats?.kill();
      await sleep(lastsMs);
      await nats?.start();
      return;
    case "frozen NATS for 1 s":
    case "frozen NATS for 30 s":
      nats?.signal("SIGSTOP");
      await sleep(fault === "frozen NATS for 1 s" ? 1_000 : 30_000);
      nats?.signal("SIGCONT");
      return;
    case "cut from NATS":
    case "nothing to NATS":
    case "nothing from NATS":
      return await cutLinks([link], lastsMs, toWay(fault));
    case "cut from database":
    case "nothing to database":
    case "nothing from database":
      return await noteCut(targets, cutLinks([databaseLink], lastsMs, toWay(fault)));
    case "cut from both":
      return await noteCut(targets, cutLinks([link, databaseLink], lastsMs));
    case "nothing to provider":
    case "nothing from provider":
      return await cutLinks([provider?.link], lastsMs, toWay(fault));
    case "nothing from clients":
    case "nothing to clients":
      return await cutClients(networks, lastsMs, fault === "nothing from clients" ? "up" : "down");
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
    case "killed at a commit":
      return await killAtCommit(targets, lastsMs);
    case "cut at commits":
      for (const endMs = performance.now() + lastsMs; performance.now() < endMs; await sleep(CUT_EVERY_MS))
        await orderCommitFault(server, random, "cut");
      return await cancelCommitFault(server);
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
      return await fillTables(installation, lastsMs);
    case "read-only database":
      return await refuseWrites(installation, lastsMs);
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
    case "frozen for 1 s":
    case "frozen for 5 s":
    case "frozen for 30 s": {
      const fromMs = Date.now();
      const pid = server.pid();
      signal(pid, "SIGSTOP");
      await sleep(FROZEN_MS[fault]);
      signal(pid, "SIGCONT");
      targets.record.stopped.push({ fromMs, toMs: Date.now() });
      return;
    }
    case "time passes":
      return await passTime(targets);
    case "frozen database":
      return await freezeCalmDatabase(targets);
    case "silent database":
      return await silenceDatabase(targets);
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

async function noteCut({ record }: FaultTargets, cutting: Promise<unknown>): Promise<void> {
  const fromMs = Date.now();
  await cutting;
  record.cuts.push({ fromMs, toMs: Date.now() });
}

/** In one direction, or in both. */
function toWay(fault: Fault): "up" | "down" | undefined {
  if (fault.startsWith("nothing to")) return "up";
  return fault.startsWith("nothing from") ? "down" : undefined;
}

async function cutLinks(
  links: readonly (CuttableProxy | undefined)[],
  lastsMs: number,
  way?: "up" | "down",
): Promise<void> {
  for (const link of links) link?.cut(way);
  await sleep(lastsMs);
  for (const link of links) link?.restore();
}

async function cutClients(networks: readonly Network[], lastsMs: number, way: "up" | "down"): Promise<void> {
  for (const network of networks) network.cut(way);
  await sleep(lastsMs);
  for (const network of networks) network.heal();
}
