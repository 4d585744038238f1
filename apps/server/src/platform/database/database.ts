import { Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import type { Log } from "../log.ts";
import { noteDatabaseAddress } from "./database-failure.ts";
import { prepareMarked } from "./prepared-statements.ts";
import { limitResponseTime } from "./response-timeout.ts";

/**
 * What stores read with: the database or an open transaction. Stores write SQL, so Kysely's builder
 * knows no tables.
 */
export type Queries = Kysely<unknown>;
/** An open transaction, required for writing. Only `transact` opens one. */
export type Tx = Transaction<unknown>;

export interface Database {
  readonly kysely: Queries;
  /** For named statements on the hot path and for dedicated connections. */
  readonly pool: pg.Pool;
  readonly connectionString: string;
  /** How long to wait for a response, in ms. 0: without limit. */
  readonly responseTimeoutMs: number;
  readonly log: Log;
  /** Waits until borrowed connections are returned, then closes all. */
  close(): Promise<void>;
}

interface DatabaseOptions {
  readonly connectionString: string;
  readonly log: Log;
  readonly poolSize?: number;
  /** A statement that waits longer for a lock fails with 55P03. */
  readonly lockTimeoutMs?: number;
  /** A statement that runs longer fails with 57014. 0: without limit. */
  readonly statementTimeoutMs?: number;
  /**
   * How long to wait for a response before the connection is dropped. Default: the statement
   * timeout plus a network allowance. A function is called at each query.
   */
  readonly responseTimeoutMs?: number | (() => number);
}

const STATEMENT_MS_MAX = 10_000;
/** Upper bound for a working network with packet loss. */
const NETWORK_ALLOWANCE_MS = 5_000;

const INT8 = 20;
const INT8_ARRAY = 1016;

function parseBigintArray(text: string): readonly (bigint | null)[] {
  if (text === "{}") return [];
  return text
    .slice(1, -1)
    .split(",")
    .map((item) => (item === "NULL" ? null : BigInt(item)));
}

/**
 * Own type parsers instead of pg's global registry, which libraries with their own pool rely on.
 */
const types = new pg.TypeOverrides();
types.setTypeParser(INT8, BigInt);
types.setTypeParser(INT8_ARRAY, parseBigintArray);

/**
 * The database detects a dead server within 15 seconds and releases the locks that its successor
 * needs.
 */
const KEEPALIVES = "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=3 -c tcp_keepalives_count=3";

/** pg sends no zero, so that without these the database's or the URL's limits would apply. */
const NO_LIMITS = "-c lock_timeout=0 -c statement_timeout=0";
const OPTIONS = `-c synchronous_commit=on -c TimeZone=UTC ${KEEPALIVES} ${NO_LIMITS}`;

/** Not for the operator to choose: table actors and jobs rely on them. */
const OWN_LIMITS = ["lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout", "query_timeout"];

/** pg prefers a URL's parameters to the fields beside it. The URL's `options` come before ours. */
function splitOptions(url: string): { readonly connectionString: string; readonly options: string } {
  const start = url.indexOf("?");
  const parameters = new URLSearchParams(start < 0 ? "" : url.slice(start));
  const options = [...parameters.getAll("options"), OPTIONS].join(" ");
  const owned = ["options", ...OWN_LIMITS].filter((name) => parameters.has(name));
  if (owned.length === 0) return { connectionString: url, options };
  for (const name of owned) parameters.delete(name);
  return { connectionString: `${url.slice(0, start)}?${parameters}`, options };
}

/** Every session of a server has the name of its process, so that others can find and end it. */
export function nameSessions(url: string, process: string): string {
  const [place, query] = url.split("?", 2);
  const parameters = new URLSearchParams(query);
  parameters.set("application_name", toSessionName(process));
  return `${place}?${parameters}`;
}

export function toSessionName(process: string): string {
  return `holo ${process}`;
}

type ConnectionOptions = Omit<DatabaseOptions, "poolSize" | "log" | "responseTimeoutMs">;

/**
 * Settings of every connection: int8 as bigint, UTC, bounded waits, and commits that are on disk
 * when acknowledged, overriding the defaults of the database and of the URL.
 */
export function toClientConfig(options: ConnectionOptions): pg.ClientConfig {
  noteDatabaseAddress(options.connectionString);
  return {
    ...splitOptions(options.connectionString),
    types,
    lock_timeout: options.lockTimeoutMs ?? 5_000,
    statement_timeout: options.statementTimeoutMs ?? STATEMENT_MS_MAX,
    idle_in_transaction_session_timeout: 15_000,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    application_name: "holo-arena",
  };
}

function toResponseTimeout({
  responseTimeoutMs,
  statementTimeoutMs = STATEMENT_MS_MAX,
}: DatabaseOptions): () => number {
  if (typeof responseTimeoutMs === "function") return responseTimeoutMs;
  const ms = responseTimeoutMs ?? (statementTimeoutMs === 0 ? 0 : statementTimeoutMs + NETWORK_ALLOWANCE_MS);
  return () => ms;
}

/** Connects on first use; a wrong address fails the first query. */
export function openDatabase(options: DatabaseOptions): Database {
  const toResponseTimeoutMs = toResponseTimeout(options);
  const pool = new pg.Pool({ ...toClientConfig(options), max: options.poolSize ?? 16, idleTimeoutMillis: 30_000 });
  pool.on("error", (err) => options.log.warn({ err }, "an idle database connection was lost"));
  // The pool handles errors of idle connections only. An unhandled error of a borrowed one would
  // end the process.
  pool.on("connect", (client) => {
    prepareMarked(client);
    if (toResponseTimeoutMs() > 0) limitResponseTime(client, toResponseTimeoutMs, options.log);
    client.on("error", (err) => options.log.debug({ err }, "a database connection was lost while in use"));
  });
  const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  return {
    kysely,
    pool,
    connectionString: options.connectionString,
    get responseTimeoutMs() {
      return toResponseTimeoutMs();
    },
    log: options.log,
    close: () => pool.end(),
  };
}
