import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterEach, beforeEach, expect, test } from "vitest";

const MODULE = new URL("process-tree.js", import.meta.url).href;

/** Replaces a worker that ends, and starts a database with a session and a client of its own. */
const RUNNER = `
  import { spawn } from "node:child_process";
  import { writeFileSync } from "node:fs";
  const start = (command, detached) => {
    const child = spawn(command[0], command.slice(1), { detached, stdio: "ignore" });
    writeFileSync("started-" + child.pid, "");
    return child;
  };
  const work = () => start(["sh", "-c", "trap '' TERM; sleep 300"], false).once("exit", work);
  work();
  start(["sleep", "301"], true);
  const orphan = start(["sh", "-c", "sleep 302 & echo > started-$!"], true);
  orphan.once("exit", () => writeFileSync("ready", ""));
  process.on("SIGTERM", () => work());
`;

/** Runs the runner, then a command that must not start once the first was ended. */
const MAIN = `
  import { endOnSignals, run } from ${JSON.stringify(MODULE)};
  endOnSignals(300);
  await run(process.execPath, ["--input-type=module", "-e", ${JSON.stringify(RUNNER)}], { stdio: "ignore" });
  await run("touch", ["next"], { stdio: "ignore" });
`;

let folder: string;
let main: ChildProcess;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "holo-tree-"));
  main = spawn(process.execPath, ["--input-type=module", "-e", MAIN], { cwd: folder, stdio: "inherit" });
});
afterEach(async () => {
  main.kill("SIGKILL");
  await rm(folder, { recursive: true });
});

function listRunning(): readonly number[] {
  const pids = readdirSync(folder).flatMap((name) => /^started-(\d+)$/.exec(name)?.[1] ?? []);
  return pids.map(Number).filter((pid) => {
    try {
      return !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
    } catch {
      return false;
    }
  });
}

// [OPS-42 §-] SIGTERM or Ctrl-C during `npm test` ends everything that it has started, databases and browsers too,
// and starts nothing further.
test.runIf(process.platform === "linux")(
  "a signal ends what a run has started, whatever its group, parent or will, and nothing starts afterwards [OPS-42]",
  async () => {
    await expect.poll(() => existsSync(path.join(folder, "ready"))).toBe(true);
    expect(listRunning().length).toBeGreaterThanOrEqual(3);
    main.kill("SIGTERM");
    const [code] = await once(main, "exit");
    expect(code).toBe(143);
    expect(listRunning()).toEqual([]);
    expect(existsSync(path.join(folder, "next"))).toBe(false);
  },
);
