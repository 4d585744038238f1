import { createWriteStream, mkdirSync } from "node:fs";
import path from "node:path";
import { formatCount } from "../../apps/server/src/operations/format-count.ts";
import { type RepeatableCluster, startRepeatableCluster } from "./cluster.ts";
import { type RepeatableOptions, type RepeatableReport, runRepeatable } from "./run.ts";

interface RepeatableCommand {
  readonly seeds: readonly number[];
  readonly games: number;
  readonly players: number;
  readonly servers: number;
  /** Ends each run early. */
  readonly stepsMax: number | null;
  /** How often each seed runs; more than once compares the runs. */
  readonly times: number;
  /** Looks for the shortest prefix of a run with findings that has one. */
  readonly shrinks: boolean;
  /** Ends after the first seed with findings. */
  readonly isHasty: boolean;
  readonly say: (text: string) => void;
}

type Run = Omit<RepeatableOptions, "connectionString">;

const FOLDER = path.resolve(import.meta.dirname, "..", "..", ".cache", "simulation");
/** Shrinking ends when the prefix is this close to the shortest one. */
const SHARE_OF_STEPS = 0.01;

/** How many runs had findings or differed from another run of their seed. */
export async function runRepeatableSeeds(command: RepeatableCommand): Promise<number> {
  const { seeds, games, players, servers, stepsMax, times, shrinks, isHasty, say } = command;
  const cluster = await startRepeatableCluster();
  let wrong = 0;
  try {
    for (const seed of seeds) {
      if (isHasty && wrong > 0) break;
      const run: Run = { seed, games, players, servers, ...(stepsMax !== null && { stepsMax }) };
      const hashes = new Set<string>();
      for (let time = 0; time < times; time += 1) {
        const startedMs = performance.now();
        const report = await runOne(cluster, run);
        hashes.add(report.hash);
        say(`seed ${seed}: ${describe(report)}, in ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
        for (const one of report.findings.slice(0, 20)) say(`WRONG: ${one}`);
        if (report.findings.length === 0) continue;
        wrong += 1;
        const shortest = shrinks && time === 0 ? await shrink(cluster, run, report, say) : run;
        say(`Repeat with: ${toRepeatCommand(shortest)}`);
      }
      if (hashes.size > 1) say(`WRONG: ${times} runs of seed ${seed} were ${hashes.size} different ones`);
      wrong += hashes.size - 1;
    }
  } finally {
    await cluster.stop();
  }
  return wrong;
}

/** The notes of a run go to `.cache/simulation`. */
async function runOne(cluster: RepeatableCluster, run: Run): Promise<RepeatableReport> {
  mkdirSync(FOLDER, { recursive: true });
  const notes = createWriteStream(path.join(FOLDER, `${run.seed}.txt`));
  try {
    const connectionString = await cluster.createDatabase();
    return await runRepeatable({ ...run, connectionString, onNote: (line) => void notes.write(`${line}\n`) });
  } finally {
    await new Promise<void>((resolve) => notes.end(resolve));
  }
}

/** Halves the number of steps as long as the prefix has a finding of the whole run. */
async function shrink(
  cluster: RepeatableCluster,
  run: Run,
  report: RepeatableReport,
  say: RepeatableCommand["say"],
): Promise<Run> {
  const kinds = new Set(report.findings.map(toKind));
  let [clean, failing] = [0, report.steps];
  while (failing - clean > Math.max(1, failing * SHARE_OF_STEPS)) {
    const stepsMax = Math.floor((clean + failing) / 2);
    const { findings } = await runOne(cluster, { ...run, stepsMax });
    const same = findings.find((one) => kinds.has(toKind(one)));
    say(`  ${stepsMax} steps: ${same ?? "nothing of it found"}`);
    if (same !== undefined) failing = stepsMax;
    else clean = stepsMax;
  }
  return failing === report.steps ? run : { ...run, stepsMax: failing };
}

/** Without ids and numbers, which differ at another instant. */
function toKind(finding: string): string {
  return finding.replace(/[0-9a-f]+(?:-[0-9a-f]+){4}|\d+/g, "#");
}

export function toRepeatCommand({ seed, games, players, servers = 1, stepsMax }: Run): string {
  const bound = stepsMax === undefined ? "" : ` --steps ${stepsMax}`;
  return `npm run simulate -- --repeatable --seed ${seed} --games ${games} --players ${players} --servers ${servers}${bound}`;
}

function describe(report: RepeatableReport): string {
  const { hash, games, acknowledged, virtualMs, steps, faults, lostConnections, lockWaits } = report;
  const injected = [...faults].map(([fault, count]) => `${count} ${fault}`).join(", ");
  const inDatabase = `${formatCount(lostConnections, "lost connection")}, ${lockWaits} waits for locks`;
  const counts = `${formatCount(games, "game")}, ${formatCount(acknowledged, "acknowledged command")}`;
  return `hash ${hash}, ${counts} in ${Math.round(virtualMs / 1_000)} virtual s and ${steps} steps (${injected || "no faults"}; ${inDatabase})`;
}
