import process from "node:process";
import { parseArgs } from "node:util";
import { makeRandom } from "@holo/kernel/random.ts";
import { formatCount } from "../apps/server/src/operations/format-count.ts";
import { type CampaignOptions, type FaultRound, runCampaign, toRepeatCommand } from "./campaign.ts";
import { chooseFaults, FAULTS, type Fault, findImpossible, SERVERS_FAULTS } from "./faults/faults.ts";
import { runRepeatableSeeds } from "./repeatable/command.ts";
import { runMutants } from "./run-mutants.ts";

/**
 * `npm run simulate -- --seed N --games N` (README.md). Exits 1 if anything is wrong. `--hasty`
 * ends with the first finding; `--patience S` is how long no game may end.
 */
const OPTIONS = {
  seed: { type: "string" },
  seeds: { type: "string" },
  games: { type: "string" },
  restarts: { type: "string", default: "6" },
  faults: { type: "string" },
  players: { type: "string" },
  servers: { type: "string", default: "1" },
  "fault-ms": { type: "string", default: "2000" },
  payers: { type: "string", default: "8" },
  mutants: { type: "boolean", default: false },
  control: { type: "boolean", default: false },
  only: { type: "string" },
  hasty: { type: "boolean", default: false },
  patience: { type: "string", default: "90" },
  repeatable: { type: "boolean", default: false },
  steps: { type: "string" },
  times: { type: "string", default: "1" },
  shrink: { type: "boolean", default: false },
} as const;

function fail(text: string): never {
  process.stderr.write(`${text}\n`);
  process.exit(2);
}

function readOptions() {
  try {
    return parseArgs({ options: OPTIONS }).values;
  } catch (error) {
    return fail(error instanceof Error ? error.message : "invalid arguments");
  }
}

const values = readOptions();

const MISSED_MAX = 3;
const GAMES = 500;
const REPEATABLE = { games: 20, players: 8 };
const PLAYERS_MIN = 24;
/** Robots who cancel are paused (ruling 17); in a long campaign of few players all would be. */
const GAMES_PER_PLAYER = 8;

/** Restarts are alternately a crash and a shutdown. `--faults` replaces them. */
function toFaults(seed: number): readonly FaultRound[] {
  const servers = toCount("servers");
  if (values.faults === "all") return (servers > 1 ? [...SERVERS_FAULTS, ...FAULTS] : FAULTS).map(toPossible);
  if (values.faults === "seeded") {
    const chosen = chooseFaults(makeRandom(seed), servers);
    chosen.flat().forEach(toPossible);
    return chosen;
  }
  if (values.faults !== undefined) return values.faults.split(",").filter(Boolean).map(parseRound);
  return Array.from({ length: toCount("restarts") }, (_, index) => (index % 2 === 0 ? "kill" : "stop"));
}

/** Parses `kill` or `kill+half-open clients`. */
function parseRound(text: string): FaultRound {
  const [first, second] = text.split("+").map(parseFault);
  return second === undefined ? first! : [first!, second];
}

function parseFault(name: string): Fault {
  const fault = [...FAULTS, ...SERVERS_FAULTS].find((one) => one === name);
  if (fault !== undefined) return toPossible(fault);
  return fail(`--faults: there is no fault "${name}"; there are ${[...FAULTS, ...SERVERS_FAULTS].join(", ")}`);
}

/** A fault that does nothing would count as survived. */
function toPossible(fault: Fault): Fault {
  const why = findImpossible(fault, { servers: toCount("servers"), payers: toCount("payers") });
  if (why === null) return fault;
  return fail(`--faults: ${why}`);
}

function toCount(
  name: "seed" | "games" | "restarts" | "players" | "servers" | "payers" | "patience" | "fault-ms" | "steps" | "times",
  byDefault = 1,
): number {
  const count = Number(values[name] ?? byDefault);
  if (Number.isSafeInteger(count) && count >= 0) return count;
  return fail(`--${name} must be a whole number`);
}

if (values.mutants || values.control) {
  const isControl = values.control;
  const seed = values.seed === undefined ? undefined : toCount("seed");
  const wrong = await runMutants({ only: values.only, isControl, seed });
  const what = isControl ? "runs without a planted bug noticed something" : "planted bugs were missed";
  process.stdout.write(`${wrong.length} ${what}${wrong.map((name) => `\n  ${name}`).join("")}\n`);
  process.exit(wrong.length > (isControl ? 0 : MISSED_MAX) ? 1 : 0);
}

function listSeeds(): readonly number[] {
  const range = values.seeds ?? String(toCount("seed"));
  const [first = Number.NaN, last = first, ...rest] = range.split("-").map(Number);
  if (![first, last].every(Number.isSafeInteger) || last < first || rest.length > 0)
    fail("--seeds must be a seed or two, as 1-20");
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);
if (values.repeatable) {
  const wrong = await runRepeatableSeeds({
    seeds: listSeeds(),
    games: toCount("games", REPEATABLE.games),
    players: toCount("players", REPEATABLE.players),
    servers: toCount("servers"),
    stepsMax: values.steps === undefined ? null : toCount("steps"),
    times: toCount("times"),
    shrinks: values.shrink,
    isHasty: values.hasty,
    say,
  });
  process.exit(wrong === 0 ? 0 : 1);
}

const games = toCount("games", GAMES);
let wrong = 0;
for (const seed of listSeeds()) {
  const startedMs = performance.now();
  const options: CampaignOptions = {
    seed,
    games,
    servers: toCount("servers"),
    faults: toFaults(seed),
    faultMs: toCount("fault-ms"),
    players:
      values.players === undefined ? Math.max(PLAYERS_MIN, Math.ceil(games / GAMES_PER_PLAYER)) : toCount("players"),
    payers: toCount("payers"),
    isHasty: values.hasty,
    patienceMs: toCount("patience") * 1_000,
    report: say,
  };
  const { games: ended, commands, acknowledged, views, simulatedMs, faults } = await runCampaign(options);
  for (const [what, count] of commands) say(`${String(count).padStart(8)}  ${what}`);
  const tookMs = performance.now() - startedMs;
  say(
    `seed ${seed}: ${formatCount(ended, "game")}, ${formatCount(acknowledged, "acknowledged command")} and ` +
      `${formatCount(views, "view")} compared with the database ` +
      `in ${Math.round(tookMs / 1_000)} s, ${(simulatedMs / tookMs).toFixed(1)} simulated hours per hour`,
  );
  for (const one of faults.slice(0, 20)) say(`WRONG: ${one}`);
  if (faults.length > 0) say(`Repeat with: ${toRepeatCommand(options)}`);
  wrong += faults.length;
}
// Clients that still reconnect must not keep the process alive.
process.exit(wrong === 0 ? 0 : 1);
