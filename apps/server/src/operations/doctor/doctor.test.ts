import { spawnSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { keepSecret } from "../../platform/auth-secret.ts";
import type { Database } from "../../platform/database/database.ts";
import { findPort } from "../../platform/testing/free-port.ts";
import { makeCertificate } from "../../platform/testing/test-certificate.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { openTestLog } from "../../platform/testing/test-log.ts";
import { startTestNats } from "../../platform/testing/test-nats.ts";
import { openTestSmtp, type TestSmtp } from "../../platform/testing/test-smtp.ts";
import { makeSignedApp } from "../../releases/testing/test-builds.ts";
import { checkAndroidApp, toArchiveFinding } from "./check-database.ts";
import { examine, toLines } from "./doctor.ts";
import type { Finding } from "./finding.ts";

const SECRET = "a secret of tests, long enough to be one";
const HOUR_MS = 3_600_000;
const HOLO = fileURLToPath(new URL("../../holo.ts", import.meta.url));
const servers: Server[] = [];
let folder: string;
let database: Database;
let smtp: TestSmtp;
let closedPort: number;

async function listen(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

function serve(answer: RequestListener): Promise<number> {
  return listen(createHttpServer(answer));
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "holo-doctor-"));
  await writeFile(path.join(folder, "file"), "");
  database = await createTestDatabase();
  smtp = await openTestSmtp();
  closedPort = await findPort();
});

afterAll(async () => {
  await database.close();
  await smtp.close();
  for (const server of servers) server.close();
  await rm(folder, { recursive: true, force: true });
});

function run(environment: Readonly<Record<string, string>>): Promise<readonly Finding[]> {
  return examine({ DATA_DIR: folder, AUTH_SECRET: SECRET, ...environment }, { log: openTestLog(), isQuick: false });
}

function expectFaults(findings: readonly Finding[], expected: readonly (readonly [string, RegExp, RegExp])[]): void {
  for (const [check, found, remedy] of expected) {
    expect(findings).toContainEqual({
      check,
      status: expect.stringMatching(/fault|warning/),
      found: expect.stringMatching(found),
      remedy: expect.stringMatching(remedy),
    });
  }
}

