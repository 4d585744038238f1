import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Environment } from "./config.ts";

interface SpawnedSandbox {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));
const ADDRESS = /^The payment sandbox is at (\S+)$/;

export function spawnSandbox(environment: Environment): Promise<SpawnedSandbox> {
  const child = spawn(process.execPath, [MAIN, "--child"], {
    env: environment as NodeJS.ProcessEnv,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    void ended.then(() => reject(new Error("the payment sandbox ended before it began")));
    createInterface(child.stdout).on("line", (line) => {
      const [, url] = ADDRESS.exec(line) ?? [];
      if (url === undefined || child.pid === undefined) return;
      resolve({
        url,
        pid: child.pid,
        async stop() {
          child.stdin.end();
          await ended;
        },
      });
    });
  });
}
