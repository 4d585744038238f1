import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { answer, type Loss, makeClientClass, type Statement, type VirtualClient } from "./database-client.ts";
import type { Process, Scheduler } from "./scheduler.ts";

export interface VirtualDatabase {
  /** Of statements that may write, in thousandths. */
  setLosses(thousandths: number): void;
  /** Nothing is carried out or answered for that long. */
  silence(ms: number): void;
  /** All connections are lost at once. */
  loseAll(): Promise<void>;
  /** The process of the connections has ended. */
  abandon(process: Process): Promise<void>;
  countLosses(): number;
  countWaits(): number;
  close(): Promise<void>;
}

const LATENCY_MS_MAX = 3;
const SLOW_PERMILLE = 10;
const SLOW_MS_MAX = 150;
/** Real time between two looks at a statement that does not end. */
const LOOK_EVERY_MS = 2;
/** PostgreSQL has looked for a deadlock by then, 1 ms after the wait began. */
const BLOCKED_MS_MIN = 12;

/**
 * PostgreSQL, one statement at a time: each is carried out and answered as an event of the
 * scheduler. A statement that waits for a lock lets others go on.
 */
export async function openVirtualDatabase(
  scheduler: Scheduler,
  connectionString: string,
): Promise<VirtualDatabase & { readonly install: () => () => void }> {
  const { random } = scheduler;
  const RealClient = pg.Client;
  const RealPool = pg.Pool;
  const monitor = new RealClient({ connectionString });
  await monitor.connect();
  const machine = scheduler.makeProcess("database");
  const clients = new Set<VirtualClient>();
  const running = new Set<Statement>();
  let losses = 0;
  let waits = 0;
  let lossThousandths = 0;

  function drawLatencyMs(): number {
    const isSlow = random(1_000) < SLOW_PERMILLE;
    return random(isSlow ? SLOW_MS_MAX * 1_000 : LATENCY_MS_MAX * 1_000) / 1_000;
  }

  const Client = makeClientClass({ scheduler, machine, clients, drawLatencyMs, carryOut, close });
  /** The pool's own limits are in real time. */
  const virtualPool = { Client, connectionTimeoutMillis: 0, idleTimeoutMillis: 0 };

  function chooseLoss({ config: { text } }: Statement): Loss | null {
    if (random(1_000) >= lossThousandths || /^\s*(select .* from|begin|start)/i.test(text)) return null;
    return random(2) === 0 ? "before" : "after";
  }

  async function carryOut(statement: Statement): Promise<void> {
    const { client, config } = statement;
    if (client.isLost) return;
    statement.loss = chooseLoss(statement);
    if (statement.loss === "before") return await lose(client);
    statement.isStarted = true;
    running.add(statement);
    statement.ended = client.real.query(config).then(
      (result: pg.QueryResult) => {
        statement.outcome = { error: null, result };
      },
      async (error: Error) => {
        // An error is reported before the locks are released; the next answer comes after that.
        await client.real.query("").catch(() => undefined);
        statement.outcome = { error };
      },
    );
    await settle();
  }

  /** Waits until each statement has ended or waits for another connection. */
  async function settle(): Promise<void> {
    for (;;) {
      if ([...running].every(({ outcome }) => outcome !== null)) break;
      await nextAnswer();
      const unfinished = [...running].filter(({ outcome }) => outcome === null);
      if (unfinished.length === 0) break;
      if (await areAllBlocked(unfinished)) break;
    }
    for (const statement of [...running].sort((a, b) => a.number - b.number)) {
      if (!running.has(statement)) continue;
      if (statement.outcome !== null) await conclude(statement);
      else if (!statement.waits) block(statement);
    }
  }

  /** In real time: an answer, or a while. */
  async function nextAnswer(): Promise<void> {
    const unfinished = [...running].filter(({ outcome }) => outcome === null);
    const late = new AbortController();
    const patience = sleep(LOOK_EVERY_MS, undefined, { signal: late.signal }).catch(() => undefined);
    await Promise.race([...unfinished.map(({ ended }) => ended), patience]);
    late.abort();
  }

  async function areAllBlocked(statements: readonly Statement[]): Promise<boolean> {
    const pids = statements.map(({ client }) => client.processID);
    const { rows } = await monitor.query<{ pid: number; blockers: readonly number[]; ms: number }>(
      `select pid, pg_blocking_pids(pid) as blockers, coalesce((select extract(epoch from clock_timestamp() - max(waitstart)) * 1000
         from pg_locks l where l.pid = p.pid and not granted), 0)::float8 as ms from unnest($1::int[]) as p (pid)`,
      [pids],
    );
    const own = new Set([...clients].map(({ processID }) => processID));
    const isBlocked = rows.every(({ blockers, ms }) => ms > BLOCKED_MS_MIN && blockers.some((pid) => own.has(pid)));
    return isBlocked && !hasCycle(new Map(rows.map(({ pid, blockers }) => [pid, blockers])));
  }

  function block(statement: Statement): void {
    waits += 1;
    statement.waits = true;
    scheduler.note(`statement ${statement.number} waits`);
    const { lockTimeoutMs } = statement.client;
    if (lockTimeoutMs === 0) return;
    scheduler.schedule(
      lockTimeoutMs,
      async () => {
        if (!running.has(statement)) return;
        statement.isCancelled = true;
        while (statement.outcome === null) {
          await monitor.query("select pg_cancel_backend($1)", [statement.client.processID]);
          await nextAnswer();
        }
        await settle();
      },
      machine,
    );
  }

  async function conclude(statement: Statement): Promise<void> {
    running.delete(statement);
    const { client, config, isCancelled, loss, number } = statement;
    const { error, result } = statement.outcome!;
    if (isCancelled && error instanceof pg.DatabaseError && error.code === "57014") {
      error.code = "55P03";
      error.message = "canceling statement due to lock timeout";
    }
    const code = error === null ? `${result?.rowCount}` : error instanceof pg.DatabaseError ? error.code : "error";
    const content = toDigest([config.values, result?.rows]);
    scheduler.note(
      `statement ${number} of ${client.process.name}: ${config.name ?? config.text.trim().replace(/\s+/g, " ").slice(0, 80)}: ${code}, ${content}`,
    );
    if (loss === "after") return await lose(client);
    scheduler.schedule(drawLatencyMs(), () => answer(statement, error, result), client.process);
  }

  async function lose(client: VirtualClient): Promise<void> {
    losses += 1;
    scheduler.note(`a connection of ${client.process.name} is lost`);
    await close(client);
    scheduler.schedule(drawLatencyMs(), () => client.notice(), client.process);
  }

  /** Ends the session, which rolls back. Statements that waited for it go on. */
  async function close(client: VirtualClient): Promise<void> {
    if (client.isLost) return;
    client.isLost = true;
    clients.delete(client);
    for (const statement of running) if (statement.client === client) running.delete(statement);
    const pid = client.processID;
    await monitor.query("select pg_terminate_backend($1)", [pid]);
    while ((await monitor.query("select from pg_stat_activity where pid = $1", [pid])).rowCount !== 0) await sleep(1);
    await client.real.end().catch(() => undefined);
    await settle();
  }

  return {
    install() {
      /** PostgreSQL's supervisor also runs in this process and uses another database. */
      const isOwn = (config: pg.ClientConfig): boolean =>
        config.connectionString?.startsWith(connectionString) === true;
      pg.Client = new Proxy(RealClient, {
        construct: (_, [config]) => (isOwn(config) ? new Client(config) : new RealClient(config)),
      });
      pg.Pool = new Proxy(RealPool, {
        construct: (_, [config]) => new RealPool(isOwn(config) ? { ...config, ...virtualPool } : config),
      });
      return () => {
        pg.Client = RealClient;
        pg.Pool = RealPool;
      };
    },
    setLosses(thousandths) {
      lossThousandths = thousandths;
    },
    silence(ms) {
      machine.heldUntilMs = scheduler.nowMs() + ms;
    },
    async loseAll() {
      for (const client of [...clients]) await lose(client);
    },
    async abandon(process) {
      for (const client of [...clients]) {
        if (client.process !== process) continue;
        const { active } = client;
        // What was sent may still be carried out.
        if (active !== null && !active.isStarted && random(2) === 0) await carryOut(active);
        await close(client);
      }
    },
    countLosses: () => losses,
    countWaits: () => waits,
    async close() {
      for (const client of [...clients]) await close(client);
      await monitor.end();
    },
  };
}

/** Of the values that a statement was given and the rows that it returned. */
function toDigest(content: unknown): string {
  const text = JSON.stringify(content, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

/** Whether some sessions wait for each other: PostgreSQL ends one of them. */
function hasCycle(blockersOf: ReadonlyMap<number, readonly number[]>): boolean {
  const reaches = (from: number, target: number, seen: Set<number>): boolean =>
    (blockersOf.get(from) ?? []).some(
      (pid) => pid === target || (!seen.has(pid) && reaches(pid, target, seen.add(pid))),
    );
  return [...blockersOf.keys()].some((pid) => reaches(pid, pid, new Set()));
}
