import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { findProcess, isGone } from "./process-identity.ts";

test.runIf(process.platform === "linux")("sees that a process has ended, and that another one runs", async () => {
  const child = spawn("sleep", ["60"]);
  const identity = findProcess(child.pid!);
  expect(isGone(identity)).toBe(false);
  child.kill();
  await once(child, "exit");
  expect(isGone(identity)).toBe(true);
});

// [OPS-41 §-] Where a hardened system hides boot and processes or forbids a lower priority, the server starts and
// serves all the same. Every request that fails with a server error has a log line and is counted.
test("where the system hides boot and processes, a process has a name and never counts as ended [OPS-41]", async () => {
  const proc = await mkdtemp(path.join(tmpdir(), "holo-proc-"));
  const identity = findProcess(process.pid, proc);
  expect(identity).toMatch(new RegExp(` ${process.pid} unknown$`));
  expect([isGone(identity, proc), isGone(identity), isGone(findProcess(process.pid), proc)]).toEqual([
    false,
    false,
    false,
  ]);
  await rm(proc, { recursive: true });
});
