import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { expect, onTestFinished, test } from "vitest";
import { type FaultyMachine, makeFaultyMachine } from "./machine.ts";

const missing: string[] = [];
makeFaultyMachine((why) => void missing.push(why))?.remove();

/** Elsewhere nothing can be broken, which the simulation must then say. */
function testMachine(name: string, run: (disk: Disk) => void): void {
  test(`${name} (with Linux and a C compiler; elsewhere says that it needs them)`, () => {
    if (missing.length === 0) run(openDisk());
    else expect(missing).toEqual([expect.stringContaining("no power cut, failing sync or clock step")]);
  });
}

interface Disk {
  readonly machine: FaultyMachine;
  readonly disk: string;
  run(script: string): string;
}

function openDisk(): Disk {
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

testMachine(
  "a power cut loses what was written after the last sync, and nothing before it",
  ({ machine, disk, run }) => {
    run(`${OPEN} fs.writeSync(file, "lost", 2); fs.ftruncateSync(file, 1); fs.writeSync(file, "longer than before", 0);
    fs.renameSync("file", "renamed"); fs.writeFileSync("other", "lost");`);
    expect(readFileSync(path.join(disk, "renamed"), "utf8")).toBe("longer than before");
    expect(machine.loseUnsynced(disk)).toBe(4);
    expect(readFileSync(path.join(disk, "renamed"), "utf8")).toBe("synced");
    expect(readFileSync(path.join(disk, "other"), "utf8")).toBe("");
    expect(machine.loseUnsynced(disk)).toBe(0);
  },
);

testMachine("a sync that lies leaves a power cut everything to lose", ({ machine, disk, run }) => {
  machine.setSyncing("lies");
  run(OPEN);
  machine.loseUnsynced(disk);
  expect(readFileSync(path.join(disk, "file"), "utf8")).toBe("");
});

testMachine("a sync that fails says so", ({ machine, run }) => {
  machine.setSyncing("fails");
  const said = run(`try { ${OPEN} } catch (error) { console.log(error.code); }`);
  expect(said).toBe("EIO\n");
});

testMachine("the wall clock is set without the monotonic one", ({ machine, run }) => {
  const readClocks = (): string[] =>
    JSON.parse(run("console.log(JSON.stringify([Date.now(), String(process.hrtime.bigint())]))"));
  machine.setClock(-86_400_000);
  const before = process.hrtime.bigint();
  const [wallMs, monotonicNs] = readClocks();
  const after = process.hrtime.bigint();
  expect(Number(wallMs)).toBeLessThan(Date.now() - 80_000_000);
  // Of the whole machine, so that the child's lies between the parent's.
  expect(BigInt(monotonicNs!)).toBeGreaterThan(before);
  expect(BigInt(monotonicNs!)).toBeLessThan(after);
});
