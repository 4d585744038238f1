import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { canInstall, runApt } from "../../../../scripts/install/debian.js";
import { makeRelease } from "../../../../scripts/release/release.ts";
import type { Finding } from "./doctor/finding.ts";
import { ARCHIVES, readSteps, VERSIONS, writeSteps } from "./testing/install-steps.ts";

/** The commands of docs/operations in a Debian that boots: minutes, so only in deep tests. */
const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const DRILL = path.join(ROOT, "deploy/install-drill.sh");
const PHASE_MS_MAX = 900_000;

/** Everything that it started ends with it, because it ends with its namespace's first process. */
function run(command: string, ...args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, {
    cwd: ROOT,
    stdio: ["ignore", "inherit", "inherit"],
    timeout: PHASE_MS_MAX,
    killSignal: "SIGKILL",
  });
  if (status !== 0) throw new Error(`${command} ${args[0]} ended with ${error?.message ?? status}`);
}

const isDeep = process.env.DEEP === "1";

/** A machine may forbid them, as containers do. */
function hasNamespaces(): boolean {
  const own = ["--mount", "--pid", "--net", "--uts", "--ipc", "--cgroup", "--fork", "--", "true"];
  return spawnSync("unshare", own, { stdio: "ignore" }).status === 0;
}

if (isDeep && canInstall() && hasNamespaces()) {
  test("a booted Debian installs by the pages' commands, registers, plays, pays, loses its database, upgrades and goes back", async () => {
    if (!existsSync("/usr/bin/mmdebstrap"))
      runApt([["update"], ["install", "-y", "--no-install-recommends", "mmdebstrap"]]);
    const place = await mkdtemp(path.join(tmpdir(), "holo-install-"));
    const [root, steps] = [path.join(place, "root"), path.join(place, "steps")];
    const read = async (file: string): Promise<string> => await readFile(path.join(steps, file), "utf8");
    try {
      await mkdir(steps);
      await writeSteps(steps);
      run("mmdebstrap", "--variant=minbase", "--include=ca-certificates,systemd-sysv", "trixie", root);
      for (const version of Object.values(VERSIONS)) {
        await makeRelease(path.join(root, ARCHIVES), version, ["linux-x64"]);
      }
      run("unshare", "--mount", "--", "bash", DRILL, root, steps, "network");
      try {
        run("unshare", "--mount", "--", "bash", DRILL, root, steps, "boot");
      } catch (error) {
        for (const file of ["commands", "journal.log"]) process.stdout.write(await read(file).catch(() => ""));
        throw error;
      }
      const printed = await read("printed");
      expect(printed).toMatch(/^played \d+ moves$/m);
      const [loss, ...counts] = /^lost (\d+) moves, (\d+) deposits of \d+ moves, (\d+) deposits, ([\d.]+) s$/m.exec(
        printed,
      )!;
      const [lostMoves, lostDeposits, deposits, lostSeconds] = counts.map(Number) as [number, number, number, number];
      process.stdout.write(`${await read("holo-arena.log")}the database was destroyed: ${loss}\n`);
      expect(lostMoves, "moves were acknowledged after the last archived one").toBeGreaterThan(0);
      expect(deposits - lostDeposits, "deposits that were archived are there").toBeGreaterThan(0);
      expect(lostSeconds).toBeLessThanOrEqual(60);
      const { findings } = JSON.parse(/^\{.*?^\}/ms.exec(printed)![0]) as { readonly findings: readonly Finding[] };
      // No mail server is reachable, and the provider has stopped.
      const faults = findings.filter(({ status }) => status === "fault").map(({ check }) => check);
      expect(faults).toEqual(["mail", "payment provider"]);
    } finally {
      await rm(place, { recursive: true, force: true });
    }
  }, 1_800_000);
} else {
  if (isDeep)
    process.stdout.write("NOT TRIED: the installation under systemd, which needs Debian, root and namespaces\n");
  test("the pages have the steps that the drill runs", async () => {
    const named = async (page: string): Promise<readonly number[]> =>
      (await readSteps(page)).flatMap((commands, number) => (commands === "" ? [] : [number]));
    expect(await named("install.md")).toEqual([1, 2, 3, 4, 5, 6, 8, 9]);
    expect(await named("point-in-time-recovery.md")).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(await named("upgrade.md")).toEqual([0]);
  });
}
