import { BrokenInvariant } from "@holo/kernel/assert.ts";
import type { GameId } from "@holo/kernel/ids.ts";
import pg from "pg";
import { type Database, toClientConfig } from "../../platform/database/database.ts";
import { isRefusedByDatabase } from "../../platform/database/rolled-back.ts";
import type { Log } from "../../platform/log.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import { APPEND_BATCH, type GameWrite, toBatchValues } from "./game-writer.ts";

export type CommitOutcome =
  | { readonly type: "committed" }
  /** Another record has this version: resync and decide again. */
  | { readonly type: "stale" }
  /** The database refuses this row even alone; its table stops. */
  | { readonly type: "fault"; readonly error: unknown };

/** Above this rate a commit waits briefly for more rows (docs/decisions/arena.md). */
const LINGER_ABOVE_PER_S = 300;
const LINGER_MS = 4;
const ROWS_MAX = 256;
const RECONNECT_MS = 100;
const RATE_WINDOW_MS = 250;

const COMMITTED: CommitOutcome = { type: "committed" };
const STALE: CommitOutcome = { type: "stale" };

interface Waiting {
  readonly write: GameWrite;
  readonly answer: (outcome: CommitOutcome) => void;
}

/**
 * Commits records that move no money, many games in one statement, over a connection of its own.
 */
export class GroupCommit {
  readonly #database: Pick<Database, "connectionString" | "responseTimeoutMs">;
  readonly #log: Log;
  readonly #batchSize: ReturnType<Metrics["histogram"]>;
  readonly #rate = new CommitRate();
  /** Games with a row in flight. */
  readonly #games = new Set<GameId>();
  #client: pg.Client | null = null;
  #waiting: Waiting[] = [];
  #isFlushing = false;
  #isScheduled = false;
  #isClosed = false;
  #whenIdle: (() => void) | null = null;

  constructor(database: Pick<Database, "connectionString" | "responseTimeoutMs">, log: Log, metrics: Metrics) {
    this.#database = database;
    this.#log = log;
    this.#batchSize = metrics.histogram("holo_commit_rows", "Moves in one commit", [1, 2, 4, 8, 16, 32, 64, 128, 256]);
  }

  /** Answers once the row is on disk. A second row of a game in flight is answered as a fault. */
  add(write: GameWrite, answer: (outcome: CommitOutcome) => void): void {
    const { gameId } = write;
    if (this.#isClosed) return answer({ type: "fault", error: new Error("the arena is closed") });
    if (this.#games.has(gameId)) {
      return answer({ type: "fault", error: new BrokenInvariant(`game ${gameId} has two records in flight`) });
    }
    this.#games.add(gameId);
    this.#waiting.push({ write, answer });
    this.#schedule();
  }

  /** Waits until no row is in flight, then closes the connection. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#isFlushing || this.#waiting.length > 0) {
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve;
      });
    }
    await this.#client?.end();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isFlushing) return;
    this.#isScheduled = true;
    const lingerMs = this.#waiting.length < ROWS_MAX ? this.#rate.lingerMs(performance.now()) : 0;
    if (lingerMs > 1) setTimeout(() => this.#flush(), lingerMs);
    else setImmediate(() => this.#flush());
  }

  async #flush(): Promise<void> {
    this.#isScheduled = false;
    this.#isFlushing = true;
    const batch = this.#waiting.length > ROWS_MAX ? this.#waiting.slice(0, ROWS_MAX) : this.#waiting;
    this.#waiting = this.#waiting.length > ROWS_MAX ? this.#waiting.slice(ROWS_MAX) : [];
    this.#rate.count(batch.length, performance.now());
    this.#batchSize.observe(batch.length);
    const outcomes = await this.#commitWithRetry(batch.map(({ write }) => write));
    this.#isFlushing = false;
    for (const { write } of batch) this.#games.delete(write.gameId);
    for (const { write, answer } of batch) answer(outcomes.get(write.gameId)!);
    if (this.#waiting.length > 0) this.#schedule();
    else this.#whenIdle?.();
  }

  /** A lost connection leaves the outcome unknown, so the identical rows are sent again. */
  async #commitWithRetry(writes: readonly GameWrite[]): Promise<ReadonlyMap<GameId, CommitOutcome>> {
    for (;;) {
      try {
        return await this.#commit(writes);
      } catch (error) {
        // Anything else may pass on another attempt.
        if (isRefusedByDatabase(error)) return await this.#commitOneByOne(writes, error);
        this.#log.warn({ err: error, rows: writes.length }, "moves are sent to the database again");
        this.#client?.end().catch(() => undefined);
        this.#client = null;
        await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
      }
    }
  }

