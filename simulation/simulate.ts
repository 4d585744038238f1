import process from "node:process";
import { makeRandom } from "@holo/kernel/random.ts";
import { formatCount } from "../apps/server/src/operations/format-count.ts";
import { type CampaignOptions, runCampaign, toRepeatCommand } from "./campaign.ts";
import { chooseFaults, type FaultRound, listFaults, parseFaults } from "./faults/faults.ts";
import { readOptions } from "./options.ts";
import { runRepeatableSeeds } from "./repeatable/command.ts";
import { runMutants } from "./run-mutants.ts";

/** `npm run simulate -- --seed N --games N` (README.md). Exits 1 if anything is wrong. */
const MISSED_MAX = 3;
const GAMES = 500;
const REPEATABLE = { games: 20, players: 8 };
const PLAYERS_MIN = 24;
/** Robots who cancel are paused (ruling 17); in a long campaign of few players all would be. */
const GAMES_PER_PLAYER = 8;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** What is wrong with the options is said in one line. */
function orFail<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(2);
  }
}

const { values, toCount, seeds } = orFail(() => readOptions(process.argv.slice(2)));

function toFaults(seed: number): readonly FaultRound[] {
  const surroundings = { servers: toCount("servers"), payers: toCount("payers") };
  if (values.faults === "all") return listFaults(surroundings);
  if (values.faults === "seeded") return chooseFaults(makeRandom(seed), surroundings);
  return parseFaults(values.faults, surroundings);
}

if (values.mutants) {
  const missed = await runMutants(values.only, values.seed === undefined ? undefined : toCount("seed"));
  say(`${missed.length} planted bugs were missed${missed.map((name) => `\n  ${name}`).join("")}`);
  process.exit(missed.length > MISSED_MAX ? 1 : 0);
}

if (values.repeatable) {
  const wrong = await runRepeatableSeeds({
    seeds,
    games: toCount("games", REPEATABLE.games),
    players: toCount("players", REPEATABLE.players),
    servers: toCount("servers"),
    isHasty: values.hasty,
    say,
  });
  process.exit(wrong === 0 ? 0 : 1);
}

const games = toCount("games", GAMES);
let wrong = 0;
for (const seed of seeds) {
  const startedMs = performance.now();
  const options: CampaignOptions = {
    seed,
    games,
    servers: toCount("servers"),
    faults: orFail(() => toFaults(seed)),
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
