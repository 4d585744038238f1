import { createWriteStream, mkdirSync } from "node:fs";
import path from "node:path";
import { formatCount } from "../../apps/server/src/operations/format-count.ts";
import { startTestPostgres, type TestPostgres } from "../../apps/server/src/platform/testing/test-postgres.ts";
import { type RepeatableOptions, type RepeatableReport, runRepeatable } from "./run.ts";

interface RepeatableCommand {
  readonly seeds: readonly number[];
  readonly games: number;
  readonly players: number;
  readonly servers: number;
  /** Ends after the first seed with findings. */
  readonly isHasty: boolean;
  readonly say: (text: string) => void;
}

type Run = Omit<RepeatableOptions, "connectionString">;

const FOLDER = path.resolve(import.meta.dirname, "..", "..", ".cache", "simulation");

/** How many runs had findings. */
export async function runRepeatableSeeds(command: RepeatableCommand): Promise<number> {
  const { seeds, games, players, servers, isHasty, say } = command;
  const cluster = await startTestPostgres(false);
  let wrong = 0;
  try {
    for (const seed of seeds) {
      if (isHasty && wrong > 0) break;
      const run: Run = { seed, games, players, servers };
      const startedMs = performance.now();
      const report = await runOne(cluster, run);
      say(`seed ${seed}: ${describe(report)}, in ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
      for (const one of report.findings.slice(0, 20)) say(`WRONG: ${one}`);
      if (report.findings.length === 0) continue;
      wrong += 1;
      say(`Repeat with: ${toRepeatCommand(run)}`);
    }
  } finally {
    await cluster.stop();
  }
  return wrong;
}

/** The notes of a run go to `.cache/simulation`. */
async function runOne(cluster: TestPostgres, run: Run): Promise<RepeatableReport> {
  mkdirSync(FOLDER, { recursive: true });
  const notes = createWriteStream(path.join(FOLDER, `${run.seed}.txt`));
  try {
    const connectionString = await cluster.makeDatabase();
    return await runRepeatable({ ...run, connectionString, onNote: (line) => void notes.write(`${line}\n`) });
  } finally {
    await new Promise<void>((resolve) => notes.end(resolve));
  }
}

export function toRepeatCommand({ seed, games, players, servers = 1 }: Run): string {
  return `npm run simulate -- --repeatable --seed ${seed} --games ${games} --players ${players} --servers ${servers}`;
}

function describe(report: RepeatableReport): string {
  const { hash, games, acknowledged, virtualMs, steps, faults, lostConnections, lockWaits } = report;
  const injected = [...faults].map(([fault, count]) => `${count} ${fault}`).join(", ");
  const inDatabase = `${formatCount(lostConnections, "lost connection")}, ${lockWaits} waits for locks`;
  const counts = `${formatCount(games, "game")}, ${formatCount(acknowledged, "acknowledged command")}`;
  return `hash ${hash}, ${counts} in ${Math.round(virtualMs / 1_000)} virtual s and ${steps} steps (${injected || "no faults"}; ${inDatabase})`;
}
