import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Database } from "../platform/database/database.ts";
import { audit, type Invariant } from "../platform/database/invariant.ts";
import type { Files } from "../platform/files/files.ts";
import { openFiles } from "../platform/files/open-files.ts";
import { createTestDatabase } from "../platform/testing/test-database.ts";
import { openTime, type RunningTime } from "../platform/time/time.ts";
import { keepsCurrentFiles, releaseInvariants } from "./audit.ts";
import type { RecordReleaseEvent } from "./release.ts";
import { openReleases, type Releases } from "./releases.ts";
import { makeApp, makeProgram, makeSignedApp } from "./testing/test-builds.ts";

const ACTOR = "staff-member" as PlayerId;
const KEPT_MAX = 20;

let database: Database;
let time: RunningTime;
let folder: string;
let files: Files;
let releases: Releases;

const recordAuditEvent: RecordReleaseEvent = async (tx, { playerId, action, subject, detail, at }) => {
  const { rows } = await sql<{ readonly id: bigint }>`
    insert into audit_events (at, player_id, action, subject, detail)
    values (${at}, ${playerId}, ${action}, ${subject}, ${detail}) returning id`.execute(tx);
  return rows[0]!.id;
};

function open(record: RecordReleaseEvent = recordAuditEvent, androidCertificates: readonly string[] = []): Releases {
  return openReleases({
    database,
    time,
    files,
    isAdmin: async () => true,
    recordAuditEvent: record,
    androidCertificates,
  });
}

beforeEach(async () => {
  database = await createTestDatabase();
  time = await openTime(database);
  folder = await mkdtemp(path.join(tmpdir(), "holo-releases-"));
  files = openFiles({ type: "disk", folder });
  releases = open();
});
afterEach(async () => {
  time.stop();
  await database.close();
  await rm(folder, { recursive: true });
});

const invariants = (): readonly Invariant[] => [...releaseInvariants, keepsCurrentFiles(files)];
const keptFiles = async () => (await readdir(path.join(folder, "kept/releases"))).sort();
const fileOf = (id: string): string => path.join(folder, "kept/releases", id);

async function upload(version: string, content = makeProgram(null, randomBytes(100)), by = releases) {
  const order = { actorId: ACTOR, platform: "windows", version, sizeBytes: content.byteLength } as const;
  return await by.upload({ ...order, body: new Blob([content]).stream() });
}

async function keep(version: string) {
  const uploaded = await upload(version);
  if (!uploaded.ok) throw new Error(`refused: ${JSON.stringify(uploaded.refusal)}`);
  return uploaded.value;
}

async function offer({ id }: { readonly id: string }) {
  return await releases.makeCurrent(ACTOR, {
    id,
    insteadOf: (await releases.loadStored()).find(isCurrent)?.id ?? null,
  });
}

const isCurrent = (release: { readonly isCurrent: boolean }): boolean => release.isCurrent;

test("keeps the newest twenty releases of a platform", async () => {
  const first = await keep("1.0.0");
  const second = await keep("1.0.1");
  for (let i = 2; i < KEPT_MAX; i += 1) await keep(`1.0.${i}`);
  await offer(second);
  await keep("2.0.0");
  const kept = (await releases.loadStored()).map(({ version }) => version);
  expect(kept).toHaveLength(KEPT_MAX);
  expect(kept).not.toContain(first.version);
  expect(kept).toContain(second.version);
  while ((await keptFiles()).includes(first.id)) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(await releases.findDownload(first.fileName)).toBeNull();
  expect(await offer(first)).toEqual({ ok: false, refusal: "unknown_release" });
  // A downloaded version never changes its content.
  expect(await upload(first.version)).toEqual({ ok: false, refusal: "version_taken" });
  // The current release is the oldest by now, and remains.
  await keep("2.0.1");
  expect((await releases.loadCurrent()).map(({ id }) => id)).toEqual([second.id]);
  expect(await audit(database.kysely, invariants())).toBeNull();
});

test("makes no Android app current that was uploaded before its certificate was refused [ADMIN-05]", async () => {
  const certificate = Buffer.from("the certificate of the release key");
  const digest = createHash("sha256").update(certificate).digest("hex").toUpperCase().match(/../g)!.join(":");
  const uploadApp = async (content: Buffer<ArrayBuffer>) => {
    const order = { actorId: ACTOR, platform: "android", version: null, sizeBytes: content.byteLength } as const;
    const uploaded = await releases.upload({ ...order, body: new Blob([content]).stream() });
    if (!uploaded.ok) throw new Error(`refused: ${JSON.stringify(uploaded.refusal)}`);
    return uploaded.value.id;
  };
  const makeCurrent = (by: Releases, id: string) => by.makeCurrent(ACTOR, { id, insteadOf: null });
  const unsigned = await uploadApp(makeApp());
  const signed = await uploadApp(makeSignedApp(certificate, makeApp("1.2.4")));
  const strict = open(recordAuditEvent, [digest]);
  expect(await makeCurrent(strict, unsigned)).toEqual({ ok: false, refusal: "foreign_release" });
  expect(await strict.loadCurrent()).toEqual([]);
  expect(await makeCurrent(strict, signed)).toMatchObject({ ok: true });
  expect(await makeCurrent(strict, (await keep("1.0.0")).id)).toMatchObject({ ok: true });
});

