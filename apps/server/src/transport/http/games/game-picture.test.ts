import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../platform/database/database.ts";
import { createTestDatabase } from "../../../platform/testing/test-database.ts";
import { addEndedGames, beginGame, cancelGame, openGame, type Pair, playGame } from "../../testing/test-games.ts";
import { ORIGIN, openTestHttp, send, type TestHttp } from "../../testing/test-http.ts";

let database: Database;
let http: TestHttp;
let pair: Pair;
let siteFolder: string;

beforeAll(async () => {
  siteFolder = await mkdtemp(path.join(tmpdir(), "holo-site-"));
  await writeFile(path.join(siteFolder, "index.html"), "<!doctype html><head><title>Holo Arena</title></head>");
  database = await createTestDatabase();
  http = await openTestHttp(database, { siteFolder });
  pair = { white: await http.addPlayer(), black: await http.addPlayer() };
});

afterAll(async () => {
  await http.close();
  await database.close();
  await rm(siteFolder, { recursive: true });
});

const toPath = (gameId: string): string => `/game/${gameId}/picture.png`;
const load = (address: string, headers: Record<string, string> = {}) =>
  send(http.app, "GET", address, undefined, headers);

async function loadPng(address: string): Promise<Buffer> {
  const answer = await load(address);
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

async function readTags(address: string): Promise<ReadonlyMap<string, string>> {
  const html = await (await load(address)).text();
  const tags = html.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)">/g);
  return new Map([...tags].map(([, name, content]) => [name!, content!]));
}

async function addEnded(reason: string, ended: Partial<Parameters<typeof addEndedGames>[1][number]>): Promise<string> {
  const [white, black] = [pair.white.id as PlayerId, pair.black.id as PlayerId];
  const at = http.at.time.now();
  await addEndedGames(database, [{ white, black, winner: white, at, ...ended }]);
  const { rows } = await sql<{ id: string }>`
    update games set end_reason = ${reason} where completed_at = ${at} and end_reason is null returning id`.execute(
    database.kysely,
  );
  return rows[0]!.id;
}

// [WATCH-01 §3 r42] A finished game has a picture of 1200 by 630 for previews of its link: the final position, both names, the
// result, its reason and the number of moves. What the players received is in it only if the link says so.
test("a finished game has a picture of its own; the sum is in it on request only [WATCH-01]", async () => {
  const checkers = await playGame(http.at, pair);
  const png = await loadPng(toPath(checkers.gameId));
  expect(png.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);

  const withSum = await loadPng(`${toPath(checkers.gameId)}?amount=true`);
  const chess = await loadPng(toPath(await addEnded("checkmate", { game: "chess" })));
  const drawn = await loadPng(toPath(await addEnded("agreement", { winner: null })));
  const free = await addEnded("time", { stake: 0 });
  const pictures = [png, withSum, chess, drawn, await loadPng(toPath(free))];
  expect(new Set(pictures.map((one) => one.toString("base64"))).size).toBe(pictures.length);
  expect(await loadPng(`${toPath(free)}?amount=true`)).toEqual(pictures.at(-1));
});

test("a picture is kept by caches and not sent twice", async () => {
  const { gameId } = await playGame(http.at, pair);
  const first = await load(toPath(gameId));
  expect(Object.fromEntries(first.headers)).toMatchObject({
    "cache-control": "public, max-age=86400",
    "content-type": "image/png",
    "x-content-type-options": "nosniff",
  });
  const again = await load(toPath(gameId), { "if-none-match": first.headers.get("etag") ?? "" });
  expect([again.status, await again.text()]).toEqual([304, ""]);
});

test("there is no picture of a game that runs, waits or was never joined, or of no game", async () => {
  const running = await beginGame(http.at, pair);
  expect((await load(toPath(running.gameId))).status).toBe(409);
  await cancelGame(http.at, running.white, running.gameId);
  const other = await http.addPlayer();
  const waiting = await openGame(http.at, other);
  expect((await load(toPath(waiting), { cookie: other.cookie })).status).toBe(404);
  await cancelGame(http.at, other, waiting);
  for (const id of [waiting, crypto.randomUUID()]) expect((await load(toPath(id))).status, id).toBe(404);
  for (const address of [toPath("1"), `${toPath(running.gameId)}?amount=1`, `${toPath(running.gameId)}?size=9`])
    expect((await load(address)).status, address).toBe(400);
});

test("a link of a finished game is previewed with its picture, any other with the site's [MATCH-25]", async () => {
  const { gameId, white, black } = await playGame(http.at, pair);
  const tags = await readTags(`/game/${gameId}`);
  expect(Object.fromEntries(tags)).toMatchObject({
    // These tests use player ids as names.
    "og:title": `${black.id} beat ${white.id}`,
    "og:description": "Checkers, 5 minutes each, on Holo Arena. Replay all 4 moves.",
    "og:image": `${ORIGIN}${toPath(gameId)}`,
    "og:image:width": "1200",
    "twitter:card": "summary_large_image",
  });
  const imageOf = async (address: string) => (await readTags(address)).get("og:image");
  expect(await imageOf(`/game/${gameId}?amount=true`)).toBe(`${ORIGIN}${toPath(gameId)}?amount=true`);
  expect(await imageOf(`/game/${gameId}?amount=9`)).toBe(`${ORIGIN}${toPath(gameId)}`);

  const running = await beginGame(http.at, pair);
  const general = `${ORIGIN}/icons/share.png`;
  for (const id of [running.gameId, crypto.randomUUID()]) expect(await imageOf(`/game/${id}`), id).toBe(general);
  await cancelGame(http.at, running.white, running.gameId);
  const cancelled = await readTags(`/game/${await addEnded("void", { status: "cancelled", winner: null })}`);
  expect(cancelled.get("robots")).toBe("noindex");
});
