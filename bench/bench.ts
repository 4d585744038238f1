/**
 * `npm run bench [PART]`: compares the arena with reference programs in one run. bench/README.md
 * describes parts and options.
 */
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { isGameType } from "@holo/rules/registry.ts";
import { provideChromium } from "../scripts/install/chromium.js";
import { provideNats } from "../scripts/install/nats.js";
import { benchAttack } from "./attack/attack.ts";
import { benchCrowd } from "./crowd.ts";
import { benchDuel } from "./duel/duel.ts";
import { benchEngine } from "./engine/engine.ts";
import { benchEvening } from "./evening/evening.ts";
import { benchPage } from "./page/page.ts";
import { benchProvenance } from "./provenance/provenance.ts";
import { type Finding, formatTable, note, print } from "./report.ts";
import { benchScreening } from "./screening.ts";
import { benchReconnect } from "./several-servers/reconnect.ts";
import { benchSeveralServers } from "./several-servers/several-servers.ts";
import { benchVolume } from "./volume/volume.ts";

interface Options {
  readonly seconds: number | undefined;
  /** Of players or games. */
  readonly size: number | undefined;
  readonly profileDir: string | undefined;
  /** Of the engine: one game, one level. */
  readonly game: string | undefined;
  readonly level: number | undefined;
}

const SECONDS = 10;
const CROWD_SECONDS = 300;
const SCREENING_SECONDS = 60;
const EVENING_SECONDS = 600;
const SECONDS_MAX = 600;

/** In this order. The browser comes before the parts that pin this process to one core. */
const PARTS: Readonly<Record<string, (options: Options) => Promise<readonly Finding[]>>> = {
  page: () => benchPage(),
  duel: ({ seconds = SECONDS, profileDir }) => benchDuel(seconds, profileDir),
  crowd: ({ seconds = CROWD_SECONDS, profileDir }) => benchCrowd(seconds, profileDir),
  attack: ({ profileDir }) => benchAttack(profileDir),
  reconnect: ({ size, profileDir }) => benchReconnect(size, profileDir),
  "several-servers": ({ size, seconds = SECONDS, profileDir }) =>
    benchSeveralServers({ games: size, seconds, profileDir }),
  volume: ({ size }) => benchVolume(size),
  provenance: ({ size }) => benchProvenance(size),
  screening: ({ seconds = SCREENING_SECONDS, profileDir }) => benchScreening(seconds, profileDir),
  evening: ({ seconds = EVENING_SECONDS, profileDir }) => benchEvening(seconds, profileDir),
  engine: ({ game, level, size: games }) => benchEngine({ game, level, games }),
};
/** Ten minutes or more each. */
const ONLY_BY_NAME = ["evening", "engine"];

function fail(text: string): never {
  note(`bench: ${text}`);
  process.exit(2);
}

function readOptions() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        seconds: { type: "string" },
        size: { type: "string" },
        strict: { type: "boolean", default: false },
        profile: { type: "string" },
        game: { type: "string" },
        level: { type: "string" },
      },
    });
    if (positionals.length > 1) fail("one part at a time, or all of them");
    return { ...values, part: positionals[0] };
  } catch (error) {
    return fail(error instanceof Error ? error.message : "invalid arguments");
  }
}

const { part, seconds, size, strict, profile, game, level } = readOptions();
if (part !== undefined && PARTS[part] === undefined) fail(`there is no part ${part}: ${Object.keys(PARTS).join(", ")}`);
const options: Options = {
  seconds: seconds === undefined ? undefined : Number(seconds),
  size: size === undefined ? undefined : Number(size),
  profileDir: profile === undefined ? undefined : path.resolve(profile),
  game,
  level: level === undefined ? undefined : Number(level),
};
if (game !== undefined && !isGameType(game)) fail(`there is no game "${game}"`);
const { seconds: forSeconds = SECONDS } = options;
if (!(forSeconds >= 1 && forSeconds <= SECONDS_MAX)) fail(`--seconds takes 1 to ${SECONDS_MAX}`);
if (process.platform !== "linux") fail("the benchmark needs Linux");
const chosen = Object.keys(PARTS).filter((name) => (part === undefined ? !ONLY_BY_NAME.includes(name) : name === part));
const missing = [
  chosen.includes("page") ? provideChromium() : null,
  chosen.includes("several-servers") ? provideNats() : null,
].find((why) => why !== null);
if (missing !== undefined) fail(missing);

// Servers end with this process.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
const findings: Finding[] = [];
for (const name of chosen) findings.push(...(await PARTS[name]!(options)));

print(formatTable(findings));
const missed = findings.filter(({ goal }) => goal?.isMet === false);
print(missed.length === 0 ? "every goal is met" : `goals missed: ${missed.length}`);
process.exit(strict && missed.length > 0 ? 1 : 0);
