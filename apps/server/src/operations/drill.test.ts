import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestPlayer } from "../accounts/testing/test-players.ts";
import { startTestSandbox, type TestSandbox } from "../payments/testing/test-sandbox.ts";
import type { Database } from "../platform/database/database.ts";
import { isAlive } from "../platform/postgres/postmaster.ts";
import { openTestLog } from "../platform/testing/test-log.ts";
import { findLostDeposits, type Payer, startPayer } from "../testing/payer.ts";
import { beginGame, countMoves, findLostMoves, type Pair, playSeries } from "../testing/robot-pairs.ts";
import { addServerPlayers } from "../testing/server-players.ts";
import { AUTH_SECRET, makeServerProcess, type ServerProcess, until } from "../testing/server-process.ts";
import { startRobot } from "../transport/testing/robot.ts";
import type { Finding } from "./doctor/finding.ts";
import { openArenaDatabase } from "./storage.ts";

/** The backup drill of docs/operations: real processes, while robots play and pay. */
const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const HOLO = path.join(ROOT, "apps/server/src/holo.ts");
const PAGE = "http://arena.test";
/** Of the games that go on during the backup. */
const STAKES = [1, 2, 5] as const;
const run = promisify(execFile);
/** Writes the addresses of these modules when the server loads them. */
const LIST_LOADED = `
import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";
registerHooks({
  resolve(name, context, next) {
    const found = next(name, context);
    if (/node_modules\\/(kysely|@opentelemetry)\\//.test(found.url)) appendFileSync(process.env.LOADED, found.url + "\\n");
    return found;
  },
});`;

let root: string;
let dataDir: string;
let environment: Readonly<Record<string, string>>;
let server: ServerProcess;
/** It outlives DATA_DIR, as the provider does. */
let sandbox: TestSandbox;
let loadedFile: string;
let players: readonly TestPlayer[];

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), "holo-drill-"));
  // The database's user must be able to enter.
  await chmod(root, 0o755);
  dataDir = path.join(root, "data");
  const { PATH = "", NODE_COMPILE_CACHE = "" } = process.env;
  environment = { PATH, NODE_COMPILE_CACHE, DATA_DIR: dataDir };
  server = await makeServerProcess({ DATA_DIR: dataDir, PUBLIC_URL: PAGE });
  sandbox = await startTestSandbox({ WEBHOOK_URL: `${server.origin}/api/paystack/webhook` });
  loadedFile = path.join(root, "loaded");
  const hook = path.join(root, "list-loaded.mjs");
  await writeFile(hook, LIST_LOADED);
  await server.start({
    ...listProviderVariables(),
    LOADED: loadedFile,
    NODE_OPTIONS: `--import=${pathToFileURL(hook)}`,
  });
  const { database, close } = await openArenaDatabase({ databaseUrl: null, dataDir }, openTestLog());
  players = await addServerPlayers(database, 2 * STAKES.length + 2, 10_000);
  await database.pool.query("update players set email_verified = true");
  await close();
}, 120_000);

afterAll(async () => {
  await server.end("SIGTERM");
  await sandbox.stop();
  await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
});

function listProviderVariables(): Readonly<Record<string, string>> {
  return { PAYSTACK_URL: sandbox.url, PAYSTACK_SECRET_KEY: sandbox.secretKey };
}

interface Acknowledged {
  readonly moves: readonly (readonly [pair: Pair, commandId: string, version: number])[];
  readonly deposits: readonly string[];
}

function readAcknowledged(pairs: readonly Pair[], payer: Payer): Acknowledged {
  const moves = pairs.flatMap((pair) =>
    pair.robots.flatMap(({ acknowledged }) => [...acknowledged].map(([id, version]) => [pair, id, version] as const)),
  );
  return { moves, deposits: [...payer.completed] };
}

async function findLost(
  database: Database,
  { moves, deposits }: Acknowledged,
): Promise<{ readonly moves: readonly string[]; readonly deposits: readonly string[] }> {
  const lost: string[] = [];
  for (const [{ gameId }, same] of Map.groupBy(moves, ([pair]) => pair)) {
    const ofGame = same.map(([, commandId, version]) => [commandId, version] as const);
    lost.push(...(await findLostMoves(database, gameId, ofGame)));
  }
  return { moves: lost, deposits: await findLostDeposits(database, deposits) };
}

async function destroyDataDir(): Promise<void> {
  await server.end("SIGKILL");
  const postmaster = Number(readFileSync(path.join(dataDir, "postgres/data/postmaster.pid"), "utf8").split("\n")[0]);
  process.kill(postmaster, "SIGQUIT");
  await until(() => !isAlive(postmaster));
  await rm(dataDir, { recursive: true, maxRetries: 10, retryDelay: 200 });
}

