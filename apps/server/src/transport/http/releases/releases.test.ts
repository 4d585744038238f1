import { createHash, randomBytes, randomUUID } from "node:crypto";
import { readdir, readlink } from "node:fs/promises";
import { type ClientRequest, type IncomingMessage, request, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import path from "node:path";
import type { AuditEventsView } from "@holo/protocol/admin/staff.ts";
import { RELEASE_BYTES_MAX } from "@holo/protocol/release-terms.ts";
import type { ReleasesView, ReleaseView } from "@holo/protocol/releases.ts";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { adminInvariants } from "../../../admin/audit.ts";
import type { Database } from "../../../platform/database/database.ts";
import { audit } from "../../../platform/database/invariant.ts";
import { openFiles } from "../../../platform/files/open-files.ts";
import { createTestDatabase } from "../../../platform/testing/test-database.ts";
import { keepsCurrentFiles, releaseInvariants } from "../../../releases/audit.ts";
import { makeApp, makeProgram, makeZip } from "../../testing/test-builds.ts";
import { ORIGIN, openTestHttp, send, type TestHttp, type TestPerson } from "../../testing/test-http.ts";
import { openTestStaff, type TestStaff } from "../../testing/test-staff.ts";
import { createHttpServer } from "../http-server.ts";

let database: Database;
let http: TestHttp;
let server: Server;
let base: string;
let ask: TestStaff["ask"];
let staff: TestStaff;
let admin: TestPerson;

beforeAll(async () => {
  database = await createTestDatabase();
  http = await openTestHttp(database);
  server = createHttpServer(http.app);
  base = await listen(server);
  staff = await openTestStaff(http, database);
  ask = staff.ask;
  admin = await staff.makeAdmin();
});

afterEach(async () => {
  expect(
    await audit(database.kysely, [...adminInvariants, ...releaseInvariants, keepsCurrentFiles(files())]),
  ).toBeNull();
  await until(async () => (await draftsLeft()).length === 0);
});

afterAll(async () => {
  await end(server);
  await http.close();
  await database.close();
});

async function listen(one: Server): Promise<string> {
  await new Promise<void>((resolve) => one.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(one.address() as AddressInfo).port}`;
}

async function end(one: Server): Promise<void> {
  one.closeAllConnections();
  await new Promise((resolve) => one.close(resolve));
}

const files = () => openFiles({ type: "disk", folder: http.filesFolder });
const filesIn = (...parts: string[]) => readdir(path.join(http.filesFolder, ...parts)).catch(() => []);
const draftsLeft = () => filesIn("drafts");
const keptFiles = () => filesIn("kept", "releases");
const sha256 = (content: Buffer): string => createHash("sha256").update(content).digest("hex");

interface Answer {
  readonly status: number | undefined;
  readonly body: ReleaseView & { readonly code?: string; readonly text?: string };
}

interface Sending {
  readonly request: ClientRequest;
  readonly answer: Promise<Answer>;
}

function begin(
  query: string,
  length: number | null,
  by: TestPerson | null = admin,
  type = "application/octet-stream",
  to = base,
): Sending {
  const sent = request(`${to}/api/admin/releases?${query}`, {
    method: "POST",
    agent: false,
    headers: {
      origin: ORIGIN,
      "content-type": type,
      ...(length !== null && { "content-length": length }),
      ...(by !== null && { cookie: by.cookie }),
    },
  });
  const answer = new Promise<Answer>((resolve, reject) => {
    sent.on("error", reject);
    sent.on("response", (response: IncomingMessage) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode, body: JSON.parse(text) }));
    });
  });
  answer.catch(() => undefined);
  return { request: sent, answer };
}

async function upload(query: string, content: Buffer, by: TestPerson | null = admin): Promise<Answer> {
  const sending = begin(query, content.byteLength, by);
  sending.request.end(content);
  return await sending.answer;
}

async function currentOf(platform: string): Promise<ReleaseView | undefined> {
  const { body } = await ask<ReleasesView>(null, "GET", "releases");
  return body.releases.find((release) => release.platform === platform);
}

async function makeCurrent(release: { readonly id: string }, seen: ReleaseView | null | undefined, by = admin) {
  const insteadOf = seen?.id ?? null;
  return await ask<ReleaseView>(by, "POST", "admin/releases/current", { id: release.id, insteadOf });
}

async function lastEvent(): Promise<Partial<AuditEventsView["events"][number]> | undefined> {
  return (await ask<AuditEventsView>(staff.ceo, "GET", "admin/audit-events")).body.events[0];
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10));
}

async function state() {
  const { rows } = await sql<{ count: bigint }>`select count(*) as count from app_versions`.execute(database.kysely);
  return { rows: rows[0]?.count, kept: await keptFiles(), current: await currentOf("windows") };
}

let versions = 0;
function newVersion(): string {
  versions += 1;
  return `9.${versions}.0`;
}

describe("permissions", () => {
  // [ADMIN-07 §6 r25] Only admins can upload and choose versions; a removed admin no longer can.
  test("visitors, players and former admins cannot upload, list or switch [ADMIN-07]", async () => {
    const removed = await staff.makeAdmin();
    await staff.removeAdmin(removed);
    const before = await state();
    for (const person of [null, await http.addPlayer(), removed]) {
      expect(await upload("platform=windows", makeProgram(null), person)).toMatchObject({
        status: 403,
        body: { code: "access_denied" },
      });
      expect((await ask(person, "GET", "admin/releases")).status).toBe(403);
      const change = { id: randomUUID(), insteadOf: null };
      expect((await ask(person, "POST", "admin/releases/current", change)).status).toBe(403);
    }
    expect(await state()).toEqual(before);
  });

  test("refuses an upload from another site", async () => {
    const answer = await fetch(`${base}/api/admin/releases?platform=windows`, {
      method: "POST",
      headers: { origin: "https://elsewhere.test", cookie: admin.cookie, "content-type": "application/octet-stream" },
      body: makeProgram(null),
    });
    expect(await answer.json()).toMatchObject({ code: "foreign_origin" });
  });

  test("refuses an upload whose admin is removed meanwhile [ADMIN-07]", async () => {
    const removed = await staff.makeAdmin();
    const before = await state();
    const program = makeProgram(null, randomBytes(4096));
    const sending = begin(`platform=windows&version=${newVersion()}`, program.byteLength, removed);
    sending.request.write(program.subarray(0, 2048));
    await until(async () => (await draftsLeft()).length === 1);
    await staff.removeAdmin(removed);
    sending.request.end(program.subarray(2048));
    expect(await sending.answer).toMatchObject({ status: 403, body: { code: "access_denied" } });
    expect(await state()).toEqual(before);
  });
});

describe("an upload", () => {
  // [WHAT-10 §1 r28] Native apps for Windows and Android are offered for download.
  test("is stored with an audit event, downloadable, and not offered [WHAT-10 ADMIN-05 CALL-20]", async () => {
    const program = makeProgram("1.4.0", randomBytes(300_000));
    const { status, body } = await upload("platform=windows", program);
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.any(String),
      platform: "windows",
      version: "1.4.0",
      fileName: "holo-arena-1.4.0.exe",
      sizeBytes: program.byteLength,
      sha256: sha256(program),
      url: "/downloads/holo-arena-1.4.0.exe",
      uploadedAt: expect.any(Number),
      isCurrent: false,
    });
    expect(await currentOf("windows")).toBeUndefined();
    expect((await ask<ReleasesView>(admin, "GET", "admin/releases")).body.releases).toContainEqual(body);
    expect(await lastEvent()).toMatchObject({
      action: "release_added",
      username: admin.username,
      subject: "holo-arena-1.4.0.exe",
      detail: `${program.byteLength} bytes, SHA-256 ${sha256(program)}`,
    });
    const file = await fetch(`${base}${body.url}`);
    expect(Buffer.from(await file.arrayBuffer()).equals(program)).toBe(true);
    await makeCurrent(body, null);
  });

  test("of an app has the version of its file and is independent of Windows [WHAT-10]", async () => {
    const { body } = await upload("platform=android", makeApp());
    expect(body).toMatchObject({ platform: "android", version: "1.2.3", url: "/downloads/holo-arena-1.2.3.apk" });
    await makeCurrent(body, null);
    expect((await ask<ReleasesView>(null, "GET", "releases")).body.releases).toHaveLength(2);
  });

  // [ENT-25 §3 r28] An app version has platform, version (1.0.0 if none is given), address and whether it is the
  // current one.
  test("without any version is 1.0.0, also by the CEO [ENT-25]", async () => {
    expect((await upload("platform=windows", makeProgram(null), staff.ceo)).body).toMatchObject({ version: "1.0.0" });
  });

  test("with another version than its file is refused with the file's version", async () => {
    const before = await state();
    expect(await upload("platform=android&version=1.0.0", makeApp("5.5.5"))).toMatchObject({
      status: 422,
      body: { code: "other_version", text: "The file says it's version 5.5.5. Please upload it as that version." },
    });
    expect(await state()).toEqual(before);
  });

  test.each(["1.2", "1.2.3.4", "v1.2.3", "1.2.12345", "1.2.x", "../1.2.3", "1.2.3%0d%0aX: y", "", " 1.2.3", "٣.٢.١"])(
    "is refused with the version %j",
    async (version) => {
      const before = await state();
      const answer = await upload(`platform=windows&version=${encodeURIComponent(version)}`, makeProgram(null));
      expect(answer).toMatchObject({ status: 422, body: { code: "bad_version" } });
      expect(await state()).toEqual(before);
    },
  );

  test.each([
    "platform=macos",
    "",
    "platform=windows&platform=android",
    "platform=windows&fileName=../../evil.exe",
    `platform=windows&version=${"1".repeat(41)}`,
  ])("is refused with the query %j", async (query) => {
    expect(await upload(query, makeProgram(null))).toMatchObject({ status: 400, body: { code: "bad_request" } });
  });

  test("of the same file and version changes nothing; another file is refused", async () => {
    const version = newVersion();
    const program = makeProgram(null, randomBytes(1000));
    const first = await upload(`platform=windows&version=${version}`, program);
    const before = await state();
    const act = await lastEvent();
    expect(await upload(`platform=windows&version=${version}`, program)).toEqual(first);
    const other = makeProgram(null, randomBytes(1000));
    expect(await upload(`platform=windows&version=${version}`, other)).toMatchObject({
      status: 409,
      body: { code: "version_taken" },
    });
    expect(await state()).toEqual(before);
    expect(await lastEvent()).toEqual(act);
  });

  test("of one version twice at once is one release and one file", async () => {
    for (const contents of [
      [makeProgram(null, randomBytes(50_000)), makeProgram(null, randomBytes(50_000))],
      Array<Buffer>(2).fill(makeProgram(null, randomBytes(50_000))),
    ]) {
      const { kept } = await state();
      const version = newVersion();
      const answers = await Promise.all(
        contents.map((content) => upload(`platform=windows&version=${version}`, content)),
      );
      const isSame = contents[0] === contents[1];
      expect(answers.map(({ status }) => status).sort()).toEqual(isSame ? [200, 200] : [200, 409]);
      expect(new Set(answers.flatMap(({ body }) => (body.id === undefined ? [] : [body.id]))).size).toBe(1);
      expect(await keptFiles()).toHaveLength(kept.length + 1);
    }
  });
});

describe("an invalid upload", () => {
  // [ERR-37 §8 r28] A failed upload shows 'Failed to upload:' with the reason and leaves no file behind.
  test.each([
    ["windows", "a text", Buffer.from("hello"), "This is not a Windows program (.exe)."],
    ["windows", "nothing", Buffer.alloc(0), "This is not a Windows program (.exe)."],
    ["windows", "an app", makeApp(), "This is not a Windows program (.exe)."],
    ["windows", "a page", Buffer.from("<script>alert(1)</script>".repeat(50)), "This is not a Windows program (.exe)."],
    ["android", "a program", makeProgram("1.2.3"), "This is not an Android app (.apk)."],
    ["android", "another ZIP", makeZip({ "a.txt": Buffer.from("a") }), "This is not an Android app (.apk)."],
  ])("for %s, %s, is refused and stores nothing [ERR-37]", async (platform, _what, content, text) => {
    const before = await state();
    expect(await upload(`platform=${platform}`, content)).toMatchObject({
      status: 422,
      body: { title: "Failed to upload", text },
    });
    expect(await state()).toEqual(before);
  });

  test("above the size limit is refused before reading", async () => {
    const sending = begin("platform=windows", RELEASE_BYTES_MAX + 1);
    sending.request.flushHeaders();
    expect(await sending.answer).toMatchObject({
      status: 413,
      body: { code: "release_too_large", text: "The file is larger than 200 MB." },
    });
    sending.request.destroy();
  });

  test("without a content length or as a form is refused", async () => {
    const chunked = begin("platform=windows", null);
    chunked.request.write(makeProgram(null));
    chunked.request.end();
    expect(await chunked.answer).toMatchObject({ status: 411, body: { code: "release_length_missing" } });
    const form = begin("platform=windows", 4, admin, "multipart/form-data; boundary=x");
    form.request.end("--x-");
    expect(await form.answer).toMatchObject({ status: 400, body: { code: "bad_request" } });
  });

  test("that is cut off stores nothing and frees its slot [ERR-37]", async () => {
    const before = await state();
    for (let i = 0; i < 3; i += 1) {
      const program = makeProgram(null, randomBytes(100_000));
      const sending = begin(`platform=windows&version=${newVersion()}`, program.byteLength);
      sending.request.write(program.subarray(0, 60_000));
      await until(async () => (await draftsLeft()).length === 1);
      sending.request.destroy();
      await until(async () => (await draftsLeft()).length === 0);
    }
    expect(await state()).toEqual(before);
    expect((await upload(`platform=windows&version=${newVersion()}`, makeProgram(null))).status).toBe(200);
  });

  test("with a wrong content length is refused", async () => {
    const program = makeProgram(null, randomBytes(2000));
    for (const length of [program.byteLength - 1, program.byteLength + 1]) {
      const headers = {
        "content-length": String(length),
        "content-type": "application/octet-stream",
        cookie: admin.cookie,
      };
      const init = { method: "POST", headers: { origin: ORIGIN, ...headers }, body: program };
      const answer = await http.app.request(`${ORIGIN}/api/admin/releases?platform=windows`, init, {});
      expect(await answer.json()).toMatchObject({ code: "upload_cut_off" });
    }
    // On a real connection extra bytes are a separate, invalid request.
    const version = newVersion();
    const said = program.byteLength - 1000;
    const text = await new Promise<string>((resolve) => {
      let heard = "";
      const socket = connect(Number(new URL(base).port), "127.0.0.1", () => {
        socket.write(
          `POST /api/admin/releases?platform=windows&version=${version} HTTP/1.1\r\nhost: x\r\norigin: ${ORIGIN}\r\n` +
            `cookie: ${admin.cookie}\r\ncontent-type: application/octet-stream\r\ncontent-length: ${said}\r\n\r\n`,
        );
        socket.write(program);
      });
      socket.on("data", (data) => {
        heard += data;
      });
      socket.on("error", () => undefined);
      socket.on("close", () => resolve(heard));
    });
    expect(text).toContain("400 Bad Request");
    const kept = await ask<ReleasesView>(admin, "GET", "admin/releases");
    const release = kept.body.releases.find((one) => one.version === version);
    if (release !== undefined) expect(release.sha256).toBe(sha256(program.subarray(0, said)));
  });

  test("that is too slow is aborted", async () => {
    const before = await state();
    const hurried = await openTestHttp(database, { uploadPace: { bytes: 1024, spanMs: 100 } });
    const own = createHttpServer(hurried.app);
    const sending = begin(
      `platform=windows&version=${newVersion()}`,
      100_000,
      admin,
      "application/octet-stream",
      await listen(own),
    );
    sending.request.write(makeProgram(null).subarray(0, 500));
    const trickle = setInterval(() => sending.request.write("x"), 20);
    expect(await sending.answer).toMatchObject({ status: 408, body: { code: "upload_stalled" } });
    clearInterval(trickle);
    sending.request.destroy();
    expect(await state()).toEqual(before);
    await end(own);
    await hurried.close();
  });

  test("is limited to two at a time", async () => {
    const sendings = [1, 2].map(() => begin(`platform=windows&version=${newVersion()}`, 100_000));
    for (const { request: sent } of sendings) sent.write(makeProgram(null));
    await until(async () => (await draftsLeft()).length === 2);
    expect(await upload(`platform=windows&version=${newVersion()}`, makeProgram(null))).toMatchObject({
      status: 429,
      body: { code: "uploads_busy" },
    });
    for (const { request: sent } of sendings) sent.destroy();
    await until(async () => (await draftsLeft()).length === 0);
  });
});

describe("the current release", () => {
  // [ADMIN-06 §3,6 r28] An upload is offered once an admin makes it current, in a dialog that names both versions. If
  // another admin was faster, nothing changes and the page says so.
  test("is the stored one that an admin chooses [ADMIN-06]", async () => {
    const before = await currentOf("windows");
    const { body: release } = await upload(`platform=windows&version=${newVersion()}`, makeProgram(null));
    expect(await currentOf("windows")).toEqual(before);
    expect(await makeCurrent(release, before)).toEqual({ status: 200, body: { ...release, isCurrent: true } });
    expect(await currentOf("windows")).toEqual({ ...release, isCurrent: true });
    expect(await lastEvent()).toMatchObject({
      action: "release_made_current",
      subject: release.fileName,
      detail: `Before: ${before?.fileName}`,
    });
    const act = await lastEvent();
    expect((await makeCurrent(release, before)).status).toBe(200);
    expect(await lastEvent()).toEqual(act);
    expect(await makeCurrent({ id: randomUUID() }, release)).toMatchObject({
      status: 404,
      body: { code: "unknown_release" },
    });
    expect((await fetch(`${base}${before?.url}`)).status).toBe(200);
  });

  test("changes only from the one that the admin saw, also for two admins at once [ADMIN-06]", async () => {
    const before = await currentOf("windows");
    const releases = await Promise.all(
      [1, 2].map(async () => (await upload(`platform=windows&version=${newVersion()}`, makeProgram(null))).body),
    );
    const other = await staff.makeAdmin();
    const answers = await Promise.all(releases.map((release, i) => makeCurrent(release, before, [admin, other][i])));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const lost = answers.find(({ status }) => status === 409);
    expect(lost?.body).toMatchObject({ code: "current_release_changed" });
    const won = releases[answers.findIndex(({ status }) => status === 200)];
    expect((await currentOf("windows"))?.id).toBe(won?.id);
    expect(await lastEvent()).toMatchObject({ action: "release_made_current", subject: won?.fileName });
  });

  test("is cached briefly, the full list never", async () => {
    const open = await send(http.app, "GET", "/api/releases");
    expect(open.headers.get("cache-control")).toBe("public, max-age=10");
    const closed = await send(http.app, "GET", "/api/admin/releases", undefined, { cookie: admin.cookie });
    expect(closed.headers.get("cache-control")).toBe("no-store");
  });
});

describe("a download", () => {
  const content = makeProgram(null, randomBytes(200_000));
  const tag = `"${sha256(content)}"`;
  let url: string;
  beforeAll(async () => {
    url = `${base}${(await upload(`platform=windows&version=${newVersion()}`, content)).body.url}`;
  });

  const get = (headers: Readonly<Record<string, string>> = {}, method = "GET") => fetch(url, { method, headers });

  // [CALL-20 §7 r28] An upload is stored under its platform and version, and every download is the same file. A lost
  // file is put back by uploading it again.
  test("is an attachment that a browser does not run [CALL-20]", async () => {
    const answer = await get();
    await answer.arrayBuffer();
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "accept-ranges": "bytes",
      "cache-control": "public, max-age=31536000, immutable",
      "content-disposition": `attachment; filename="${path.basename(url)}"`,
      "content-length": String(content.byteLength),
      "content-security-policy": "default-src 'none'; sandbox",
      "content-type": "application/vnd.microsoft.portable-executable",
      etag: tag,
      "x-content-type-options": "nosniff",
    });
    const app = await fetch(`${base}/downloads/holo-arena-1.2.3.apk`);
    expect(app.headers.get("content-type")).toBe("application/vnd.android.package-archive");
    expect(Buffer.from(await app.arrayBuffer()).equals(makeApp())).toBe(true);
  });

  test("answers HEAD", async () => {
    const answer = await get({ range: "bytes=0-9" }, "HEAD");
    expect([answer.status, answer.headers.get("content-length"), await answer.text()]).toEqual([
      200,
      String(content.byteLength),
      "",
    ]);
  });

  test.each([
    ["bytes=0-0", 0, 1],
    ["bytes=0-99999999999", 0, content.byteLength],
    ["bytes=100-", 100, content.byteLength],
    ["bytes=70000-140000", 70_000, 140_001],
    ["bytes=-10", content.byteLength - 10, content.byteLength],
    ["bytes=-99999999", 0, content.byteLength],
  ])("of %s is that range", async (range, begins, ends) => {
    const answer = await get({ range });
    const part = Buffer.from(await answer.arrayBuffer());
    expect([answer.status, answer.headers.get("content-range"), answer.headers.get("content-length")]).toEqual([
      206,
      `bytes ${begins}-${ends - 1}/${content.byteLength}`,
      String(ends - begins),
    ]);
    expect(part.equals(content.subarray(begins, ends))).toBe(true);
  });

  test.each(["bytes=5-2", "bytes=0-1,4-5", "bytes=-", "bytes=a-b", "lines=1-2", "bytes"])(
    "of %j is the whole file",
    async (range) => {
      const answer = await get({ range });
      expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, content.byteLength]);
    },
  );

  test.each([`bytes=${content.byteLength}-`, "bytes=99999999-", "bytes=-0"])("has no range %s", async (range) => {
    const answer = await get({ range });
    expect([answer.status, answer.headers.get("content-range"), await answer.text()]).toEqual([
      416,
      `bytes */${content.byteLength}`,
      "",
    ]);
  });

  test("resumes only the same file, and is not resent to a cache", async () => {
    const resumed = await get({ range: "bytes=10-19", "if-range": tag });
    expect([resumed.status, (await resumed.arrayBuffer()).byteLength]).toEqual([206, 10]);
    for (const other of ['"another"', `W/${tag}`, new Date().toUTCString()]) {
      const whole = await get({ range: "bytes=10-19", "if-range": other });
      expect([whole.status, (await whole.arrayBuffer()).byteLength]).toEqual([200, content.byteLength]);
    }
    expect((await get({ "if-none-match": `"x", ${tag}` })).status).toBe(304);
  });

  test.each([
    "/downloads/",
    "/downloads/holo-arena-8.8.8.exe",
    "/downloads/holo-arena-1.2.3.exe",
    "/downloads/HOLO-ARENA-1.2.3.apk",
    "/downloads/holo-arena-1.2.3.apk%00.exe",
    "/downloads/holo-arena-1.2.3.apk%0d%0aX-Evil:%201",
    "/downloads/..%2f..%2fauth-secret",
    "/downloads/..%5c..%5cauth-secret",
    "/downloads/%2e%2e%2fkept",
    "/downloads/drafts",
    "/downloads/releases/x",
  ])("of %s is not found", async (address) => {
    const answer = await fetch(`${base}${address}`);
    await answer.text();
    expect([answer.status, answer.headers.get("content-disposition"), answer.headers.get("x-evil")]).toEqual([
      404,
      null,
      null,
    ]);
  });

  test("that is aborted closes its file", async () => {
    for (let i = 0; i < 5; i += 1) {
      const answer = await get();
      const reader = answer.body?.getReader();
      await reader?.read();
      await reader?.cancel();
    }
    const open = async (): Promise<number> => {
      const links = await readdir("/proc/self/fd").catch(() => []);
      const targets = await Promise.all(links.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => "")));
      return targets.filter((target) => target.startsWith(http.filesFolder)).length;
    };
    await until(async () => (await open()) === 0);
    expect(await open()).toBe(0);
  });
});
