import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseConfig } from "../../config.ts";
import { startServer } from "../../main.ts";
import type { Database } from "../../platform/database/database.ts";
import { openTestLog } from "../../platform/testing/test-log.ts";

export const PAGE = "http://arena.test";

export interface TestServer {
  readonly port: number;
  readonly origin: string;
  close(): Promise<void>;
}

export async function openTestServer(
  { connectionString }: Pick<Database, "connectionString">,
  environment: Readonly<Record<string, string>> = {},
  log = openTestLog(),
): Promise<TestServer> {
  const folder = await mkdtemp(path.join(tmpdir(), "holo-server-"));
  const config = parseConfig({
    NODE_ENV: "test",
    PORT: "0",
    DATA_DIR: folder,
    DATABASE_URL: connectionString,
    AUTH_SECRET: "a secret of tests, long enough to be one",
    PUBLIC_URL: PAGE,
    ...environment,
  });
  if (!config.ok) throw new Error(config.refusal.join("\n"));
  const { port, close } = await startServer(config.value, log);
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    async close() {
      await close();
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}
