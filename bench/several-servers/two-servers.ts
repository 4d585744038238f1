import type { TestNats } from "../../apps/server/src/platform/testing/test-nats.ts";
import { type Arena, startArena } from "../servers/arena.ts";
import type { Cluster } from "../servers/cluster.ts";

/** Each server has a core of its own. */
export const CORES = ["0", "1"] as const;
/** No payment is made: a provider that does not answer is enough. */
const NO_PROVIDER = { PAYSTACK_SECRET_KEY: "sk_test_unused", PAYSTACK_URL: "http://127.0.0.1:9" };
/** The address of all servers for browsers. */
const PUBLIC_URL = "http://arena.bench";

export interface ServersOptions {
  readonly seconds: number;
  readonly games: number | undefined;
  readonly profileDir: string | undefined;
}

/** Two servers: `nats` connects them on one database; without it each has its own. */
export type StartTwo = (nats: TestNats | null) => Promise<readonly [Arena, Arena]>;

export async function startTwo(
  cluster: Cluster,
  nats: TestNats | null,
  profileDir?: string,
): Promise<readonly [Arena, Arena]> {
  const env = { ...NO_PROVIDER, PUBLIC_URL, ...(nats !== null && { NATS_URL: nats.url }) };
  const first = await startArena(cluster, { env, cores: CORES[0], profileDir });
  const shared = nats === null ? {} : { connectionString: first.connectionString };
  return [first, await startArena(cluster, { ...shared, env, cores: CORES[1], profileDir })];
}