// [OPS-07 §-] The doctor finds more than 25 faults of an installation and names the remedy of each without showing a
// secret. A sound server has none. It changes nothing.
it("finds faults of a server that starts and names their remedies [OPS-07 OPS-40 OPS-51]", async () => {
  const port = await serve((request, response) => {
    if (request.url === "/balance") response.setHeader("date", new Date(Date.now() - HOUR_MS).toUTCString());
    response.writeHead(request.url === "/balance" ? 401 : 404).end("{}");
  });
  const dataDir = path.join(folder, "data");
  await mkdir(dataDir);
  await writeFile(path.join(dataDir, "auth-secret"), "another secret", { mode: 0o644 });
  await chmod(path.join(dataDir, "auth-secret"), 0o644);
  await writeFile(path.join(dataDir, "restore-unfinished"), "");
  await keepSecret(database.kysely, "the secret before");
  await database.pool.query("insert into reconciliations (day, started_at, finished_at) values ('2026-01-01', 0, 1)");
  await database.pool.query("insert into backups values ('holo-arena', clock_timestamp() - interval '50 hours')");
  const name = new URL(database.connectionString).pathname.slice(1);
  await database.pool.query("alter table ledger_entries disable trigger ledger_append_only");
  await database.pool.query(`alter database ${name} set synchronous_commit = off`);
  // As a full disk does, this limit fails statements that need more space, and no others.
  await database.pool.query(`alter database ${name} set temp_file_limit = 0`);
  await database.pool.query(`alter database ${name} set default_transaction_read_only = on`);

  const findings = await run({
    DATABASE_URL: database.connectionString,
    DATA_DIR: dataDir,
    FILES_URL: `file://${folder}/file`,
    PORT: "99999",
    METRICS_TOKEN: "short",
    SMTP_URL: `smtp://user:wrong@127.0.0.1:${smtp.port}`,
    PAYSTACK_SECRET_KEY: "sk_test_abc",
    PAYSTACK_URL: `http://127.0.0.1:${port}`,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    NATS_URL: `nats://127.0.0.1:${closedPort}`,
    OWNER_EMAIL: "chief@example.com",
  });
  expectFaults(findings, [
    ["configuration", /^PORT must be a whole number/, /configuration.md/],
    ["configuration", /^METRICS_TOKEN must have/, /configuration.md/],
    ["DATA_DIR", /restore was interrupted/, /restore again/],
    ["DATA_DIR", /auth-secret can be read by other users/, /chmod 600/],
    ["DATA_DIR", /another auth-secret/, /remove the one/],
    ["database", /it cannot write: temporary file size/, /free space on the database's disk/],
    ["database settings", /fsync is off/, /set fsync = on/],
    ["database settings", /full_page_writes is off/, /set full_page_writes = on/],
    ["database settings", /synchronous_commit is off/, /set synchronous_commit = on/],
    ["database settings", /read-only/, /use the primary/],
    ["owner", /no owner/, /OWNER_EMAIL/],
    ["secret", /not the secret of this database/, /the one the server had before/],
    ["comparison", /was complete since 1970/, /Compare now/],
    ["backup", /last one of holo-arena is 50 h old/, /journalctl -t holo-backup/],
    ["auditor", /ledger_append_only is missing or off/, /maintenance/],
    ["files", /unusable/, /FILES_URL/],
    ["mail", /does not take mails: .*wrong login/, /user and password of SMTP_URL/],
    ["payment provider", /refuses the key/, /PAYSTACK_SECRET_KEY/],
    ["clock", /differs by 36\d\d s/, /time synchronization/],
    ["PUBLIC_URL", /answered by something else \(status 404\)/, /proxy/],
    ["NATS", /cannot be reached: .*ECONNREFUSED/, /start NATS/],
  ]);
  expect(JSON.stringify(findings)).not.toMatch(/sk_test_abc|wrong@|a secret of tests/);
});

it("makes no folder where no server has started [OPS-07]", async () => {
  const place = path.join(folder, "not-installed");
  await mkdir(place);
  const findings = await run({
    DATABASE_URL: `postgres://127.0.0.1:${closedPort}/x`,
    DATA_DIR: path.join(place, "data/of-the-arena"),
    FILES_URL: `file://${place}/files`,
    PUBLIC_URL: `http://127.0.0.1:${closedPort}`,
  });
  expect(findings.filter(({ status }) => status === "ok").map(({ check }) => check)).toContain("files");
  expect(await readdir(place)).toEqual([]);
});

it("finds a NATS that refuses this server, and one that accepts it [OPS-07]", async () => {
  const config = path.join(folder, "nats.conf");
  await writeFile(config, 'authorization { user: holo, password: "right" }');
  const nats = await startTestNats(config);
  const { host } = new URL(nats.url);
  try {
    const check = (environment: Readonly<Record<string, string>>) =>
      run({
        DATABASE_URL: `postgres://127.0.0.1:${closedPort}/x`,
        PUBLIC_URL: `http://127.0.0.1:${closedPort}`,
        ...environment,
      });
    expectFaults(await check({ NATS_URL: `nats://holo:wrong@${host}` }), [
      ["NATS", /refuses this server: .*Authorization Violation/, /user and password in NATS_URL/],
    ]);
    const NATS_CREDS = path.join(folder, "no-such-file");
    expectFaults(await check({ NATS_URL: nats.url, NATS_CREDS }), [
      ["NATS", /refuses this server: .*no-such-file/, /NATS_CREDS/],
    ]);
    const findings = await check({ NATS_URL: `nats://holo:right@${host}` });
    expect(findings.find((finding) => finding.check === "NATS")?.found).toMatch(/accepts this server/);
  } finally {
    await nats.kill();
  }
});

it("finds what production lacks and what cannot be reached at all [OPS-07]", async () => {
  const { key, certificate } = makeCertificate("127.0.0.1");
  const secure = await listen(
    createHttpsServer({ key, cert: certificate }, (_request, response) => response.end("ok")),
  );
  const nats = await listen(createServer((socket) => socket.end("SSH-2.0\r\n")));
  const findings = await run({
    NODE_ENV: "production",
    DATA_DIR: path.join(folder, "file"),
    DATABASE_URL: `postgres://holo:hunter2@127.0.0.1:${closedPort}/holo`,
    SMTP_URL: `smtp://127.0.0.1:${closedPort}`,
    PAYSTACK_URL: `http://127.0.0.1:${closedPort}`,
    PAYSTACK_SECRET_KEY: "sk_test_abc",
    PUBLIC_URL: `https://127.0.0.1:${secure}`,
    NATS_URL: `nats://127.0.0.1:${nats}`,
    CHESS_ENGINE: path.join(folder, "no-such-program"),
  });
  expectFaults(findings, [
    ["chess engine", /does not work: it could not be started/, /CHESS_ENGINE/],
    ["configuration", /^TRUSTED_PROXIES is missing/, /configuration.md/],
    ["configuration", /^PAYSTACK_SECRET_KEY is a test key/, /configuration.md/],
    ["DATA_DIR", /cannot be written to/, /set DATA_DIR/],
    ["database", /cannot be used: .*ECONNREFUSED/, /DATABASE_URL/],
    ["mail", /does not take mails: .*ECONNREFUSED/, /SMTP_URL/],
    ["PUBLIC_URL", /cannot be reached: .*self-signed certificate/, /valid certificate/],
    ["NATS", /is not a NATS server/, /NATS_URL/],
  ]);
  expect(JSON.stringify(findings)).not.toContain("hunter2");
});

it("finds a database of another release, a lost webhook and an unreachable provider [OPS-07]", async () => {
  const [older, newer] = [await createTestDatabase(), await createTestDatabase()];
  await older.pool.query("delete from kysely_migration where name = (select max(name) from kysely_migration)");
  await newer.pool.query("insert into kysely_migration values ('999-later', '2026-01-01')");
  const port = await serve((request, response) =>
    response.writeHead(request.url === "/healthz" ? 200 : 405).end(request.url === "/healthz" ? "ok 1.0.0" : ""),
  );
  const common = {
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    PAYSTACK_SECRET_KEY: "sk_test_abc",
    PAYSTACK_URL: `http://127.0.0.1:${closedPort}`,
  };
  expectFaults(await run({ ...common, DATABASE_URL: older.connectionString }), [
    ["migrations", /1 are pending/, /take a backup/],
    ["PUBLIC_URL", /webhook does not reach the server \(status 405\)/, /POST \/api\/paystack\/webhook/],
    ["payment provider", /cannot be reached: .*ECONNREFUSED/, /PAYSTACK_URL/],
  ]);
  expectFaults(await run({ ...common, DATABASE_URL: newer.connectionString }), [
    ["migrations", /newer release .*999-later/, /install the release/],
  ]);
  expectFaults(await run({ ...common, DATA_DIR: path.join(folder, "elsewhere") }), [
    ["database", /there is no arena/, /DATA_DIR/],
  ]);
  expectFaults(await run({ ...common, DATA_DIR: path.join(folder, "n".repeat(300)) }), [
    ["DATA_DIR", /cannot be written to: ENAMETOOLONG/, /set DATA_DIR/],
    ["files", /unusable: ENAMETOOLONG/, /FILES_URL/],
  ]);
  await older.close();
  await newer.close();
});

it("The doctor finds a certificate that ends within two weeks and one that has ended [OPS-31 §-]", async () => {
  const trusted = getCACertificates("default");
  try {
    for (const [days, found, remedy] of [
      [10, /valid for 9 more days/, /renew it/],
      [-1, /cannot be reached: .*expired/, /valid certificate/],
    ] as const) {
      const { key, certificate } = makeCertificate("localhost", Date.now() + 24 * HOUR_MS * days);
      setDefaultCACertificates([certificate]);
      const port = await listen(
        createHttpsServer({ key, cert: certificate }, (request, response) => {
          // As a server does that cannot start the process that derives keys.
          response.writeHead(request.url === "/api/login" ? 500 : 200);
          response.end(request.url === "/healthz" ? "ok 1.0.0" : "bad_signature");
        }),
      );
      const findings = await run({
        DATABASE_URL: `postgres://127.0.0.1:${closedPort}/x`,
        PUBLIC_URL: `https://localhost:${port}`,
      });
      expectFaults(findings, [["PUBLIC_URL", found, remedy]]);
      if (days > 0) expectFaults(findings, [["login", /with status 500: no password can be checked/, /server's log/]]);
    }
  } finally {
    setDefaultCACertificates(trusted);
  }
});

it("finds an Android app that is offered without a configured certificate or with another [OPS-07]", async () => {
  const [own, filesFolder] = [await createTestDatabase(), path.join(folder, "apps")];
  const certificate = Buffer.from("the certificate of the release key");
  const digest = createHash("sha256").update(certificate).digest("hex").toUpperCase().match(/../g)!.join(":");
  const check = (mode: "development" | "production", androidCertificates: readonly string[]) =>
    checkAndroidApp(own, { mode, androidCertificates, files: { type: "disk", folder: filesFolder } });
  expect((await check("production", [])).status).toBe("ok");
  const app = makeSignedApp(certificate);
  const id = randomUUID();
  await own.pool.query(
    `with event as (insert into audit_events (at, player_id, action, subject, detail)
       values (1, 'staff-member', 'release_added', 'holo-arena-1.2.3.apk', '') returning id)
     insert into app_versions (id, platform, version, file_name, is_current, size_bytes, sha256, uploaded_by, uploaded_at, audit_event_id)
     select $1, 'android', '1.2.3', 'holo-arena-1.2.3.apk', true, $2, repeat('0', 64), 'staff-member', 1, id from event`,
    [id, app.byteLength],
  );
  expectFaults(
    [await check("production", []), await check("production", [digest])],
    [
      ["Android app", /1\.2\.3\.apk is offered, and ANDROID_CERT_SHA256 is missing/, /docs\/native.md/],
      ["Android app", /1\.2\.3\.apk cannot be read: .*lost/, /upload the same file again/],
    ],
  );
  expect((await check("development", [])).status).toBe("ok");
  await mkdir(path.join(filesFolder, "kept/releases"), { recursive: true });
  await writeFile(path.join(filesFolder, "kept/releases", id), app);
  expect((await check("production", [digest])).status).toBe("ok");
  expectFaults(
    [await check("production", [digest.replace(/../, "00")])],
    [["Android app", /no certificate of ANDROID_CERT_SHA256 signs it/, /correct ANDROID_CERT_SHA256/]],
  );
  await own.close();
});

// [OPS-32 §-] The doctor finds an archive of PostgreSQL's log that fails, hangs or has no command, and one that is
// filled so seldom that more than a minute could be lost.
it("finds an archive that fails, and one that may lose more than a minute [OPS-32]", () => {
  const [earlier, later] = [new Date(0), new Date(HOUR_MS)];
  const [countedFrom, at, late] = [new Date(1), new Date(HOUR_MS + 150_000), new Date(HOUR_MS + 150_001)];
  const sound = { mode: "on", timeoutSeconds: 30, failedAt: earlier, archivedAt: later, countedFrom, at };
  expect(toArchiveFinding(sound).status).toBe("ok");
  expect(toArchiveFinding({ ...sound, mode: "off", timeoutSeconds: 0, at: late }).status).toBe("ok");
  // PostgreSQL started or forgot its statistics a moment ago.
  const started = { ...sound, failedAt: null, countedFrom: later };
  expect(toArchiveFinding({ ...started, archivedAt: earlier }).status).toBe("ok");
  expect(toArchiveFinding({ ...started, archivedAt: null }).status).toBe("ok");
  expectFaults(
    [
      toArchiveFinding({ ...sound, timeoutSeconds: 0 }),
      toArchiveFinding({ ...sound, timeoutSeconds: 300 }),
      toArchiveFinding({ ...sound, failedAt: later, archivedAt: earlier }),
      toArchiveFinding({ ...sound, archivedAt: null }),
      toArchiveFinding({ ...sound, at: late }),
      toArchiveFinding({ ...sound, failedAt: null, archivedAt: null }),
    ],
    [
      ["archive", /archive_timeout is 0 s/, /set archive_timeout = 30/],
      ["archive", /archive_timeout is 300 s/, /set archive_timeout = 30/],
      ["archive", /not archived since 1970-01-01T00:00/, /pgbackrest --stanza=holo check/],
      ["archive", /not archived since 1970-01-01T00:00/, /pgbackrest --stanza=holo check/],
      ["archive", /not archived since 1970-01-01T01:00/, /pgbackrest --stanza=holo check/],
      ["archive", /not archived since 1970-01-01T00:00/, /pgbackrest --stanza=holo check/],
    ],
  );
});

it("The doctor finds too little free space for DATA_DIR and for uploaded files [OPS-35 §-]", async () => {
  const [dataDir, files] = [path.join(folder, "small"), path.join(folder, "smaller-than-good")];
  await Promise.all([dataDir, files].map((place) => mkdir(place)));
  // File systems that only this process sees, and that end with it.
  const mount = (place: string, size: string): string => `mount -t tmpfs -o size=${size} tmpfs ${place}`;
  const command = `${mount(dataDir, "100m")} && ${mount(files, "1g")} && exec "$0" "$@"`;
  const doctor = [process.execPath, HOLO, "doctor", "--json", "--quick"];
  const own = ["--map-root-user", "--mount", "--", "sh", "-c", command, ...doctor];
  const { stdout, status } = spawnSync("unshare", own, {
    encoding: "utf8",
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      FILES_URL: `file://${files}`,
      DATABASE_URL: `postgres://127.0.0.1:${closedPort}/x`,
      PUBLIC_URL: `http://127.0.0.1:${closedPort}`,
    },
  });
  expect(status).toBe(1);
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly Finding[] };
  expect(findings.filter(({ check }) => check === "free space")).toEqual([
    {
      check: "free space",
      status: "fault",
      found: expect.stringMatching(/^\d{2,3} MB are free for DATA_DIR /),
      remedy: expect.stringMatching(/free at least 5 GB: on a full disk no move is accepted/),
    },
    {
      check: "free space",
      status: "warning",
      found: expect.stringMatching(/^\d{3,4} MB are free for uploaded files /),
      remedy: expect.stringMatching(/keep at least 5 GB free/),
    },
  ]);
});

it("counts one fault as one and several checks as several", () => {
  const finding = { check: "mail", found: "it answers", remedy: null };
  const statuses = ["fault", "ok", "ok"] as const;
  expect(toLines(statuses.map((status) => ({ ...finding, status }))).at(-1)).toBe(
    "1 fault, 0 warnings, 2 checks passed",
  );
});
