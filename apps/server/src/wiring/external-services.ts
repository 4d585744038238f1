import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { toReachableHost } from "../../../sandbox/src/machine.ts";
import { spawnSandbox } from "../../../sandbox/src/spawn.ts";
import type { Config } from "../config.ts";
import { keepSecret } from "../platform/auth-secret.ts";
import type { Database } from "../platform/database/database.ts";
import { makeFolder } from "../platform/files/make-folder.ts";
import { openMailFolder } from "../platform/mail/mail-folder.ts";
import type { Mailer } from "../platform/mail/mailer.ts";
import { openSmtpMailer } from "../platform/mail/smtp.ts";
import { randomBytes } from "../platform/runtime.ts";

/** A device that reaches the page reaches the checkout too, by the host of PUBLIC_URL. */
export async function startSandbox({ dataDir, host, publicUrl }: Pick<Config, "dataDir" | "host" | "publicUrl">) {
  const secretKey = `sk_test_${randomBytes(24).toString("hex")}`;
  const { url, stop } = await spawnSandbox({
    HOST: host ?? "0.0.0.0",
    PUBLIC_HOST: new URL(publicUrl).hostname,
    PAYSTACK_SECRET_KEY: secretKey,
    STATE_FILE: path.resolve(dataDir, "sandbox.json"),
  });
  return {
    url,
    secretKey,
    stop,
    async callBack(port: number, path: string): Promise<void> {
      const webhookUrl = `http://${toReachableHost(host)}:${port}${path}`;
      const headers = { "content-type": "application/json" };
      await fetch(`${url}/_sandbox/settings`, { method: "POST", headers, body: JSON.stringify({ webhookUrl }) });
    },
  };
}

/** SMTP if configured, which production requires; else a folder. */
export function openMailer({ mode, smtpUrl, dataDir, supportEmail: sender }: Config): Mailer {
  if (smtpUrl === null) return openMailFolder(path.join(dataDir, "outbox"), sender);
  return openSmtpMailer({ url: smtpUrl, sender, requiresTls: mode === "production" });
}

export function toOrigins(config: Config): readonly string[] {
  if (config.mode === "production") return [config.publicUrl];
  const local = [config.port, 5173].flatMap((port) => [`http://localhost:${port}`, `http://127.0.0.1:${port}`]);
  return [...new Set([config.publicUrl, ...local])];
}

/**
 * The secret of the configuration; else, outside production, one that is created once and stored,
 * so that sessions survive restarts. Throws if the database has another.
 */
export async function claimSecret(
  { kysely }: Database,
  { authSecret, dataDir }: Pick<Config, "authSecret" | "dataDir">,
): Promise<string> {
  const secret = authSecret ?? (await loadOrCreateSecret(dataDir));
  await keepSecret(kysely, secret);
  return secret;
}

async function loadOrCreateSecret(dataDir: string): Promise<string> {
  const file = path.join(dataDir, "auth-secret");
  await makeFolder(dataDir);
  try {
    await writeFile(file, randomBytes(32).toString("hex"), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return await readFile(file, "utf8");
}
