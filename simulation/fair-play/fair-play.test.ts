import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { startTestPostgres } from "../../apps/server/src/platform/testing/test-postgres.ts";
import { runPopulation } from "./run.ts";

test("a small population and a scheme run through the server, and the auditor finds nothing", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "holo-lines-"));
  const cluster = await startTestPostgres(false);
  try {
    const connectionString = await cluster.makeDatabase();
    const options = { seed: 1, scheme: "B", players: 6, days: 1, schemes: 1, judgesMoves: false } as const;
    const library = { folder, linesPerPairing: 1, isQuick: true };
    const report = await runPopulation({ ...options, library, connectionString });
    expect(report.broken).toBeNull();
    expect(report.games).toBeGreaterThan(0);
    const [score] = report.schemes;
    expect(score?.dumpedNaira).toBeGreaterThan(0);
    expect(score?.heldNaira).toBeLessThanOrEqual(score!.dumpedNaira);
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true });
  }
});
