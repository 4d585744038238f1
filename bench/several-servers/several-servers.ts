import process from "node:process";
import { startTestNats } from "../../apps/server/src/platform/testing/test-nats.ts";
import { type Finding, note } from "../report.ts";
import { startCluster } from "../servers/cluster.ts";
import { BOTH_CORES, isPinned, pinLoadGenerator } from "../servers/processes.ts";
import { measureLosses } from "./losses.ts";
import { measureMoves } from "./moves.ts";
import { CORES } from "./one-of-two.ts";

interface SeveralServersOptions {
  readonly seconds: number;
  readonly games: number | undefined;
  readonly profileDir: string | undefined;
}

/** Two servers on one database, with NATS between them. */
export async function benchSeveralServers({
  seconds,
  games,
  profileDir,
}: SeveralServersOptions): Promise<readonly Finding[]> {
  note(
    `several-servers: server 1 on core ${CORES[0]}, server 2 on core ${CORES[1]}; PostgreSQL, NATS and load on both`,
  );
  if (!isPinned()) note("several-servers: this machine cannot pin servers (two cores and taskset): compare with care");
  pinLoadGenerator(BOTH_CORES);
  const cluster = await startCluster(BOTH_CORES);
  const nats = await startTestNats();
  process.once("exit", () => void nats.kill());
  const findings = [
    ...(await measureMoves({ cluster, nats, seconds, profileDir })),
    ...(await measureLosses({ cluster, nats, games, profileDir })),
  ];
  await nats.kill();
  await cluster.stop();
  return findings;
}
