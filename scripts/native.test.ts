import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const SCRIPT = fileURLToPath(new URL("native.ts", import.meta.url));

it("reports a wrong argument with the usage and exits 2", () => {
  const words = ["android", "--origin", "http://arena.example", "--version", "1.2.3"];
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...words], { encoding: "utf8" });
  expect(stderr).toMatch(/^native: the origin must be https .*\nnpm run native -- android\|windows/);
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
});
