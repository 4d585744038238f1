import { EventEmitter } from "node:events";
import process from "node:process";
import pg from "pg";
import type { Process, Scheduler } from "./scheduler.ts";

/** What happens to a connection at a statement. After: the statement has taken effect. */
export type Loss = "before" | "after";

export interface VirtualClient {
  readonly process: Process;
  readonly real: pg.Client;
  /** 0: without limit. */
  readonly lockTimeoutMs: number;
  processID: number | null;
  isLost: boolean;
  active: Statement | null;
  startNext(): void;
  /** The process notices that the connection is lost. */
  notice(): void;
}

export interface Statement {
  readonly number: number;
  readonly client: VirtualClient;
  readonly config: pg.QueryConfig;
  readonly answer: (error: Error | null, result?: pg.QueryResult) => void;
  isStarted: boolean;
  isAnswered: boolean;
  /** When PostgreSQL has answered, in real time. */
  ended: Promise<void> | null;
  outcome: { readonly error: Error | null; readonly result?: pg.QueryResult } | null;
  waits: boolean;
  isCancelled: boolean;
  loss: Loss | null;
}

interface ClientDeps {
  readonly scheduler: Scheduler;
  /** PostgreSQL's, as a process. */
  readonly machine: Process;
  readonly clients: Set<VirtualClient>;
  drawLatencyMs(): number;
  carryOut(statement: Statement): Promise<void>;
  close(client: VirtualClient): Promise<void>;
}

const LOST = "Connection terminated unexpectedly";

/** The client gets the answer, unless it has got another one, and sends its next statement. */
export function answer(statement: Statement, error: Error | null, result?: pg.QueryResult): void {
  const { client } = statement;
  if (client.active === statement && statement.outcome !== null) client.active = null;
  if (!statement.isAnswered) {
    statement.isAnswered = true;
    statement.answer(error, result);
  }
  client.startNext();
}

/** In place of `pg.Client`: with the part of it that the pool, Kysely and the server use. */
export function makeClientClass(deps: ClientDeps): typeof pg.Client {
  const { scheduler, machine, clients, drawLatencyMs, carryOut, close } = deps;
  const RealClient = pg.Client;
  let count = 0;

  class Client extends EventEmitter implements VirtualClient {
    readonly process = scheduler.currentProcess();
    readonly real: pg.Client;
    lockTimeoutMs: number;
    readonly connection: { readonly stream: { destroy(): void } };
    // The pool reads these.
    _queryable = true;
    _ending = false;
    processID: number | null = null;
    isLost = false;
    readonly queue: Statement[] = [];
    active: Statement | null = null;

    constructor(given: pg.ClientConfig) {
      super();
      this.lockTimeoutMs = Number(given.lock_timeout ?? 0);
      // PostgreSQL's own limits are in real time.
      this.real = new RealClient({
        ...given,
        lock_timeout: 0,
        statement_timeout: 0,
        idle_in_transaction_session_timeout: 0,
        connectionTimeoutMillis: 0,
        query_timeout: 0,
        options: `${given.options ?? ""} -c deadlock_timeout=1`,
      } as pg.ClientConfig);
      this.real.on("error", () => undefined);
      this.connection = { stream: { destroy: () => this.drop() } };
    }

    ref(): void {}
    unref(): void {}

    connect(done?: (error?: Error) => void): Promise<void> | undefined {
      if (done === undefined)
        return new Promise((resolve, reject) => this.connect((error) => (error ? reject(error) : resolve())));
      scheduler.schedule(
        drawLatencyMs(),
        async () => {
          if (this.isLost) return;
          await this.real.connect();
          this.processID = (this.real as unknown as { readonly processID: number }).processID;
          clients.add(this);
          scheduler.schedule(drawLatencyMs(), () => done(), this.process);
        },
        machine,
      );
      return undefined;
    }

    query(given: string | pg.QueryConfig, ...rest: readonly unknown[]): Promise<pg.QueryResult> | undefined {
      const done = rest.at(-1);
      if (typeof done !== "function")
        return new Promise((resolve, reject) =>
          this.query(
            given,
            ...rest.filter((one) => one !== undefined),
            (error: Error | null, result: pg.QueryResult) => (error ? reject(error) : resolve(result)),
          ),
        );
      const values = Array.isArray(rest[0]) ? { values: rest[0] as unknown[] } : {};
      const { query_timeout: timeoutMs = 0, ...config } = {
        ...(typeof given === "string" ? { text: given } : given),
        ...values,
      } as pg.QueryConfig & { readonly query_timeout?: number };
      count += 1;
      const statement: Statement = {
        number: count,
        client: this,
        config: this.#inVirtualTime(config),
        answer: done as Statement["answer"],
        isStarted: false,
        isAnswered: false,
        ended: null,
        outcome: null,
        waits: false,
        isCancelled: false,
        loss: null,
      };
      if (!this._queryable || this._ending) {
        process.nextTick(() => answer(statement, new Error("Client was closed and is not queryable")));
        return undefined;
      }
      if (timeoutMs > 0)
        scheduler.schedule(timeoutMs, () => answer(statement, new Error("Query read timeout")), this.process);
      this.queue.push(statement);
      this.startNext();
      return undefined;
    }

    /** PostgreSQL's limits and clock would be in real time. A client's statements are in order. */
    #inVirtualTime(config: pg.QueryConfig): pg.QueryConfig {
      const limit = /^set local lock_timeout = (\d+)$/.exec(config.text);
      if (limit !== null) {
        this.lockTimeoutMs = Number(limit[1]);
        return { text: "select" };
      }
      const now = `to_timestamp(${scheduler.runtime.wallMs()} / 1000.0)`;
      return { ...config, text: config.text.replaceAll("clock_timestamp()", now) };
    }

    startNext(): void {
      if (this.active !== null || this.isLost) return;
      const next = this.queue.shift();
      if (next === undefined) return;
      this.active = next;
      scheduler.schedule(drawLatencyMs(), () => carryOut(next), machine);
    }

    end(done?: () => void): Promise<void> | undefined {
      if (done === undefined) return new Promise((resolve) => this.end(resolve));
      const isBusy = this.active !== null;
      this._ending = true;
      if (isBusy) this.fail("Connection terminated");
      scheduler.schedule(
        drawLatencyMs(),
        async () => {
          await close(this);
          scheduler.schedule(
            0,
            () => {
              this.emit("end");
              done();
            },
            this.process,
          );
        },
        machine,
      );
      return undefined;
    }

    /** Closes without asking the server. */
    drop(): void {
      this._queryable = false;
      this.fail("Connection terminated");
      scheduler.schedule(drawLatencyMs(), () => close(this), machine);
    }

    notice(): void {
      if (!this._queryable || this._ending) return;
      this._queryable = false;
      const error = new Error(LOST);
      this.fail(LOST);
      this.emit("error", error);
      process.nextTick(() => this.emit("end"));
    }

    fail(message: string): void {
      const statements = [...(this.active === null ? [] : [this.active]), ...this.queue.splice(0)];
      process.nextTick(() => {
        for (const statement of statements) answer(statement, new Error(message));
      });
    }
  }

  return Client as unknown as typeof pg.Client;
}
