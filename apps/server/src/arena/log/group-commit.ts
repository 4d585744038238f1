import { BrokenInvariant } from "@holo/kernel/assert.ts";
import type { GameId } from "@holo/kernel/ids.ts";
import pg from "pg";
import { type Database, toClientConfig } from "../../platform/database/database.ts";
import { isRefusedByDatabase } from "../../platform/database/rolled-back.ts";
import type { Log } from "../../platform/log.ts";
import { runInLogScope } from "../../platform/log-scope.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import { performance, setImmediate, setTimeout, sleep } from "../../platform/runtime.ts";
import { APPEND_BATCH, APPEND_UNLOCKED, type GameWrite, HASH_BEFORE, toBatchValues } from "./game-writer.ts";

export type CommitOutcome =
  | { readonly type: "committed" }
  /** Another record has this version, or the one before is not ours: resync and decide again. */
  | { readonly type: "stale" }
  /** The database refuses this row even alone; its table stops. */
  | { readonly type: "fault"; readonly error: unknown };

/** Above this rate a commit waits briefly for more rows (docs/decisions/arena.md). */
const LINGER_ABOVE_PER_S = 300;
const LINGER_MS = 4;
/** With several servers a commit also costs a message, its write and its receiver. */
const LINGER_SHARED_MS = 7;
const ROWS_MAX = 256;
const RECONNECT_MS = 100;
const RATE_WINDOW_MS = 250;
/** A batch waits this long for locked games; then it is sent without them. */
const LOCK_MS_MAX = 100;
const RETRY_LOCKED_MS = 100;
const LOCK_NOT_AVAILABLE = "55P03";

const COMMITTED: CommitOutcome = { type: "committed" };
const STALE: CommitOutcome = { type: "stale" };

/** The outcomes of a batch, without the games that others have locked. */
type Outcomes = ReadonlyMap<GameId, CommitOutcome>;

interface Waiting {
  readonly write: GameWrite;
  /** Others had locked the game when the row was sent. */
  readonly wasLocked: boolean;
  readonly answer: (outcome: CommitOutcome) => void;
}

/** Commits records that move no money, many games in one statement, over a separate connection. */
export class GroupCommit {
  readonly #database: Pick<Database, "connectionString" | "responseTimeoutMs">;
  readonly #log: Log;
  readonly #batchSize: ReturnType<Metrics["histogram"]>;
  readonly #rate: CommitRate;
  readonly #games = new Set<GameId>();
  #client: pg.Client | null = null;
  #waiting: Waiting[] = [];
  #isFlushing = false;
  #isScheduled = false;
  #isClosed = false;
  #whenIdle: (() => void) | null = null;

  constructor(
    database: Pick<Database, "connectionString" | "responseTimeoutMs">,
    log: Log,
    metrics: Metrics,
    isShared = false,
  ) {
    this.#rate = new CommitRate(isShared ? LINGER_SHARED_MS : LINGER_MS);
    this.#database = database;
    this.#log = log;
    this.#batchSize = metrics.histogram("holo_commit_rows", "Moves per commit", [1, 2, 4, 8, 16, 32, 64, 128, 256]);
  }

  /** Answers once the row is on disk. A second row of a game in flight is answered as a fault. */
  add(write: GameWrite, answer: (outcome: CommitOutcome) => void): void {
    const { gameId } = write;
    if (this.#isClosed) return answer({ type: "fault", error: new Error("the arena is closed") });
    if (this.#games.has(gameId)) {
      return answer({ type: "fault", error: new BrokenInvariant(`game ${gameId} has two records in flight`) });
    }
    this.#games.add(gameId);
    this.#waiting.push({ write, wasLocked: false, answer });
    this.#schedule();
  }

  /** Waits until no row is in flight, then closes the connection. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#games.size > 0) {
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
    // A batch belongs to no single command.
    runInLogScope(null, () => {
      if (lingerMs > 1) setTimeout(() => this.#flush(), lingerMs);
      else setImmediate(() => this.#flush());
    });
  }

  async #flush(): Promise<void> {
    this.#isScheduled = false;
    this.#isFlushing = true;
    const batch = this.#waiting.length > ROWS_MAX ? this.#waiting.slice(0, ROWS_MAX) : this.#waiting;
    this.#waiting = this.#waiting.length > ROWS_MAX ? this.#waiting.slice(ROWS_MAX) : [];
    this.#rate.count(batch.length, performance.now());
    this.#batchSize.observe(batch.length);
    const isAnyLocked = batch.some(({ wasLocked }) => wasLocked);
    const outcomes = await this.#commitWithRetry(
      batch.map(({ write }) => write),
      isAnyLocked ? APPEND_UNLOCKED : APPEND_BATCH,
    );
    this.#isFlushing = false;
    for (const { write } of batch) if (outcomes.has(write.gameId)) this.#games.delete(write.gameId);
    for (const one of batch) {
      const outcome = outcomes.get(one.write.gameId);
      if (outcome === undefined) setTimeout(() => this.#addLocked(one), RETRY_LOCKED_MS);
      else one.answer(outcome);
    }
    if (this.#waiting.length > 0) this.#schedule();
    else if (this.#games.size === 0) this.#whenIdle?.();
  }

  #addLocked(one: Waiting): void {
    this.#waiting.push({ ...one, wasLocked: true });
    this.#schedule();
  }

  /** A lost connection leaves the outcome unknown, so the identical rows are sent again. */
  async #commitWithRetry(writes: readonly GameWrite[], text: string): Promise<Outcomes> {
    for (;;) {
      try {
        return await this.#commit(writes, text);
      } catch (error) {
        if (isLockedOut(error)) return await this.#commitUnlocked(writes, text);
        // Other errors may pass on another attempt.
        if (isRefusedByDatabase(error)) return await this.#commitOneByOne(writes, text, error);
        this.#log.warn({ err: error, rows: writes.length }, "a commit of moves had an unknown outcome; trying again");
        this.#client?.end().catch(() => undefined);
        this.#client = null;
        await sleep(RECONNECT_MS);
      }
    }
  }

