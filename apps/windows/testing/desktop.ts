import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { WINE, WINE_SERVER } from "../tools.ts";

/** The first start creates the Windows folder, which takes half a minute. */
const BOOT_MS = 400_000;
const PROGRAM_MS = 100_000;

export interface Desktop {
  /** The folder that Windows sees as C:\ */
  readonly drive: string;
  /** %LOCALAPPDATA%. */
  readonly localData: string;
  run(program: string, ...words: readonly string[]): Promise<{ readonly code: number; readonly output: string }>;
  register(keys: Readonly<Record<string, Readonly<Record<string, string>>>>): Promise<void>;
  forget(key: string): Promise<void>;
  stop(): Promise<void>;
}

export async function openDesktop(): Promise<Desktop> {
  const folder = mkdtempSync(path.join(tmpdir(), "holo-wine-"));
  mkdirSync(path.join(folder, "home"));
  const screen = await openScreen();
  const env = {
    ...process.env,
    HOME: path.join(folder, "home"),
    DISPLAY: `:${screen.number}`,
    WINEPREFIX: path.join(folder, "wine"),
    WINEARCH: "win64",
    WINEDEBUG: "-all",
    // These would open the machine's browser, add desktop shortcuts or offer installations.
    WINEDLLOVERRIDES: "winebrowser.exe,winemenubuilder.exe,mscoree,mshtml=d",
    WINESERVER: WINE_SERVER,
  };
  const drive = path.join(folder, "wine", "drive_c");

  async function runFor(limitMs: number, words: readonly string[]) {
    const child = spawn(WINE, words, {
      env,
      stdio: ["ignore", "pipe", "ignore"],
      timeout: limitMs,
      killSignal: "SIGKILL",
    });
    const [output, [code, signal]] = await Promise.all([text(child.stdout), once(child, "exit")]);
    if (signal !== null) throw new Error(`${words[0]} did not end within ${limitMs} ms.`);
    return { code: code as number, output };
  }

  async function stop() {
    spawnSync(WINE_SERVER, ["--kill"], { env });
    spawnSync(WINE_SERVER, ["--wait"], { env, timeout: PROGRAM_MS });
    await screen.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }

  try {
    await runFor(BOOT_MS, ["wineboot.exe", "--init"]);
    const users = readdirSync(path.join(drive, "users")).filter((name) => name !== "Public");
    return {
      drive,
      localData: path.join(drive, "users", users[0] ?? "", "AppData", "Local"),
      run: (program, ...words) => runFor(PROGRAM_MS, [program, ...words]),
      async register(keys) {
        writeFileSync(path.join(drive, "keys.reg"), toRegistryFile(keys));
        await runFor(PROGRAM_MS, ["regedit.exe", "/S", "C:\\keys.reg"]);
      },
      async forget(key) {
        await runFor(PROGRAM_MS, ["reg.exe", "delete", key, "/f"]);
      },
      stop,
    };
  } catch (fault) {
    await stop();
    throw fault;
  }
}

function toRegistryFile(keys: Readonly<Record<string, Readonly<Record<string, string>>>>): string {
  const quote = (words: string) => `"${words.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
  const lines = Object.entries(keys).flatMap(([key, values]) => [
    "",
    `[${key}]`,
    ...Object.entries(values).map(([name, value]) => `${name === "" ? "@" : quote(name)}=${quote(value)}`),
  ]);
  return ["REGEDIT4", ...lines, ""].join("\r\n");
}

async function openScreen(): Promise<{ readonly number: string; close(): Promise<void> }> {
  const words = ["-displayfd", "3", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"];
  const child: ChildProcess = spawn("Xvfb", words, { stdio: ["ignore", "ignore", "ignore", "pipe"] });
  const number = await new Promise<string>((resolve, reject) => {
    child.stdio[3]?.once("data", (data: Buffer) => resolve(data.toString().trim()));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`Xvfb ended with ${code}.`)));
  });
  return {
    number,
    async close() {
      const ended = once(child, "exit");
      if (child.exitCode === null && child.kill()) await ended;
    },
  };
}
