import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { canInstall, runApt } from "../../../../scripts/install/debian.js";
import { makeRelease } from "../../../../scripts/release/release.ts";
import type { Database } from "../platform/database/database.ts";
import { findPort } from "../platform/testing/free-port.ts";
import { createTestDatabase } from "../platform/testing/test-database.ts";
import { beginGame, countMoves, findLostMoves } from "../testing/robot-pairs.ts";
import { addServerPlayers } from "../testing/server-players.ts";
import { AUTH_SECRET, until } from "../testing/server-process.ts";

/** What deploy/ contains, with Debian's own tools: minutes, so only `npm run test:deep` runs it. */
const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const TAG = "holo-arena-test";
const PAGE = "https://arena.example.ng";
const PROGRAMS = {
  "docker-compose": "docker-compose",
  buildah: "buildah",
  mmdebstrap: "mmdebstrap",
  promtool: "prometheus",
  caddy: "caddy",
};
const env = { ...process.env, STORAGE_DRIVER: "vfs", BUILDAH_ISOLATION: "chroot" };

function run(command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, { cwd: ROOT, env, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim();
}

/** Runs the image's command as a runtime would: its user, a read-only root, no capabilities. */
const RUN_IMAGE = `
  mount --bind "$1" "$1"
  mount -o remount,bind,ro "$1"
  mount -t tmpfs tmpfs "$1/tmp"
  mount -t tmpfs tmpfs "$1/run"
  mkdir "$1/run/database"
  mount --bind "$2" "$1/run/database"
  mount --bind "$3" "$1/data"
  mount --bind /proc "$1/proc"
  exec chroot --userspec="$4" "$1" /srv/holo-arena/bin/node /srv/holo-arena/server/holo.js "\${@:5}"`;

function socketOf({ connectionString }: Database): string {
  return decodeURIComponent(new URL(connectionString).host);
}

interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Cmd: readonly string[];
  readonly StopSignal: NodeJS.Signals;
  readonly Healthcheck: { readonly Test: readonly string[] };
}

