import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const SCRIPT = fileURLToPath(new URL("simulate.ts", import.meta.url));

it.each([
  [["--sed", "7"], "Unknown option '--sed'"],
  [["--seeds", "a-b"], "--seeds must be a seed or two, as 1-20"],
  [["--seeds", "9-2"], "--seeds must be a seed or two, as 1-20"],
])("refuses %s in one line instead of a run of nothing", (words, reason) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...words], { encoding: "utf8" });
  expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: "", stderr: expect.stringMatching(/^.*\n$/) });
  expect(stderr).toContain(reason);
});
