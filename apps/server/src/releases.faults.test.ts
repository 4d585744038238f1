import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { type ClientRequest, request } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import type { ReleasesView, ReleaseView } from "@holo/protocol/releases.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "./platform/database/database.ts";
import { audit } from "./platform/database/invariant.ts";
import { openFiles } from "./platform/files/open-files.ts";
import { setDiskFull } from "./platform/testing/full-disk.ts";
import { createTestDatabase } from "./platform/testing/test-database.ts";
import { keepsCurrentFiles, releaseInvariants } from "./releases/audit.ts";
import { makeServerProcess, type ServerProcess, until } from "./testing/server-process.ts";
import { makeProgram } from "./transport/testing/test-builds.ts";
import { signUp, type TestPlayer } from "./transport/testing/test-client.ts";

const isDeep = process.env.DEEP === "1";
const KILLS = isDeep ? 10 : 1;
const LARGE_BYTES = 100 * 1024 * 1024;
const SMALLER_BYTES = 20 * 1024 * 1024;
/** Memory that a file five times as large may add: half of what buffering it once would. */
const GROWTH_BYTES_MAX = LARGE_BYTES / 2;
const PAGE = "http://arena.test";

let folder: string;
let database: Database;
let server: ServerProcess;
let admin: TestPlayer;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "holo-releases-"));
  database = await createTestDatabase();
  server = await makeServerProcess({
    DATA_DIR: folder,
    DATABASE_URL: database.connectionString,
    PUBLIC_URL: PAGE,
    OWNER_EMAIL: "owner@arena.test",
    PAYSTACK_URL: "http://127.0.0.1:9",
    PAYSTACK_SECRET_KEY: "sk_test_nobody",
  });
  await server.start();
  admin = await signUp(server.origin, PAGE);
  const email = "owner@arena.test";
  await sql`update players set email = ${email}, email_verified = true where id = ${admin.id}`.execute(database.kysely);
}, 60_000);

afterAll(async () => {
  await server.end("SIGTERM");
  await database.close();
  await rm(folder, { recursive: true, force: true });
}, 30_000);

function begin(version: string, length: number): ClientRequest {
  const sent = request(`${server.origin}/api/admin/releases?platform=windows&version=${version}`, {
    method: "POST",
    agent: false,
    headers: {
      origin: PAGE,
      cookie: admin.cookie,
      "content-type": "application/octet-stream",
      "content-length": length,
    },
  });
  sent.on("error", () => undefined);
  return sent;
}

async function tryUpload(version: string, content: Buffer): Promise<{ status: number; body: unknown }> {
  const sent = begin(version, content.byteLength);
  const answered = once(sent, "response");
  sent.end(content);
  const [response] = await answered;
  let text = "";
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode, body: JSON.parse(text) };
}

async function upload(version: string, content: Buffer): Promise<ReleaseView> {
  const { status, body } = await tryUpload(version, content);
  expect(status).toBe(200);
  return body as ReleaseView;
}

async function makeCurrent({ id }: ReleaseView, seen: ReleaseView | null): Promise<Response> {
  return await fetch(`${server.origin}/api/admin/releases/current`, {
    method: "POST",
    headers: { origin: PAGE, cookie: admin.cookie, "content-type": "application/json" },
    body: JSON.stringify({ id, insteadOf: seen?.id ?? null }),
  });
}

async function currentIds(): Promise<readonly string[]> {
  const { releases } = (await (await fetch(`${server.origin}/api/releases`)).json()) as ReleasesView;
  return releases.map(({ id }) => id);
}

const filesIn = (...parts: string[]) => readdir(path.join(folder, "files", ...parts)).catch(() => []);

async function findBroken() {
  const files = openFiles({ type: "disk", folder: path.join(folder, "files") });
  return await audit(database.kysely, [...releaseInvariants, keepsCurrentFiles(files)]);
}

