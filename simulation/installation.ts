import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Random } from "@holo/kernel/random.ts";
import { openLog } from "../apps/server/src/platform/log.ts";
import {
  findPostgresDirectories,
  type PostgresDirectories,
  SOCKET_FILE,
} from "../apps/server/src/platform/postgres/directories.ts";
import { findPostmaster } from "../apps/server/src/platform/postgres/postmaster.ts";
import { findServiceUser } from "../apps/server/src/platform/postgres/service-user.ts";
import { findChildren } from "../apps/server/src/platform/testing/child-processes.ts";
import { startTestNats, type TestNats } from "../apps/server/src/platform/testing/test-nats.ts";
import { startTestPostgres } from "../apps/server/src/platform/testing/test-postgres.ts";
import { type ArenaServer, makeArenaServer } from "../e2e/support/arena-server.ts";
import { type CuttableProxy, openCuttableProxy } from "../e2e/support/cuttable-proxy.ts";
import { type Balancer, openBalancer } from "./balancer.ts";
import { loadIntoDatabase } from "./machine/load-into-database.ts";
import { type FaultyMachine, PRELOAD_OPTION } from "./machine/machine.ts";

/** The servers of a campaign: one with its own database, or several that share one. */
export interface Installation {
  /** The one address of all. */
  readonly url: string;
  /** Of the database. */
  readonly dataDir: string;
  readonly servers: readonly ArenaServer[];
  /** Null: there is one server. */
  readonly nats: TestNats | null;
  /** Each server's way to NATS. */
  readonly links: readonly CuttableProxy[];
  /** Each server's way to the database; empty if there is one server with its own. */
  readonly databaseLinks: readonly CuttableProxy[];
  /** Null: it cannot be built here, or no fault needs it. */
  readonly machine: FaultyMachine | null;
  /** The database's files. */
  readonly clusterDir: string;
  start(): Promise<void>;
  /** Whether all servers are. */
  isReady(): Promise<boolean>;
  findDatabaseProcesses(): readonly number[];
  /** Moves the clock of all tables forward. */
  advanceTables(ms: number): Promise<void>;
  takeLoggedErrors(): readonly string[];
  /** The server at the other end of a connection from this port. */
  findServer(localPort: number): number;
  remove(): Promise<void>;
}

/** @param settings further environment variables of the servers */
export async function makeInstallation(
  count: number,
  settings: Readonly<Record<string, string>>,
  random: Random,
  machine: FaultyMachine | null = null,
): Promise<Installation> {
  const env = { NODE_OPTIONS: PRELOAD_OPTION, ...machine?.env, ...settings };
  if (count > 1) return await makeServers(count, env, random, machine);
  const server = await makeArenaServer(env);
  const { clusterDir } = await findDirectories(server.dataDir);
  return {
    ...server,
    servers: [server],
    nats: null,
    links: [],
    databaseLinks: [],
    machine,
    clusterDir,
    findServer: () => 0,
    async remove() {
      await server.remove();
      machine?.remove();
    },
  };
}

function findDirectories(dataDir: string): Promise<PostgresDirectories> {
  return findPostgresDirectories(dataDir, findServiceUser(), openLog("silent"));
}

/** No payment is made: a provider that does not answer is enough. */
const NO_PROVIDER = { PAYSTACK_SECRET_KEY: "sk_test_unused", PAYSTACK_URL: "http://127.0.0.1:9" };

async function makeServers(
  count: number,
  settings: Readonly<Record<string, string>>,
  random: Random,
  machine: FaultyMachine | null,
): Promise<Installation> {
  const opened = new AsyncDisposableStack();
  try {
    if (machine !== null) {
      opened.defer(machine.remove);
      opened.defer(loadIntoDatabase(machine.env));
    }
    const postgres = await startTestPostgres(true, "holo-servers-");
    opened.defer(postgres.stop);
    const dataDir = postgres.folder;
    const secret = randomBytes(32).toString("hex");
    writeFileSync(path.join(dataDir, "auth-secret"), secret, { mode: 0o600 });
    const directories = await findDirectories(dataDir);
    const nats = await startTestNats();
    opened.defer(nats.kill);
    const servers: ArenaServer[] = [];
    const balancer: Balancer = await openBalancer(() => servers.map(({ port }) => port), random);
    opened.defer(balancer.close);
    const links: CuttableProxy[] = [];
    const databaseLinks: CuttableProxy[] = [];
    for (let index = 0; index < count; index += 1) {
      const link = await openCuttableProxy(() => Number(new URL(nats.url).port));
      opened.defer(link.close);
      links.push(link);
      const databaseLink = await openCuttableProxy(() => path.join(directories.socketDir, SOCKET_FILE));
      opened.defer(databaseLink.close);
      databaseLinks.push(databaseLink);
      const server = await makeArenaServer({
        ...NO_PROVIDER,
        ...settings,
        NATS_URL: link.url.replace("http", "nats"),
        DATABASE_URL: `${databaseLink.url.replace("http://", "postgresql://holo@")}/holo`,
        AUTH_SECRET: secret,
        PUBLIC_URL: balancer.url,
        FILES_URL: pathToFileURL(path.join(dataDir, "files")).href,
      });
      opened.defer(server.remove);
      servers.push(server);
    }
    const remove = opened.move();
    return {
      url: balancer.url,
      dataDir,
      servers,
      nats,
      links,
      databaseLinks,
      machine,
      clusterDir: directories.clusterDir,
      async start() {
        await Promise.all(servers.map((server) => server.start()));
      },
      async isReady() {
        return (await Promise.all(servers.map((server) => server.isReady()))).every(Boolean);
      },
      findDatabaseProcesses() {
        const postmaster = findPostmaster(directories);
        return postmaster === null ? [] : [postmaster.pid, ...findChildren(postmaster.pid)];
      },
      async advanceTables(ms) {
        await Promise.all(servers.map((server) => server.advanceTables(ms)));
      },
      takeLoggedErrors: () => servers.flatMap((server) => server.takeLoggedErrors()),
      findServer: balancer.findServer,
      remove: () => remove.disposeAsync(),
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}
