import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { expect, onTestFinished, test } from "vitest";
import { type FaultyMachine, makeFaultyMachine } from "./machine.ts";

function openDisk(): { machine: FaultyMachine; disk: string; run(script: string): string } {
  const machine = makeFaultyMachine((text) => expect.fail(text))!;
  const disk = mkdtempSync(path.join(tmpdir(), "holo-disk-"));
  onTestFinished(() => {
    machine.remove();
    rmSync(disk, { recursive: true });
  });
  const env = { ...machine.env, FAULTY_DISK: disk };
  const run = (script: string): string =>
    execFileSync(process.execPath, ["-e", `const fs = require("node:fs"); ${script}`], {
      cwd: disk,
      env,
      encoding: "utf8",
    });
  return { machine, disk, run };
}

const OPEN = `const file = fs.openSync("file", "w+"); fs.writeSync(file, "synced"); fs.fsyncSync(file);`;

test("a power cut loses what was written after the last sync, and nothing before it", () => {
  const { machine, disk, run } = openDisk();
  run(`${OPEN} fs.writeSync(file, "lost", 2); fs.ftruncateSync(file, 1); fs.writeSync(file, "longer than before", 0);
    fs.renameSync("file", "renamed"); fs.writeFileSync("other", "lost");`);
  expect(readFileSync(path.join(disk, "renamed"), "utf8")).toBe("longer than before");
  expect(machine.loseUnsynced(disk)).toBe(4);
  expect(readFileSync(path.join(disk, "renamed"), "utf8")).toBe("synced");
  expect(readFileSync(path.join(disk, "other"), "utf8")).toBe("");
  expect(machine.loseUnsynced(disk)).toBe(0);
});

test("a sync that lies leaves a power cut everything to lose", () => {
  const { machine, disk, run } = openDisk();
  machine.setSyncing("lies");
  run(OPEN);
  machine.loseUnsynced(disk);
  expect(readFileSync(path.join(disk, "file"), "utf8")).toBe("");
});

test("a sync that fails says so", () => {
  const { machine, run } = openDisk();
  machine.setSyncing("fails");
  const said = run(`try { ${OPEN} } catch (error) { console.log(error.code); }`);
  expect(said).toBe("EIO\n");
});

test("the wall clock is set without the monotonic one", () => {
  const { machine, run } = openDisk();
  const readClocks = (): number[] => JSON.parse(run("console.log(JSON.stringify([Date.now(), performance.now()]))"));
  machine.setClock(-86_400_000);
  const [wallMs, sinceStartMs] = readClocks();
  expect(new Date(wallMs!).getTime()).toBeLessThan(Date.now() - 80_000_000);
  expect(sinceStartMs).toBeGreaterThanOrEqual(0);
});
