import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Platform } from "../../../../scripts/release/node-package.ts";
import { stageRenderer, stageServer } from "../../../../scripts/release/release.ts";
import type { EngineAnswer, EngineRequest } from "../fairplay/engine/engine-process.ts";
import type { GamePicture } from "../game/picture/game-picture.ts";
import type { Database } from "../platform/database/database.ts";
import { openSideProcess } from "../platform/side-process/side-process.ts";
import { createTestDatabase } from "../platform/testing/test-database.ts";
import { makeServerProcess } from "../testing/server-process.ts";

const VERSION = "1.2.3+0123456789";
const run = promisify(execFile);
let place: string;
let database: Database;

beforeAll(async () => {
  [place, database] = await Promise.all([mkdtemp(path.join(tmpdir(), "holo-release-")), createTestDatabase()]);
});

afterAll(async () => {
  await database.close();
  await rm(place, { recursive: true, force: true });
});

// [OPS-61 §-] A release runs without npm, packages and compiler: its one program serves, hashes passwords, audits, and names its
// version in `/healthz` and the metrics.
test("a release serves and audits without a package, and names its version [OPS-61]", async () => {
  await stageServer(place, VERSION);
  const holo = path.join(place, "server/holo.js");
  const origin = "https://arena.example.ng";
  const environment = {
    NODE_ENV: "production",
    DATABASE_URL: database.connectionString,
    DATA_DIR: path.join(place, "data"),
    PUBLIC_URL: origin,
    OWNER_EMAIL: "owner@arena.example.ng",
    SUPPORT_EMAIL: "help@arena.example.ng",
    SUPPORT_MESSAGING_URL: "https://messages.arena.example.ng",
    TRUSTED_PROXIES: "none",
    // Nothing answers on these ports.
    SMTP_URL: "smtp://127.0.0.1:9",
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9",
    PAYSTACK_SECRET_KEY: "sk_live_of_a_test",
    METRICS_TOKEN: "a token of this test",
  };
  const server = await makeServerProcess(environment, [holo, "serve"]);
  await server.start();
  try {
    expect(await (await fetch(`${server.origin}/healthz`)).text()).toBe(`ok ${VERSION}`);
    const metrics = await fetch(`${server.origin}/metrics`, {
      headers: { authorization: `Bearer ${environment.METRICS_TOKEN}` },
    });
    expect(await metrics.text()).toContain(`holo_build_info{version="${VERSION}"} 1`);
    const person = { username: "newcomer", email: "newcomer@mail.example.ng", password: "the password of a newcomer" };
    const headers = { "content-type": "application/json", origin };
    const registered = await fetch(`${server.origin}/api/register`, {
      method: "POST",
      headers,
      body: JSON.stringify(person),
    });
    expect(registered.ok, await registered.text()).toBe(true);
    const audit = await run(process.execPath, [holo, "audit"], { env: environment });
    expect(audit.stdout).toMatch(/all \d+ invariants hold\n$/);
    expect(await readFile(path.join(place, "server/licences.md"), "utf8")).toMatch(/^## pg - /m);
  } finally {
    await server.end("SIGTERM");
  }
});

// [OPS-62 §-] A release draws pictures of games: it carries the renderer of its platform, the fonts and the pieces.
test("a release draws the picture of a game [OPS-62]", async () => {
  const release = path.join(place, "pictures");
  await stageServer(release, VERSION);
  await stageRenderer(release, `${process.platform}-${process.arch}` as Platform);
  const program = pathToFileURL(path.join(release, "server/picture-process.js"));
  const renderer = openSideProcess<GamePicture, Uint8Array>(program, { name: "the drawing of pictures" });
  const png = await renderer.ask({
    game: "chess",
    board: `rnbqkbnr${"p".repeat(8)}${".".repeat(32)}${"P".repeat(8)}RNBQKBNR`,
    names: ["ada", "bola"],
    outcome: "draw",
    winner: null,
    headline: "Draw agreed",
    moveCount: 2,
    limitMinutes: 5,
    amount: null,
  });
  expect(Buffer.from(png.subarray(1, 4)).toString()).toBe("PNG");
});

test("a release screens ended games", async () => {
  const release = path.join(place, "engine");
  await stageServer(release, VERSION);
  const program = pathToFileURL(path.join(release, "server/engine-process.js"));
  const engine = openSideProcess<EngineRequest, EngineAnswer>(program, { name: "the screening of games" });
  const board = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
  const answer = await engine.ask({ type: "final_score", game: "chess", board, seat: 2, isSlow: true });
  expect(answer).toMatchObject({ type: "final_score", score: expect.toSatisfy((score) => score < -600) });
});
