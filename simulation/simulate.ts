import process from "node:process";
import { parseArgs } from "node:util";
import { makeRandom } from "@holo/kernel/random.ts";
import { formatCount } from "../apps/server/src/operations/format-count.ts";
import { type CampaignOptions, runCampaign, toRepeatCommand } from "./campaign.ts";
import { chooseFaults, type FaultRound, listFaults, parseFaults } from "./faults/faults.ts";
import { runRepeatableSeeds } from "./repeatable/command.ts";
import { runMutants } from "./run-mutants.ts";

/** `npm run simulate -- --seed N --games N` (README.md). Exits 1 if anything is wrong. */
const OPTIONS = {
  seed: { type: "string" },
  seeds: { type: "string" },
  games: { type: "string" },
  faults: { type: "string", default: "seeded" },
  players: { type: "string" },
  servers: { type: "string", default: "1" },
  "fault-ms": { type: "string", default: "2000" },
  payers: { type: "string", default: "8" },
  mutants: { type: "boolean", default: false },
  only: { type: "string" },
  /** Ends with the first finding. */
  hasty: { type: "boolean", default: false },
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

function toFaults(seed: number): readonly FaultRound[] {
  const surroundings = { servers: toCount("servers"), payers: toCount("payers") };
  if (values.faults === "all") return listFaults(surroundings);
  if (values.faults === "seeded") return chooseFaults(makeRandom(seed), surroundings);
  try {
    return parseFaults(values.faults, surroundings);
  } catch (error) {
    return fail(`--faults: ${(error as Error).message}`);
  }
}

function toCount(
  name: "seed" | "games" | "players" | "servers" | "payers" | "fault-ms" | "steps" | "times",
  byDefault = 1,
): number {
  const count = Number(values[name] ?? byDefault);
  if (Number.isSafeInteger(count) && count >= 0) return count;
  return fail(`--${name} must be a whole number`);
}

if (values.mutants) {
  const missed = await runMutants(values.only, values.seed === undefined ? undefined : toCount("seed"));
  process.stdout.write(`${missed.length} planted bugs were missed${missed.map((name) => `\n  ${name}`).join("")}\n`);
  process.exit(missed.length > MISSED_MAX ? 1 : 0);
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
