import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestPlayer } from "../accounts/testing/test-players.ts";
import { isAlive } from "../platform/postgres/postmaster.ts";
import { openTestLog } from "../platform/testing/test-log.ts";
import { beginGame, countMoves, findLostMoves, type Pair } from "../testing/robot-pairs.ts";
import { addServerPlayers } from "../testing/server-players.ts";
import { AUTH_SECRET, makeServerProcess, type ServerProcess, until } from "../testing/server-process.ts";
import { startRobot } from "../transport/testing/robot.ts";
import type { Finding } from "./doctor/finding.ts";
import { openArenaDatabase } from "./storage.ts";

/** The backup drill of docs/operations: real processes and the embedded database, during games. */
const SCRIPTS = fileURLToPath(new URL("../../../../scripts", import.meta.url));
const ROOT = path.join(SCRIPTS, "..");
const PAGE = "http://arena.test";
const PAIRS = 4;
const run = promisify(execFile);

let root: string;
let dataDir: string;
let environment: Readonly<Record<string, string>>;
let server: ServerProcess;
let players: readonly TestPlayer[];

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), "holo-drill-"));
  // The database's user must be able to enter.
  await chmod(root, 0o755);
  dataDir = path.join(root, "data");
  const { PATH = "", NODE_COMPILE_CACHE = "" } = process.env;
  environment = { PATH, NODE_COMPILE_CACHE, DATA_DIR: dataDir };
  server = await makeServerProcess({ DATA_DIR: dataDir, PUBLIC_URL: PAGE });
  await server.start();
  const { database, close } = await openArenaDatabase({ databaseUrl: null, dataDir }, openTestLog());
  players = await addServerPlayers(database, 2 * PAIRS, 100);
  await close();
}, 120_000);

afterAll(async () => {
  await server.end("SIGTERM");
  await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
});

async function destroyDataDir(): Promise<void> {
  await server.end("SIGKILL");
  const postmaster = Number(readFileSync(path.join(dataDir, "postgres/data/postmaster.pid"), "utf8").split("\n")[0]);
  process.kill(postmaster, "SIGQUIT");
  await until(() => !isAlive(postmaster));
  await rm(dataDir, { recursive: true, maxRetries: 10, retryDelay: 200 });
}

test("has every metric that the alerts and the dashboard name, and a runbook for every alert [OPS-16]", async () => {
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
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  expect([...runbook.matchAll(/^## (\w+)$/gm)].map(([, name]) => name)).toEqual(alerts);
  expect([...rules.matchAll(/alerts\.md#(\w+)/g)].map(([, anchor]) => anchor)).toEqual(
    alerts.map((name) => name?.toLowerCase()),
  );
});

test("a restored arena has every command acknowledged before its backup, and the doctor finds it sound [OPS-06]", async () => {
  const place = { origin: () => server.origin, page: PAGE };
  const pairs: Pair[] = [];
  for (let i = 0; i < PAIRS; i += 1) pairs.push(await beginGame(place, [players[2 * i]!, players[2 * i + 1]!], i));
  // The newest game is far from its end.
  const [paused, ...playing] = pairs.toReversed() as [Pair, ...Pair[]];
  await until(() => countMoves([paused]) >= 6 && countMoves(playing) >= 12);
  for (const robot of paused.robots) robot.stop();

  const acknowledged = pairs.map(({ gameId, robots }) => ({
    gameId,
    moves: robots.flatMap((robot) => [...robot.acknowledged]),
  }));
  const folder = path.join(root, "backup");
  const movesBefore = countMoves(playing);
  const { stdout } = await run(process.execPath, [path.join(SCRIPTS, "backup.ts"), folder], {
    env: { ...environment, AUTH_SECRET },
  });
  expect(stdout).toMatch(/all \d+ invariants hold\n$/);
  expect(countMoves(playing), "players played during the backup").toBeGreaterThan(movesBefore);
  for (const { robots } of playing) for (const robot of robots) robot.stop();
  await destroyDataDir();

  const restored = await run(process.execPath, [path.join(SCRIPTS, "restore.ts"), folder], { env: environment });
  expect(restored.stdout).toMatch(/invariants hold: the server can be started\n$/);
  // The secret is the restored one: the players' sessions are signed with it.
  await server.start({ AUTH_SECRET: "" });
  const opened = await openArenaDatabase({ databaseUrl: null, dataDir }, openTestLog());
  try {
    for (const { gameId, moves } of acknowledged) {
      expect(await findLostMoves(opened.database, gameId, moves)).toEqual([]);
    }
    const robots = paused.robots.map(({ player }, seat) => startRobot(place.origin, PAGE, player, seat + 1));
    for (const robot of robots) robot.play(paused.gameId);
    await until(() => robots.every((robot) => robot.acknowledged.size >= 2));
    for (const robot of robots) robot.stop();
  } finally {
    await opened.close();
  }
  const doctor = await run(process.execPath, [path.join(SCRIPTS, "doctor.ts"), "--json"], {
    env: { ...environment, PUBLIC_URL: server.origin },
  });
  const { isSound, findings } = JSON.parse(doctor.stdout);
  expect(isSound).toBe(true);
  expect(findings.map((finding: Finding) => finding.check)).toEqual(
    expect.arrayContaining(["database settings", "migrations", "secret", "auditor", "files", "PUBLIC_URL"]),
  );
}, 180_000);