if (process.env.DEEP === "1" && canInstall()) {
  let database: Database;
  let container: string;
  let root: string;
  let data: string;

  beforeAll(async () => {
    const missing = Object.entries(PROGRAMS).filter(([program]) => !existsSync(path.join("/usr/bin", program)));
    if (missing.length > 0)
      runApt([["update"], ["install", "-y", "--no-install-recommends", ...missing.map(([, name]) => name)]]);
    database = await createTestDatabase();
    data = await mkdtemp(path.join(tmpdir(), "holo-image-data-"));
    const [archive] = await makeRelease(data, "1.0.0+test", ["linux-x64"]);
    process.stdout.write(`${run(process.execPath, "deploy/build-image.js", archive!, TAG)}\n`);
    await rm(archive!);
    container = run("buildah", "from", `localhost/${TAG}`);
    root = run("buildah", "mount", container);
  }, 600_000);

  afterAll(async () => {
    run("buildah", "rm", container);
    await database.close();
    await rm(data, { recursive: true, force: true });
  });

  test("the image has no shell, package manager, compiler or file of tests", () => {
    const files = run("find", root, "-xdev", "-not", "-type", "d", "-printf", "%P\n").split("\n");
    const tools = /(^|\/)(bash|dash|sh|apt|apt-get|dpkg|perl|python3?|gcc|cc|make|npm|npx|curl|wget)$/;
    expect(files.filter((file) => tools.test(file))).toEqual([]);
    expect(files.filter((file) => /\.test\.[jt]s$|\/testing\/|node_modules\/(?!pg\/index\.js$)/.test(file))).toEqual(
      [],
    );
  });

  test("the image's user owns every folder that the compose file puts a volume on", async () => {
    const compose = await readFile(path.join(ROOT, "deploy/compose.yaml"), "utf8");
    const volumes = /arena1:\n.*\n +volumes: \[(.*)\]/.exec(compose)![1]!.split(", ");
    const folders = volumes.map((volume) => path.join(root, volume.split(":")[1]!));
    expect(folders).toHaveLength(3);
    expect(run("stat", "--format=%u:%g", ...folders).split("\n")).toEqual(folders.map(() => "10001:10001"));
  });

  test("the image serves a game as an unprivileged user on a read-only root, and stops in order", async () => {
    const { config } = JSON.parse(run("buildah", "inspect", "--type", "image", `localhost/${TAG}`)).Docker as {
      readonly config: ImageConfig;
    };
    expect(config).toMatchObject({ User: "10001:10001", StopSignal: "SIGTERM", Cmd: ["serve"] });
    run("chown", "10001:10001", data);
    // The test's database lets its own user in only.
    run("chmod", "o+rwx", socketOf(database), path.join(socketOf(database), ".s.PGSQL.5432"));
    const cluster = path.join(socketOf(database), "../data");
    await writeFile(path.join(cluster, "pg_hba.conf"), "local all all trust\n");
    run("kill", "-HUP", (await readFile(path.join(cluster, "postmaster.pid"), "utf8")).split("\n")[0]!);
    const port = await findPort();
    const url = new URL(database.connectionString);
    const origin = `http://127.0.0.1:${port}`;
    const start = (args: readonly string[]): ChildProcess =>
      spawn(
        "unshare",
        ["--mount", "--", "bash", "-ec", RUN_IMAGE, "-", root, socketOf(database), data, config.User, ...args],
        {
          env: {
            ...Object.fromEntries(config.Env.map((pair) => pair.split(/=(.*)/s).slice(0, 2))),
            PATH: process.env.PATH,
            HOST: "127.0.0.1",
            PORT: String(port),
            DATABASE_URL: `postgresql://${url.username}@${encodeURIComponent("/run/database")}${url.pathname}`,
            AUTH_SECRET,
            PUBLIC_URL: PAGE,
            OWNER_EMAIL: "owner@arena.example.ng",
            SUPPORT_EMAIL: "help@arena.example.ng",
            SUPPORT_MESSAGING_URL: "https://messages.arena.example.ng",
            TRUSTED_PROXIES: "none",
            // Nothing answers on this port.
            SMTP_URL: "smtp://127.0.0.1:9",
            PAYSTACK_SECRET_KEY: "sk_live_of_a_test",
          },
          stdio: ["ignore", "inherit", "inherit"],
        },
      );
    const server = start(config.Cmd);
    await until(async () => (await fetch(`${origin}/readyz`).catch(() => null))?.status === 200);
    const [, program, file, command] = config.Healthcheck.Test;
    expect([program, file]).toEqual(["node", "server/holo.js"]);
    const [healthy] = await once(start([command!]), "exit");
    expect(healthy).toBe(0);

    expect(run("cat", `/proc/${server.pid}/task/${server.pid}/children`), "one process").toBe("");
    const status = run("cat", `/proc/${server.pid}/status`);
    expect(status).toMatch(/^Uid:\t10001\t10001\t10001\t10001$/m);
    expect(status).toMatch(/^CapEff:\t0+$/m);

    const players = await addServerPlayers(database, 2, 100, true);
    const pair = await beginGame({ origin: () => origin, page: PAGE }, [players[0]!, players[1]!], 0);
    await until(() => countMoves([pair]) >= 6);
    const moves = pair.robots.flatMap((robot) => [...robot.acknowledged]);
    server.kill(config.StopSignal);
    const [code] = await once(server, "exit");
    for (const robot of pair.robots) robot.stop();
    expect(code).toBe(0);
    expect(await findLostMoves(database, pair.gameId, moves)).toEqual([]);
  });

  test("promtool accepts the alerts, and each fires at its condition only", () => {
    run("promtool", "check", "rules", "deploy/alerts.yml");
    expect(run("promtool", "test", "rules", "deploy/alerts.test.yml")).toMatch(/SUCCESS/);
  });

  test("docker-compose accepts the services and refuses to start without a domain", async () => {
    const place = await mkdtemp(path.join(tmpdir(), "holo-compose-"));
    const compose = await readFile(path.join(ROOT, "deploy/compose.yaml"), "utf8");
    // Debian 12's docker-compose knows no top-level name.
    await writeFile(path.join(place, "compose.yaml"), compose.replace(/^name: .*$/m, ""));
    await writeFile(path.join(place, "arena.env"), "OWNER_EMAIL=owner@arena.example.ng\n");
    const check = (environment: NodeJS.ProcessEnv): string =>
      execFileSync("docker-compose", ["-f", "compose.yaml", "config"], {
        cwd: place,
        env: environment,
        encoding: "utf8",
      });
    expect(check({ ...env, SITE: "play.example.ng" })).toMatch(/SITE: play\.example\.ng/);
    expect(() => check({ ...env, SITE: "" })).toThrow(/the domain, as play\.example\.ng/);
    await rm(place, { recursive: true });
  });

  test("Caddy accepts the proxy's configuration, systemd the hardened unit", () => {
    run("caddy", "validate", "--config", "deploy/Caddyfile", "--adapter", "caddyfile");
    const verdict = run("systemd-analyze", "security", "--offline=yes", "deploy/holo-arena.service");
    expect(verdict).toMatch(/exposure level for holo-arena\.service: [01]\.\d OK/);
  });
} else {
  test("what the deep tests read is there", () => {
    for (const file of ["Containerfile", "compose.yaml", "Caddyfile", "holo-arena.service", "alerts.test.yml"]) {
      expect(existsSync(path.join(ROOT, "deploy", file))).toBe(true);
    }
  });
}