test("Every metric that the alert rules and the dashboard name is served, and every alert has a runbook [OPS-16 §-]", async () => {
  const [rules, dashboard, runbook] = ["deploy/alerts.yml", "deploy/dashboard.json", "docs/operations/alerts.md"].map(
    (file) => readFileSync(path.join(ROOT, file), "utf8"),
  ) as [string, string, string];
  const named = new Set(
    [...`${rules}${dashboard}`.matchAll(/\b(?:holo|nodejs|process)_\w+/g)].map(([name]) =>
      name.replace(/_bucket$/, ""),
    ),
  );
  const served = await fetch(`${server.origin}/metrics`).then((response) => response.text());
  // Only with NATS_URL: several-servers.test.ts reads it.
  const known = new Set(["holo_nats_connected", ...[...served.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)]);
  expect(named.size).toBeGreaterThan(15);
  expect([...named].filter((name) => !known.has(name))).toEqual([]);
  // Each server counts these for all.
  const ofAll = [...served.matchAll(/^# HELP (\S+) .*on any server|^# HELP (\S+) .*to any server/gm)];
  expect(ofAll).toHaveLength(3);
  for (const [, inGames, ofPlayers] of ofAll) expect(dashboard).not.toContain(`sum(${inGames ?? ofPlayers})`);
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  expect([...runbook.matchAll(/^## (\w+)$/gm)].map(([, name]) => name)).toEqual(alerts);
  expect([...rules.matchAll(/alerts\.md#(\w+)/g)].map(([, anchor]) => anchor)).toEqual(
    alerts.map((name) => name?.toLowerCase()),
  );
});

// [OPS-06 §-] After the loss of DATA_DIR a restored arena has every move and every deposit that was acknowledged
// before its backup, which was taken during play and payments. Sessions are valid, and open games go on.
test("a restored arena has every command acknowledged before its backup, and the doctor finds it sound [OPS-06]", async () => {
  const place = { origin: () => server.origin, page: PAGE };
  const paused = await beginGame(place, [players[0]!, players[1]!], 0);
  await until(() => countMoves([paused]) >= 6);
  for (const robot of paused.robots) robot.stop();
  const series = STAKES.map((stake, i) =>
    playSeries(place, [players[2 * i + 2]!, players[2 * i + 3]!], 1_000 * (i + 1), stake),
  );
  const listPairs = (): readonly Pair[] => [paused, ...series.flatMap(({ pairs }) => pairs)];
  const payer = startPayer({ ...place, sandbox, players });
  await until(() => payer.completed.length >= 2 && countMoves(listPairs()) >= 20);

  const before = readAcknowledged(listPairs(), payer);
  const folder = path.join(root, "backup");
  const { stdout } = await run(process.execPath, [HOLO, "backup", folder], {
    env: { ...environment, AUTH_SECRET },
  });
  expect(stdout).toMatch(/all \d+ invariants hold\n$/);
  const after = readAcknowledged(listPairs(), payer);
  await Promise.all([payer.stop(), ...series.map((each) => each.stop())]);
  await destroyDataDir();

  const restored = await run(process.execPath, [HOLO, "restore", folder], { env: environment });
  expect(restored.stdout).toMatch(/invariants hold: the server can be started\n$/);
  // The secret is the restored one: the players' sessions are signed with it.
  await server.start({ ...listProviderVariables(), AUTH_SECRET: "" });
  const opened = await openArenaDatabase({ databaseUrl: null, dataDir }, openTestLog());
  try {
    expect(await findLost(opened.database, before)).toEqual({ moves: [], deposits: [] });
    const later = await findLost(opened.database, after);
    expect(later.moves.length, "players played during the backup").toBeGreaterThan(0);
    expect(later.deposits.length, "players paid during the backup").toBeGreaterThan(0);
    const robots = paused.robots.map(({ player }, seat) => startRobot(place.origin, PAGE, player, seat + 1));
    for (const robot of robots) robot.play(paused.gameId);
    await until(() => robots.every((robot) => robot.acknowledged.size >= 2));
    for (const robot of robots) robot.stop();
  } finally {
    await opened.close();
  }
  const doctor = await run(process.execPath, [HOLO, "doctor", "--json"], {
    env: { ...environment, PUBLIC_URL: server.origin },
  });
  const { isSound, findings } = JSON.parse(doctor.stdout);
  expect(isSound).toBe(true);
  expect(findings.map((finding: Finding) => finding.check)).toEqual(
    expect.arrayContaining(["database settings", "migrations", "secret", "auditor", "files", "PUBLIC_URL", "login"]),
  );
}, 180_000);

// [OPS-30 §-] Without a collector a command costs nothing for traces: what makes and sends spans is not loaded, and a
// command runs in no context of a trace.
test("a server without a collector never loads what makes spans, while players play and pay [OPS-30]", async () => {
  const loaded = readFileSync(loadedFile, "utf8");
  expect(loaded).toMatch(/node_modules\/kysely\//);
  // The library of metrics loads the API, which does nothing by itself.
  expect(loaded).not.toMatch(/node_modules\/@opentelemetry\/(?!api\/)/);
});