  /** One bad row must not fail the others. */
  async #commitOneByOne(writes: readonly GameWrite[], error: unknown): Promise<ReadonlyMap<GameId, CommitOutcome>> {
    if (writes.length === 1) return new Map([[writes[0]!.gameId, { type: "fault", error }]]);
    const outcomes = new Map<GameId, CommitOutcome>();
    for (const write of writes) {
      for (const [gameId, outcome] of await this.#commitWithRetry([write])) outcomes.set(gameId, outcome);
    }
    return outcomes;
  }

  async #commit(writes: readonly GameWrite[]): Promise<ReadonlyMap<GameId, CommitOutcome>> {
    const client = await this.#connect();
    const values = toBatchValues(writes);
    const order = { name: "commit_moves", text: APPEND_BATCH, values, ...this.#timeout() };
    const { rowCount } = await client.query(order);
    const own = rowCount === writes.length ? null : await this.#findCommitted(client, writes);
    return new Map(writes.map(({ gameId }) => [gameId, own === null || own.has(gameId) ? COMMITTED : STALE]));
  }

  /** Games whose row is stored as sent, by this attempt or an earlier one. */
  async #findCommitted(client: pg.Client, writes: readonly GameWrite[]): Promise<ReadonlySet<GameId>> {
    const text = `select l.game_id from game_log l
      join unnest($1::uuid[], $2::int[], $3::text[]) as t (game_id, version, hash) using (game_id, version, hash)`;
    const values = [
      writes.map(({ gameId }) => gameId),
      writes.map(({ encoded }) => encoded.version),
      writes.map(({ encoded }) => encoded.hash),
    ];
    const { rows } = await client.query<{ game_id: GameId }>({ text, values, ...this.#timeout() });
    return new Set(rows.map((row) => row.game_id));
  }

  /** A silent network never answers; after the timeout the rows go over another connection. */
  #timeout(): { readonly query_timeout: number } {
    return { query_timeout: this.#database.responseTimeoutMs };
  }

  async #connect(): Promise<pg.Client> {
    if (this.#client !== null) return this.#client;
    const { connectionString } = this.#database;
    const client = new pg.Client(toClientConfig({ connectionString }));
    client.on("error", (err) => {
      this.#log.warn({ err }, "the connection of the moves was lost");
      if (this.#client === client) this.#client = null;
    });
    await client.connect();
    this.#client = client;
    return client;
  }
}

/** Measures rows per second, to decide whether waiting for more rows pays off. */
class CommitRate {
  #startedMs = 0;
  #windowFromMs = 0;
  #windowRows = 0;
  #perS = 0;

  count(rows: number, nowMs: number): void {
    this.#startedMs = nowMs;
    this.#windowRows += rows;
    const elapsedMs = nowMs - this.#windowFromMs;
    if (elapsedMs < RATE_WINDOW_MS) return;
    this.#perS = (this.#windowRows * 1_000) / elapsedMs;
    this.#windowFromMs = nowMs;
    this.#windowRows = 0;
  }

  lingerMs(nowMs: number): number {
    return this.#perS > LINGER_ABOVE_PER_S ? this.#startedMs + LINGER_MS - nowMs : 0;
  }
}
