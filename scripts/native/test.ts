/** Runs the tests of the native hosts, a separate command because they need special tools. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { findNode, ROOT, toCommand } from "../runtime.js";
import { loadHost } from "./build.ts";
import type { HostName } from "./host.ts";
import { formatMissing, provideTools } from "./tools.ts";

const REPORT = path.join(ROOT, ".cache", "tests", "native.json");

/** Prints `N passed, N failed` last. A host whose tools are missing counts as one failure. */
export async function testHosts(hosts: readonly HostName[]): Promise<boolean> {
  const ready: HostName[] = [];
  for (const host of hosts) {
    const { buildTools, testTools } = await loadHost(host);
    const missing = provideTools([...buildTools, ...testTools]);
    if (missing.length === 0) ready.push(host);
    else process.stdout.write(`The tests of ${host} did not run. ${formatMissing(missing)}\n`);
  }
  const counts = ready.length > 0 ? runVitest(ready) : { passed: 0, failed: 0 };
  const failed = counts.failed + hosts.length - ready.length;
  process.stdout.write(`${counts.passed} passed, ${failed} failed\n`);
  return failed === 0;
}

function runVitest(hosts: readonly HostName[]): { readonly passed: number; readonly failed: number } {
  rmSync(REPORT, { force: true });
  mkdirSync(path.dirname(REPORT), { recursive: true });
  const flags = ["--config=vitest.native.config.ts", "--reporter=verbose", "--reporter=json"];
  const folders = hosts.map((host) => `apps/${host}/`);
  const command = [toCommand("vitest/vitest.mjs"), "run", ...flags, `--outputFile.json=${REPORT}`, ...folders];
  const { status } = spawnSync(findNode() ?? process.execPath, command, { cwd: ROOT, stdio: ["ignore", 1, 2] });
  const report = existsSync(REPORT) ? JSON.parse(readFileSync(REPORT, "utf8")) : {};
  const { numPassedTests: passed = 0, numFailedTests: failed = 0 } = report;
  // A file that does not load fails no test, and an empty run passes none.
  return { passed, failed: failed === 0 && (status !== 0 || passed === 0) ? 1 : failed };
}
