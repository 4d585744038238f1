import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { findFreePort } from "../servers/arena.ts";
import { startOnServerCore, stopProcess, waitForText } from "../servers/processes.ts";

/** The server with its production limits, on the servers' core. */
export interface ProductionServer {
  readonly pid: number;
  readonly port: number;
  /** The origin of the site's pages. */
  readonly origin: string;
  readonly connectionString: string;
  /** Signs the cookies of players. */
  readonly secret: string;
  stop(): Promise<void>;
}

const ORIGIN = "https://arena.bench";

export async function startProductionServer(
  connectionString: string,
  profileDir: string | undefined,
): Promise<ProductionServer> {
  const port = await findFreePort();
  const secret = randomBytes(32).toString("hex");
  const child = startOnServerCore(fileURLToPath(new URL("../../apps/server/src/main.ts", import.meta.url)), {
    profileDir,
    env: {
      NODE_ENV: "production",
      LOG_LEVEL: "fatal",
      HOST: "127.0.0.1",
      PORT: String(port),
      DATABASE_URL: connectionString,
      DATA_DIR: mkdtempSync(path.join(tmpdir(), "holo-attack-")),
      AUTH_SECRET: secret,
      PUBLIC_URL: ORIGIN,
      OWNER_EMAIL: "owner@arena.bench",
      SUPPORT_EMAIL: "help@arena.bench",
      SUPPORT_MESSAGING_URL: "https://messages.arena.bench",
      TRUSTED_PROXIES: "none",
      METRICS_TOKEN: secret,
      // Nothing answers there, and nothing of this benchmark needs mail or payments.
      SMTP_URL: "smtp://127.0.0.1:9",
      PAYSTACK_SECRET_KEY: "sk_live_of_the_benchmark",
    },
  });
  await waitForText(child, "Holo Arena is at");
  return { pid: child.pid!, port, origin: ORIGIN, connectionString, secret, stop: () => stopProcess(child) };
}
