import { randomUUID } from "node:crypto";
import { type Instant, toInstant } from "@holo/kernel/instant.ts";
import type { Database } from "../database/database.ts";
import type { Fence } from "../servers/fence.ts";
import type { EndedServer, OwnServer } from "../servers/own-server.ts";
import { type EndCause, endServer, insertServer, loadDatabaseStart } from "../servers/server-rows.ts";

/** A server with a row of its own in the database, that neither beats nor reads. */
export interface TestServer extends OwnServer {
  readonly process: string;
  /** How often a write of it was refused. */
  readonly fencedCount: number;
  setLive(isLive: boolean): void;
  setIsolated(isIsolated: boolean): void;
  /** The others that it knows; tells its listeners. */
  setOthers(others: readonly TestServer[]): void;
  /** As another server does: from now on its writes are refused. Those that know it learn of it. */
  end(ending?: { readonly cause?: EndCause; readonly lastBeatAt?: Instant; readonly endedAt?: Instant }): Promise<void>;
  /** It notices that it was ended, or ends itself, and goes on under a new id. */
  renew(): Promise<void>;
}

interface TestServerOptions {
  readonly isShared?: boolean;
  readonly now?: () => Instant;
}

/** Those that must learn when a server ends. */
const acquaintances = new WeakMap<TestServer, Set<(ended: EndedServer) => void>>();
const endedServers = new WeakSet<TestServer>();

export async function makeTestServer(
  database: Pick<Database, "pool">,
  { isShared = false, now = () => toInstant(Date.now()) }: TestServerOptions = {},
): Promise<TestServer> {
  const { pool } = database;
  const process = randomUUID();
  const renewed: (() => void)[] = [];
  const ended: ((ended: EndedServer) => void)[] = [];
  const changed: (() => void)[] = [];
  const isolated: (() => void)[] = [];
  let others: readonly TestServer[] = [];
  let [isLive, isIsolated, fencedCount] = [true, false, 0];
  let fence: Fence;

  async function register(): Promise<void> {
    const serverId = randomUUID();
    const startedAt = now();
    await insertServer(pool, {
      serverId,
      process,
      place: "a test",
      name: "a test",
      isShared,
      startedAt,
      servingAt: startedAt,
      hasNats: isShared,
      takesPlayers: true,
    });
    fence = { serverId, databaseStart: await loadDatabaseStart(pool) };
  }
  await register();

  function learnEnd(one: EndedServer): void {
    for (const call of changed) call();
    for (const call of ended) call(one);
  }

  const server: TestServer = {
    process,
    isShared,
    previousSeenAt: null,
    get id() {
      return fence.serverId;
    },
    get fencedCount() {
      return fencedCount;
    },
    fence: () => fence,
    isLive: () => isLive,
    noteFenced() {
      fencedCount += 1;
    },
    others: () => others.filter((other) => !endedServers.has(other)).map(({ id }) => id),
    hasTaker: () => server.others().length > 0,
    onRenewed: (call) => void renewed.push(call),
    onEnded: (call) => void ended.push(call),
    onOthersChanged: (call) => void changed.push(call),
    isIsolated: () => isIsolated,
    onIsolated: (call) => void isolated.push(call),
    startServing: () => undefined,
    startHandover: () => undefined,
    stopServing: () => undefined,
    leave: () => server.end({ cause: "stopped" }),
    setLive(live) {
      isLive = live;
    },
    setIsolated(value) {
      isIsolated = value;
      if (value) for (const call of isolated) call();
    },
    setOthers(known) {
      others = known;
      for (const other of known) acquaintances.get(other)!.add(learnEnd);
      for (const call of changed) call();
    },
    async end({ cause = "gone", lastBeatAt = now(), endedAt = now() } = {}) {
      const client = await pool.connect();
      try {
        const found = await endServer(client, {
          serverId: server.id,
          process,
          endedAt,
          lastBeatAt,
          cause,
          beats: null,
        });
        endedServers.add(server);
        if (found !== null) for (const learn of acquaintances.get(server)!) learn(found);
      } finally {
        client.release();
      }
    },
    async renew() {
      await server.end({ cause: "stopped" });
      await register();
      endedServers.delete(server);
      for (const call of renewed) call();
    },
  };
  acquaintances.set(server, new Set());
  return server;
}