test("offers nothing of an upload or a marking interrupted by a kill [ADMIN-06]", async () => {
  const standing = await upload("1.0.0", makeProgram(null, randomBytes(1000)));
  expect((await makeCurrent(standing, null)).status).toBe(200);
  const program = makeProgram(null, randomBytes(400_000));
  for (let i = 1; i <= KILLS; i += 1) {
    const version = `1.0.${i}`;
    const sent = begin(version, program.byteLength);
    sent.write(program.subarray(0, 300_000));
    await until(async () => (await filesIn("drafts")).length === 1);
    await server.end("SIGKILL");
    sent.destroy();
    expect(await filesIn("drafts")).toHaveLength(1);
    await server.start();
    await until(async () => (await filesIn("drafts")).length === 0);
    expect((await fetch(`${server.origin}/downloads/holo-arena-${version}.exe`)).status).toBe(404);
    expect(await currentIds()).toEqual([standing.id]);
    expect(await filesIn("kept", "releases")).toEqual([standing.id]);
    expect(await findBroken()).toBeNull();
  }
  const next = await upload("1.0.1", program);
  expect(await currentIds()).toEqual([standing.id]);

  await database.kysely.transaction().execute(async (tx) => {
    await sql`select 1 from app_versions where id = ${next.id} for update`.execute(tx);
    const marking = makeCurrent(next, standing).catch(() => null);
    await until(async () => {
      const { rows } = await sql`
        select 1 from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`.execute(
        tx,
      );
      return rows.length > 0;
    });
    await server.end("SIGKILL");
    expect(await marking).toBeNull();
  });
  await server.start();
  expect(await currentIds()).toEqual([standing.id]);
  expect(await findBroken()).toBeNull();
  expect((await makeCurrent(next, standing)).status).toBe(200);
  expect(await currentIds()).toEqual([next.id]);
  expect(await findBroken()).toBeNull();
}, 300_000);

// [ERR-41 §8 r28] An upload to a server without space shows 'Failed to upload' with the reason, and leaves no file
// behind.
test.runIf(process.platform === "linux")(
  "leaves nothing of an upload to a full disk, and says so [ERR-41]",
  async () => {
    const program = makeProgram(null, randomBytes(1000));
    const kept = await filesIn("kept", "releases");
    await setDiskFull([server.pid()], true);
    expect(await tryUpload("1.1.0", program)).toMatchObject({ status: 507, body: { code: "storage_full" } });
    await setDiskFull([server.pid()], false);
    expect(await filesIn("drafts")).toEqual([]);
    expect(await filesIn("kept", "releases")).toEqual(kept);
    expect((await upload("1.1.0", program)).version).toBe("1.1.0");
    expect(await findBroken()).toBeNull();
  },
);

if (isDeep)
  test("streams a large file in and out with little memory", async () => {
    const readRss = async (): Promise<number> => {
      const text = await (await fetch(`${server.origin}/metrics`)).text();
      return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]);
    };
    const pass = async (version: string, sizeBytes: number): Promise<void> => {
      const release = await upload(version, makeProgram(null, randomBytes(sizeBytes - 1024)));
      for (let i = 0; i < 2; i += 1) {
        let bytes = 0;
        for await (const chunk of (await fetch(`${server.origin}${release.url}`)).body ?? []) bytes += chunk.byteLength;
        expect(bytes).toBe(sizeBytes);
      }
    };
    await pass("2.0.0", SMALLER_BYTES);
    const before = await readRss();
    let most = before;
    let isDone = false;
    const watching = (async () => {
      while (!isDone) {
        most = Math.max(most, await readRss());
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    await pass("2.0.1", LARGE_BYTES);
    isDone = true;
    await watching;
    const inMb = [before, most].map((bytes) => Math.round(bytes / 1e6));
    process.stdout.write(
      `memory after 20 MB in and out ${inMb[0]} MB, at most ${inMb[1]} MB while 100 MB came and went\n`,
    );
    expect(most - before).toBeLessThan(GROWTH_BYTES_MAX);
    expect(await findBroken()).toBeNull();
  });
