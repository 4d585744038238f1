import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { findFreePort } from "../servers/arena.ts";
import { killProcess, startOnServerCore, stopProcess, waitForText } from "../servers/processes.ts";

export interface ProductionServer {
  readonly pid: number;
  readonly port: number;
  readonly origin: string;
  readonly connectionString: string;
  readonly secret: string;
  readonly dataDir: string;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

const ORIGIN = "https://arena.bench";

/** `earlier` is the place of a server that was killed, for its successor. */
export async function startProductionServer(
  connectionString: string,
  profileDir: string | undefined,
  earlier: Partial<Pick<ProductionServer, "port" | "secret" | "dataDir">> = {},
): Promise<ProductionServer> {
  const port = earlier.port ?? (await findFreePort());
  const secret = earlier.secret ?? randomBytes(32).toString("hex");
  const dataDir = earlier.dataDir ?? mkdtempSync(path.join(tmpdir(), "holo-attack-"));
  const child = startOnServerCore(fileURLToPath(new URL("../../apps/server/src/main.ts", import.meta.url)), {
    profileDir,
    env: {
      NODE_ENV: "production",
      LOG_LEVEL: "fatal",
      HOST: "127.0.0.1",
      PORT: String(port),
      DATABASE_URL: connectionString,
      DATA_DIR: dataDir,
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
  return {
    pid: child.pid!,
    port,
    origin: ORIGIN,
    connectionString,
    secret,
    dataDir,
    kill: () => killProcess(child),
    async stop() {
      await stopProcess(child);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
