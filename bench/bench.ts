/**
 * `npm run bench [PART]`: compares the arena with reference programs in one run. bench/README.md
 * describes parts and options.
 */
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { provideChromium } from "../scripts/install/chromium.js";
import { provideNats } from "../scripts/install/nats.js";
import { benchAttack } from "./attack/attack.ts";
import { benchConnections } from "./connections/connections.ts";
import { benchDuel } from "./duel/duel.ts";
import { benchWholeGames } from "./duel/whole-games.ts";
import { benchEvening } from "./evening/evening.ts";
import { benchLedger } from "./ledger/ledger.ts";
import { benchLifecycle } from "./lifecycle/lifecycle.ts";
import { benchLobby } from "./lobby/lobby.ts";
import { benchLighthouse } from "./page/lighthouse.ts";
import { benchPage } from "./page/page.ts";
import { benchReconnect } from "./reconnect/reconnect.ts";
import { type Finding, formatTable, note, print } from "./report.ts";
import { benchRules } from "./rules/rules.ts";
import { stopAllOnExit } from "./servers/processes.ts";
import { benchSeveralServers } from "./several-servers/several-servers.ts";
import { benchVolume } from "./volume/volume.ts";

const PARTS = [
  "rules",
  "ledger",
  "page",
  "lighthouse",
  "duel",
  "whole-games",
  "lifecycle",
  "connections",
  "lobby",
  "attack",
  "reconnect",
  "several-servers",
  "evening",
  "volume",
] as const;
const IN_BROWSER: readonly string[] = ["page", "lighthouse"];
const SECONDS = 10;
const EVENING_SECONDS = 600;
const SECONDS_MAX = 600;

function fail(text: string): never {
  note(`bench: ${text}`);
  process.exit(2);
}

function readOptions() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        only: { type: "string" },
        seconds: { type: "string" },
        size: { type: "string" },
        strict: { type: "boolean", default: false },
        profile: { type: "string" },
      },
    });
    if (positionals.length > 1) fail("one part at a time, or all of them");
    return { ...values, only: values.only ?? positionals[0] };
  } catch (error) {
    return fail(error instanceof Error ? error.message : "invalid arguments");
  }
}

const { only, seconds, size, strict, profile } = readOptions();
const part = PARTS.find((name) => name === only);
if (only !== undefined && part === undefined) fail(`--only takes one of ${PARTS.join(", ")}`);
const duelSeconds = Number(seconds ?? SECONDS);
if (!(duelSeconds >= 1 && duelSeconds <= SECONDS_MAX)) fail(`--seconds takes 1 to ${SECONDS_MAX}`);
const profileDir = profile === undefined ? undefined : path.resolve(profile);

const canServe = process.platform === "linux";
if (!canServe && part !== "rules") note("bench: everything except rules needs Linux");

const missing = canServe && (part === undefined || IN_BROWSER.includes(part)) ? provideChromium() : null;
if (missing !== null) fail(missing);
const withoutNats = canServe && (part === undefined || part === "several-servers") ? provideNats() : null;
if (withoutNats !== null) fail(withoutNats);

stopAllOnExit();
const findings: Finding[] = [];
if (part === undefined || part === "rules") findings.push(...benchRules());
if (canServe && (part === undefined || part === "ledger")) findings.push(...(await benchLedger()));
// Before the parts that pin this process, and its browsers, to one core.
if (canServe && (part === undefined || part === "page")) findings.push(...(await benchPage(profileDir)));
if (canServe && (part === undefined || part === "lighthouse")) findings.push(...(await benchLighthouse()));
if (canServe && (part === undefined || part === "duel"))
  findings.push(...(await benchDuel({ seconds: duelSeconds, profileDir })));
if (canServe && (part === undefined || part === "duel" || part === "whole-games"))
  findings.push(...(await benchWholeGames(duelSeconds, profileDir)));
if (canServe && (part === undefined || part === "lifecycle")) findings.push(...(await benchLifecycle(profileDir)));
if (canServe && (part === undefined || part === "connections")) findings.push(...(await benchConnections(profileDir)));
if (canServe && (part === undefined || part === "lobby"))
  findings.push(
    ...(await benchLobby({
      watchers: size === undefined ? undefined : Number(size),
      seconds: duelSeconds,
      profileDir,
    })),
  );
if (canServe && (part === undefined || part === "attack")) findings.push(...(await benchAttack(profileDir)));
if (canServe && (part === undefined || part === "reconnect"))
  findings.push(...(await benchReconnect(size === undefined ? undefined : Number(size), profileDir)));
if (canServe && (part === undefined || part === "several-servers"))
  findings.push(
    ...(await benchSeveralServers({
      seconds: duelSeconds,
      games: size === undefined ? undefined : Number(size),
      profileDir,
    })),
  );
// Ten minutes: only when named.
if (canServe && part === "evening")
  findings.push(...(await benchEvening(Number(seconds ?? EVENING_SECONDS), profileDir)));
if (canServe && (part === undefined || part === "volume"))
  findings.push(...(await benchVolume(size === undefined ? undefined : Number(size))));

print(formatTable(findings));
const missed = findings.filter(({ goal }) => goal?.isMet === false);
print(missed.length === 0 ? "every goal is met" : `goals missed: ${missed.length}`);
process.exit(strict && missed.length > 0 ? 1 : 0);
