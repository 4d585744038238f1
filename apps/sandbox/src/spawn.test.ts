import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isAlive } from "../../server/src/platform/postgres/postmaster.ts";
import { startSandbox } from "./sandbox.ts";
import { spawnSandbox } from "./spawn.ts";
import { openControl } from "./testing/sandbox-control.ts";
import { openTestSandbox, TEST_KEY } from "./testing/test-sandbox.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "holo-sandbox-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const PARENT = `
  import { spawnSandbox } from ${JSON.stringify(new URL("spawn.ts", import.meta.url).href)};
  const { pid } = await spawnSandbox({});
  process.stdout.write(String(pid));
  setInterval(() => undefined, 1000);
`;

describe("the sandbox as a process", () => {
  it("prints its address, keeps its state between runs, and stops on order", async () => {
    const environment = { PAYSTACK_SECRET_KEY: TEST_KEY, STATE_FILE: path.join(folder, "process.json") };
    const first = await spawnSandbox(environment);
    await openControl(first.url).setBalance(42);
    await first.stop();
    expect(isAlive(first.pid)).toBe(false);
    const second = await spawnSandbox(environment);
    expect((await openControl(second.url).state()).balance).toBe(42);
    await second.stop();
  });

  it("ends when its parent is killed", async () => {
    const parent = spawn(process.execPath, ["--input-type=module", "-e", PARENT], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [said] = (await once(parent.stdout, "data")) as [Buffer];
    const pid = Number(said.toString());
    expect(isAlive(pid)).toBe(true);
    parent.kill("SIGKILL");
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it("refuses to start with an invalid configuration", async () => {
    await expect(spawnSandbox({ NODE_ENV: "production" })).rejects.toThrow("ended before it began");
  });
});

describe("a state file", () => {
  it("keeps charges, transfers, faults and waiting webhooks", async () => {
    const stateFile = path.join(folder, "kept.json");
    const first = await openTestSandbox({ stateFile });
    await first.initialize("holo-1", { metadata: '{"a":1}' });
    await first.control.order({ on: "balance", fault: "500" });
    await first.control.change({ transferSettlesAfterMs: 3_600_000 });
    await first.transfer("holo-withdrawal-0001");
    const before = await first.control.state();
    await first.close();

    const second = await openTestSandbox({ stateFile });
    const after = await second.control.state();
    expect(after.transactions).toEqual(before.transactions);
    expect(after.transfers).toEqual(before.transfers);
    expect((await second.get("/balance")).status).toBe(500);
    await second.control.advance(3_600_000);
    expect(second.receiver.received).toMatchObject([{ event: "transfer.success" }]);
    await second.close();
  });

  it("is written after every change, including scheduled ones", async () => {
    const stateFile = path.join(folder, "own.json");
    const sandbox = await openTestSandbox({ stateFile });
    await sandbox.control.change({ transferSettlesAfterMs: 150 });
    await sandbox.transfer("holo-withdrawal-0001");
    await expect.poll(() => readFileSync(stateFile, "utf8")).toContain('"transfer.success"');
    await sandbox.close();
  });

  it("that is invalid prevents the start", async () => {
    const stateFile = path.join(folder, "broken.json");
    writeFileSync(stateFile, "{");
    await expect(startSandbox({ secretKey: TEST_KEY, stateFile })).rejects.toThrow(SyntaxError);
  });
});
