import { BrokenInvariant } from "@holo/kernel/assert.ts";
import type { GameId } from "@holo/kernel/ids.ts";
import pg from "pg";
import { type Database, toClientConfig } from "../../platform/database/database.ts";
import { isRefusedByDatabase } from "../../platform/database/rolled-back.ts";
import type { Log } from "../../platform/log.ts";
import { runInLogScope } from "../../platform/log-scope.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import { performance, setImmediate, setTimeout, sleep } from "../../platform/runtime.ts";
import type { Fence, OwnFence } from "../../platform/servers/fence.ts";
import { APPEND_BATCH, type GameWrite, toBatchValues } from "./game-writer.ts";

export type CommitOutcome =
  | { readonly type: "committed" }
  /** Another record has this version: read the log and decide again. */
  | { readonly type: "conflict" }
  /** This server has ended, or PostgreSQL was started again: nothing was written. */
  | { readonly type: "fenced" }
  /** The database refuses this row even alone; its table stops. */
  | { readonly type: "fault"; readonly error: unknown };

/** Above this rate a commit waits briefly for more rows (docs/decisions/game.md). */
const LINGER_ABOVE_PER_S = 300;
const LINGER_MS = 4;
const ROWS_MAX = 256;
const RECONNECT_MS = 100;
const RATE_WINDOW_MS = 250;

const COMMITTED: CommitOutcome = { type: "committed" };
const CONFLICT: CommitOutcome = { type: "conflict" };
const FENCED: CommitOutcome = { type: "fenced" };

type Outcomes = ReadonlyMap<GameId, CommitOutcome>;

interface Waiting {
  readonly write: GameWrite;
  /** Of the server that decided the record. It may have got another id since. */
  readonly fence: Fence;
  readonly answer: (outcome: CommitOutcome) => void;
}

/** Commits records that move no money, many games in one statement, over a separate connection. */
export class GroupCommit {
  readonly #database: Pick<Database, "connectionString" | "responseTimeoutMs">;
  readonly #own: OwnFence;
  readonly #log: Log;
  readonly #batchSize: ReturnType<Metrics["histogram"]>;
  readonly #rate = new CommitRate();
  /** The games with a row in flight, and the server that sent it. */
  readonly #inFlight = new Map<GameId, string>();
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
    own: OwnFence,
  ) {
    this.#database = database;
    this.#own = own;
    this.#log = log;
    this.#batchSize = metrics.histogram("holo_commit_rows", "Moves per commit", [1, 2, 4, 8, 16, 32, 64, 128, 256]);
  }

  /** Answers once the row is on disk. A second row of a game in flight is answered as a fault. */
  add(write: GameWrite, answer: (outcome: CommitOutcome) => void): void {
    const { gameId } = write;
    const fence = this.#own.fence();
    if (this.#isClosed) return answer({ type: "fault", error: new Error("the games are closed") });
    if (this.#inFlight.get(gameId) === fence.serverId) {
      return answer({ type: "fault", error: new BrokenInvariant(`game ${gameId} has two records in flight`) });
    }
    this.#inFlight.set(gameId, fence.serverId);
    this.#waiting.push({ write, fence, answer });
    this.#schedule();
  }

  /** Waits until no row is in flight, then closes the connection. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#waiting.length > 0 || this.#isFlushing) {
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
    const fence = this.#own.fence();
    const taken = this.#waiting.length > ROWS_MAX ? this.#waiting.slice(0, ROWS_MAX) : this.#waiting;
    this.#waiting = this.#waiting.length > ROWS_MAX ? this.#waiting.slice(ROWS_MAX) : [];
    // What was decided under an id that this server has lost is not sent.
    const batch = taken.filter(({ fence: { serverId } }) => serverId === fence.serverId);
    if (batch.length > 0) {
      this.#rate.count(batch.length, performance.now());
      this.#batchSize.observe(batch.length);
    }
    const writes = batch.map(({ write }) => write);
    const outcomes: Outcomes = batch.length > 0 ? await this.#commitWithRetry(fence, writes) : new Map();
    this.#isFlushing = false;
    for (const one of taken) this.#release(one);
    for (const { write, fence: own, answer } of taken) {
      answer(own.serverId === fence.serverId ? outcomes.get(write.gameId)! : FENCED);
    }
    if (this.#waiting.length > 0) this.#schedule();
    else this.#whenIdle?.();
  }

  /** Under its new id a server may have sent another row of the game meanwhile. */
  #release({ write: { gameId }, fence }: Waiting): void {
    if (this.#inFlight.get(gameId) === fence.serverId) this.#inFlight.delete(gameId);
  }

  /** A lost connection leaves the outcome unknown, so the identical rows are sent again. */
  async #commitWithRetry(fence: Fence, writes: readonly GameWrite[]): Promise<Outcomes> {
    for (;;) {
      try {
        return await this.#commit(fence, writes);
      } catch (error) {
        // Other errors may pass on another attempt.
        if (isRefusedByDatabase(error)) return await this.#commitOneByOne(fence, writes, error);
        this.#log.warn({ err: error, rows: writes.length }, "a commit of moves had an unknown outcome; trying again");
        this.#client?.end().catch(() => undefined);
        this.#client = null;
        await sleep(RECONNECT_MS);
      }
    }
  }

  /** One bad row must not fail the others. */
  async #commitOneByOne(fence: Fence, writes: readonly GameWrite[], error: unknown): Promise<Outcomes> {
    if (writes.length === 1) return new Map([[writes[0]!.gameId, { type: "fault", error }]]);
    const outcomes = new Map<GameId, CommitOutcome>();
    for (const write of writes) {
      for (const [gameId, outcome] of await this.#commitWithRetry(fence, [write])) outcomes.set(gameId, outcome);
    }
    return outcomes;
  }

  async #commit(fence: Fence, writes: readonly GameWrite[]): Promise<Outcomes> {
    const client = await this.#connect();
    const values = toBatchValues(fence, writes);
    const { rowCount } = await client.query({ name: "commit_moves", text: APPEND_BATCH, values, ...this.#timeout() });
    if (rowCount === writes.length) return new Map(writes.map(({ gameId }) => [gameId, COMMITTED]));
    return await this.#findOutcomes(client, writes);
  }

  /**
   * A row that is stored as sent was committed by this attempt or an earlier one. Where nothing is
   * stored, not even by another, the fence refused.
   */
  async #findOutcomes(client: pg.Client, writes: readonly GameWrite[]): Promise<Outcomes> {
    const text = `select stored.game_id, stored.hash from unnest($1::uuid[], $2::int[]) as sent (game_id, version)
      join game_log stored using (game_id, version)`;
    const values = [writes.map(({ gameId }) => gameId), writes.map(({ encoded }) => encoded.version)];
    const { rows } = await client.query<{ game_id: GameId; hash: string }>({ text, values, ...this.#timeout() });
    const stored = new Map(rows.map(({ game_id: gameId, hash }) => [gameId, hash]));
    const outcomes = new Map(writes.map((write) => [write.gameId, toOutcome(write, stored.get(write.gameId))]));
    if (stored.size < writes.length) this.#own.noteFenced();
    return outcomes;
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
      this.#log.warn({ err }, "the connection that commits moves was lost");
      if (this.#client === client) this.#client = null;
    });
    await client.connect();
    this.#client = client;
    return client;
  }
}

function toOutcome({ encoded }: GameWrite, storedHash: string | undefined): CommitOutcome {
  if (storedHash === undefined) return FENCED;
  return storedHash === encoded.hash ? COMMITTED : CONFLICT;
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
