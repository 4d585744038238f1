import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findPostmaster } from "./platform/postgres/postmaster.ts";
import { until } from "./testing/server-process.ts";

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));
let dataDir: string;

beforeAll(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), "holo-main-"));
  // The database's user must be able to enter.
  chmodSync(dataDir, 0o711);
});

afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const place = () => ({
  clusterDir: path.join(dataDir, "postgres/data"),
  socketDir: path.join(dataDir, "postgres/socket"),
});

/** In this order: the first start makes the database. Without DEEP=1 only the first runs. */
const MOMENTS: readonly (readonly [when: string, isThen: () => boolean])[] = [
  ["while the database is made", () => existsSync(path.join(dataDir, "postgres.json"))],
  ["while the database starts", () => findPostmaster(place()) !== null],
  ["once the database runs", () => findPostmaster(place())?.isReady === true],
];

test.each(MOMENTS.slice(0, process.env.DEEP === "1" ? MOMENTS.length : 1))(
  "a server that is stopped %s leaves no database behind",
  async (_when, isThen) => {
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const env = { PATH, NODE_COMPILE_CACHE, NODE_ENV: "test", PORT: "0", DATA_DIR: dataDir };
    const server = spawn(process.execPath, [MAIN], { env, stdio: "ignore" });
    const ended = once(server, "exit");
    await until(isThen);
    server.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
    expect(findPostmaster(place())).toBeNull();
  },
);

test.runIf(process.platform === "linux")(
  "a server that finds its disk full says so in one sentence [OPS-04]",
  async () => {
    const folder = path.join(dataDir, "full");
    mkdirSync(folder);
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const env = { PATH, NODE_COMPILE_CACHE, NODE_ENV: "test", PORT: "0", DATA_DIR: folder };
    // A file system that only this process sees. The server runs as another user than root.
    for (const size of ["1m", "20m"]) {
      const mount = `mount -t tmpfs -o size=${size} tmpfs "${folder}" && exec unshare --map-user=1000 "$0" "$@"`;
      const own = ["--map-root-user", "--mount", "--", "sh", "-c", mount, process.execPath, MAIN];
      const server = spawn("unshare", own, { env, stdio: ["ignore", "ignore", "pipe"] });
      const [said, ended] = await Promise.all([text(server.stderr), once(server, "exit")]);
      expect({ said, ended }).toEqual({
        said: `Holo Arena could not start: the disk of ${folder} is full\n`,
        ended: [1, null],
      });
    }
  },
);

test.runIf(process.platform === "linux")("a server whose DATA_DIR takes no folders ends with the reason", async () => {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, NODE_ENV: "test", PORT: "0", DATA_DIR: "/proc" };
  const server = spawn(process.execPath, [MAIN], { env, stdio: ["ignore", "ignore", "pipe"] });
  const [said, ended] = await Promise.all([text(server.stderr), once(server, "exit")]);
  expect(ended).toEqual([1, null]);
  expect(said).toMatch(/^Holo Arena could not start: no folder can be made in \/proc: /);
});

test("a server whose database or port is not to be had names variable and remedy, and prepares nothing [OPS-53]", async () => {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const used = createServer().listen(0, "127.0.0.1");
  await once(used, "listening");
  const { port } = used.address() as AddressInfo;
  const folder = path.join(dataDir, "none");
  const start = async (own: Readonly<Record<string, string>>) => {
    const env = { PATH, NODE_COMPILE_CACHE, HOST: "127.0.0.1", PORT: "0", DATA_DIR: folder, ...own };
    const server = spawn(process.execPath, [MAIN], { env, stdio: ["ignore", "pipe", "pipe"] });
    const [said, out, ended] = await Promise.all([text(server.stderr), text(server.stdout), once(server, "exit")]);
    expect({ out, ended, hasFolder: existsSync(folder) }).toEqual({ out: "", ended: [1, null], hasFolder: false });
    return said;
  };
  const refused = await start({ NODE_ENV: "test", DATABASE_URL: "postgres://holo:word@localhost:9/holo" });
  expect(refused).toMatch(
    /^Holo Arena could not start: DATABASE_URL: nothing listens at .*ECONNREFUSED 127\.0\.0\.1:9\b/,
  );
  expect(refused).not.toMatch(/word|\n./);
  expect(await start({ PORT: String(port) })).toBe(
    `Holo Arena could not start: PORT: another program uses port ${port}: end it, or set PORT to another number\n`,
  );
  used.close();
});