test("puts a lost file back when it is uploaded again [CALL-20]", async () => {
  const content = makeProgram(null, randomBytes(100));
  const first = await upload("1.0.0", content);
  if (!first.ok) throw new Error("refused");
  await offer(first.value);
  await rm(fileOf(first.value.id));
  expect(await upload("1.0.0", content)).toEqual({ ok: true, value: { ...first.value, isCurrent: true } });
  expect(await readFile(fileOf(first.value.id))).toEqual(content);
  expect(await audit(database.kysely, invariants())).toBeNull();
});

test("sweeps a file without a row after an hour, and no published one", async () => {
  const failing = open(async () => {
    throw new Error("the audit event could not be written");
  });
  const { id } = await keep("1.0.0");
  await expect(upload("1.0.1", undefined, failing)).rejects.toThrow("the audit event could not be written");
  expect(await keptFiles()).toHaveLength(2);
  await releases.sweep();
  expect(await keptFiles()).toHaveLength(2);
  const longAgo = new Date(Date.now() - 2 * 60 * 60_000);
  for (const name of await keptFiles()) await utimes(fileOf(name), longAgo, longAgo);
  await releases.sweep();
  expect(await keptFiles()).toEqual([id]);
  expect(await readdir(path.join(folder, "drafts"))).toEqual([]);
});

test("shows the current release on another server within seconds", async () => {
  const other = open();
  expect(await other.loadCurrent()).toEqual([]);
  const { id } = await keep("1.0.0");
  await offer({ id });
  expect((await releases.loadCurrent()).map((release) => release.id)).toEqual([id]);
  let monotonicMs = 0;
  const laterTime = { now: time.now, monotonicMs: () => monotonicMs };
  const third = openReleases({
    database,
    time: laterTime,
    files,
    isAdmin: async () => true,
    recordAuditEvent,
    androidCertificates: [],
  });
  expect(await third.loadCurrent()).toHaveLength(1);
  const second = await keep("1.0.1");
  await offer(second);
  expect((await third.loadCurrent()).map((release) => release.id)).toEqual([id]);
  monotonicMs = 6_000;
  expect((await third.loadCurrent()).map((release) => release.id)).toEqual([second.id]);
});

test("protects releases in the database against change, removal and a second current one", async () => {
  const { id } = await keep("1.0.0");
  await offer(await keep("1.0.1"));
  const run = (text: string) => sql.raw(text).execute(database.kysely);
  for (const change of [
    "version = '3.0.0', file_name = 'holo-arena-3.0.0.exe'",
    "sha256 = repeat('0', 64)",
    "size_bytes = 1",
  ]) {
    await expect(run(`update app_versions set ${change} where id = '${id}'`)).rejects.toThrow("never changed");
  }
  await expect(run(`delete from app_versions where id = '${id}'`)).rejects.toThrow("never changed");
  await expect(run("truncate app_versions")).rejects.toThrow("never changed");
  await expect(run(`update app_versions set is_current = true where id = '${id}'`)).rejects.toThrow(
    "app_versions_current",
  );
});

test("reports lost, altered and unlogged releases in the audit", async () => {
  const release = await keep("1.0.0");
  await offer(release);
  const find = async () => (await audit(database.kysely, invariants()))?.found;
  const run = (text: string) => sql.raw(text).execute(database.kysely);
  expect(await find()).toBeUndefined();

  await writeFile(fileOf(release.id), "altered");
  expect(await find()).toContain("holo-arena-1.0.0.exe has 7 bytes");
  await rm(fileOf(release.id));
  expect(await find()).toBe("holo-arena-1.0.0.exe is lost");
  await expect((await releases.findDownload(release.fileName))?.read()).rejects.toThrow("is lost");

  await run(`update app_versions set is_current = false`);
  expect(await find()).toBe("nothing is current, the last audit event named holo-arena-1.0.0.exe");
  await run(`update app_versions set is_current = true`);

  const { id } = await keep("1.0.1");
  const mark = async (marked: string) => {
    await run("update app_versions set is_current = false");
    await run(`update app_versions set is_current = true where id = '${marked}'`);
  };
  await mark(id);
  expect(await find()).toBe("holo-arena-1.0.1.exe is current, the last audit event named nothing");
  await mark(release.id);

  await run(`insert into audit_events (at, player_id, action, subject, detail)
    values (1, '${ACTOR}', 'release_added', 'holo-arena-1.0.0.exe', 'another one')`);
  expect(await find()).toContain("has no row, its audit event says another one");

  await run("alter table app_versions disable trigger app_versions_stay");
  expect(await find()).toBe("app_versions app_versions_stay is missing or off");
});
