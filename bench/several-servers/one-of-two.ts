import { type Arena, startArenaOn } from "../servers/arena.ts";

/** Each server has a core of its own. */
export const CORES = ["0", "1"] as const;
/** No payment is made: a provider that does not answer is enough. */
const NO_PROVIDER = { PAYSTACK_SECRET_KEY: "sk_test_unused", PAYSTACK_URL: "http://127.0.0.1:9" };
/** The address of all servers for browsers. */
export const PUBLIC_URL = "http://arena.bench";

interface Place {
  readonly natsUrl: string | null;
  readonly port?: number;
  readonly profileDir?: string | undefined;
}

/** One of the servers of an installation, on the core of its index. */
export async function startOneOf(connectionString: string, index: 0 | 1, place: Place): Promise<Arena> {
  const { natsUrl, ...more } = place;
  return await startArenaOn(connectionString, {
    ...more,
    cores: CORES[index],
    env: { ...NO_PROVIDER, PUBLIC_URL, ...(natsUrl !== null && { NATS_URL: natsUrl }) },
  });
}

export async function startBoth(
  connectionString: string,
  natsUrls: readonly [string, string],
  profileDir?: string,
): Promise<readonly [Arena, Arena]> {
  return [
    await startOneOf(connectionString, 0, { natsUrl: natsUrls[0], profileDir }),
    await startOneOf(connectionString, 1, { natsUrl: natsUrls[1], profileDir }),
  ];
}
