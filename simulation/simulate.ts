import process from "node:process";
import { parseArgs } from "node:util";
import { runCampaign } from "./campaign.ts";
import { FAULTS, type Fault } from "./faults.ts";
import { MUTANTS } from "./mutants.ts";
import { runMutants } from "./run-mutants.ts";

/**
 * `npm run simulate -- --seed N --games N [--restarts N] [--faults all] [--players N]`. Exits 1 if
 * anything differs. With `--mutants [--only TEXT]` it runs once per planted bug instead and exits 1
 * if it misses more than three.
 */
const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    games: { type: "string", default: "500" },
    restarts: { type: "string", default: "6" },
    faults: { type: "string" },
    players: { type: "string", default: "24" },
    mutants: { type: "boolean", default: false },
    only: { type: "string" },
  },
});

/** The same run for every planted bug. */
const MUTANT_FAULTS = "kill,no connections,killed database,time passes";
const MUTANT_OPTIONS = ["--seed", "11", "--games", "16", "--players", "12", "--faults", MUTANT_FAULTS];
const MISSED_MAX = 3;

/** Restarts are alternately a crash and a shutdown. `--faults` replaces them. */
function toFaults(): readonly Fault[] {
  if (values.faults === "all") return FAULTS;
  if (values.faults !== undefined) return FAULTS.filter((fault) => values.faults?.split(",").includes(fault));
  return Array.from({ length: toCount("restarts") }, (_, index) => (index % 2 === 0 ? "kill" : "stop"));
}

function toCount(name: "seed" | "games" | "restarts" | "players"): number {
  const count = Number(values[name]);
  if (Number.isSafeInteger(count) && count >= 0) return count;
  process.stderr.write(`--${name} must be a whole number\n`);
  process.exit(2);
}

if (values.mutants) {
  const missed = runMutants(MUTANT_OPTIONS, values.only);
  process.stdout.write(
    `${MUTANTS.length} planted bugs, ${missed.length} missed${missed.map((name) => `\n  ${name}`).join("")}\n`,
  );
  process.exit(missed.length > MISSED_MAX ? 1 : 0);
}

const seed = toCount("seed");
const startedMs = performance.now();
const { games, commands, acknowledged, views, faults } = await runCampaign({
  seed,
  games: toCount("games"),
  faults: toFaults(),
  players: toCount("players"),
  report: (text) => process.stdout.write(`${text}\n`),
});
for (const [what, count] of commands) process.stdout.write(`${String(count).padStart(8)}  ${what}\n`);
process.stdout.write(
  `seed ${seed}: ${games} games, ${acknowledged} acknowledged commands and ${views} views compared with the database in ${Math.round((performance.now() - startedMs) / 1_000)} s\n`,
);
for (const one of faults.slice(0, 20)) process.stdout.write(`WRONG: ${one}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
