import process from "node:process";
import { startTestNats } from "../../apps/server/src/platform/testing/test-nats.ts";
import { type Finding, note } from "../report.ts";
import { startCluster } from "../servers/cluster.ts";
import { BOTH_CORES, pinLoadGenerator } from "../servers/processes.ts";
import { measureLosses } from "./losses.ts";
import { measureMoves } from "./moves.ts";
import { CORES, type ServersOptions, type StartTwo, startTwo } from "./two-servers.ts";

/** Two servers on one database, with NATS between them. */
export async function benchSeveralServers(options: ServersOptions): Promise<readonly Finding[]> {
  note(`several-servers: server 1 on core ${CORES[0]}, server 2 on core ${CORES[1]}; the rest on both`);
  pinLoadGenerator(BOTH_CORES);
  const cluster = await startCluster(BOTH_CORES);
  const nats = await startTestNats();
  process.once("exit", () => void nats.kill());
  const start: StartTwo = (wanted) => startTwo(cluster, wanted, options.profileDir);
  const findings = [
    ...(await measureMoves(cluster, start, nats, options)),
    ...(await measureLosses(start, nats, options)),
  ];
  await nats.kill();
  await cluster.stop();
  return findings;
}