  /** Skips locked games, so that they delay no others. All are locked if even that has to wait. */
  async #commitUnlocked(writes: readonly GameWrite[], text: string): Promise<Outcomes> {
    return text === APPEND_UNLOCKED ? new Map() : await this.#commitWithRetry(writes, APPEND_UNLOCKED);
  }

  /** One bad row must not fail the others. */
  async #commitOneByOne(writes: readonly GameWrite[], text: string, error: unknown): Promise<Outcomes> {
    if (writes.length === 1) return new Map([[writes[0]!.gameId, { type: "fault", error }]]);
    const outcomes = new Map<GameId, CommitOutcome>();
    for (const write of writes) {
      for (const [gameId, outcome] of await this.#commitWithRetry([write], text)) outcomes.set(gameId, outcome);
    }
    return outcomes;
  }

  async #commit(writes: readonly GameWrite[], text: string): Promise<Outcomes> {
    const client = await this.#connect();
    const values = toBatchValues(writes);
    const name = text === APPEND_BATCH ? "commit_moves" : "commit_unlocked_moves";
    const { rowCount } = await client.query({ name, text, values, ...this.#timeout() });
    if (rowCount === writes.length) return new Map(writes.map(({ gameId }) => [gameId, COMMITTED]));
    const outcomes = await this.#findOutcomes(client, writes);
    if (text === APPEND_UNLOCKED) return outcomes;
    return new Map(writes.map(({ gameId }) => [gameId, outcomes.get(gameId) ?? toVersionFault(gameId)]));
  }

  /**
   * Committed: the row is stored as sent, by this attempt or an earlier one. Omits rows that would
   * continue the log but are not stored: their games were locked.
   */
  async #findOutcomes(client: pg.Client, writes: readonly GameWrite[]): Promise<Outcomes> {
    const text = `select t.game_id, coalesce(l.hash = t.hash, false) as is_own
      from unnest($1::uuid[], $2::int[], $3::text[], $4::text[]) as t (game_id, version, hash, hash_before)
      left join game_log l using (game_id, version)
      where l.hash is not null or t.hash_before is distinct from ${HASH_BEFORE}`;
    const values = [
      writes.map(({ gameId }) => gameId),
      writes.map(({ encoded }) => encoded.version),
      writes.map(({ encoded }) => encoded.hash),
      writes.map(({ hashBefore }) => hashBefore),
    ];
    const { rows } = await client.query<{ game_id: GameId; is_own: boolean }>({ text, values, ...this.#timeout() });
    return new Map(rows.map(({ game_id: gameId, is_own: isOwn }) => [gameId, isOwn ? COMMITTED : STALE]));
  }

  /** A silent network never answers; after the timeout the rows go over another connection. */
  #timeout(): { readonly query_timeout: number } {
    return { query_timeout: this.#database.responseTimeoutMs };
  }

  async #connect(): Promise<pg.Client> {
    if (this.#client !== null) return this.#client;
    const { connectionString } = this.#database;
    const client = new pg.Client(toClientConfig({ connectionString, lockTimeoutMs: LOCK_MS_MAX }));
    client.on("error", (err) => {
      this.#log.warn({ err }, "the connection that commits moves was lost");
      if (this.#client === client) this.#client = null;
    });
    await client.connect();
    this.#client = client;
    return client;
  }
}

function toVersionFault(gameId: GameId): CommitOutcome {
  return { type: "fault", error: new BrokenInvariant(`game ${gameId} and its log have different versions`) };
}

/** Whether a statement waited too long for a lock; it wrote nothing. */
function isLockedOut(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE;
}

/** Measures rows per second, to decide whether waiting for more rows pays off. */
class CommitRate {
  readonly #lingerMs: number;
  #startedMs = 0;
  #windowFromMs = 0;
  #windowRows = 0;
  #perS = 0;

  constructor(lingerMs: number) {
    this.#lingerMs = lingerMs;
  }

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
    return this.#perS > LINGER_ABOVE_PER_S ? this.#startedMs + this.#lingerMs - nowMs : 0;
  }
}
