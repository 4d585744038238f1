import { Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import { boundAnswers } from "./bounded-answers.ts";
import type { Log } from "./log.ts";
import { prepareMarked } from "./prepared.ts";

/** What a store reads with: the database itself or an open transaction. Kysely's builder knows no table here: stores write their SQL. */
export type Queries = Kysely<unknown>;
/** An open transaction: what a store writes with. Only `transact` opens one. */
export type Tx = Transaction<unknown>;

export interface Database {
  readonly kysely: Queries;
  /** For the hot path's named statements and for what needs a connection of its own. */
  readonly pool: pg.Pool;
  readonly connectionString: string;
  /** How long a statement's answer is waited for, in ms; 0 is without bound. */
  readonly answerMsMax: number;
  readonly log: Log;
  /** Waits for borrowed connections to come back, then closes all. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly connectionString: string;
  readonly log: Log;
  /** Most connections at once. */
  readonly poolSize?: number;
  /** How long a statement waits for a lock before it fails with 55P03. */
  readonly lockTimeoutMs?: number;
  /** How long a statement may run before it fails with 57014; 0 is no limit. */
  readonly statementTimeoutMs?: number;
  /**
   * How long a statement's answer is waited for before its connection is given up. Left out: as long as it may run and what the network
   * may take beside that, or without bound where it may run so.
   */
  readonly answerMsMax?: number;
}

const STATEMENT_MS_MAX = 10_000;
/** What a network that works takes at most, with packets lost on the way. */
const NETWORK_MS_MAX = 5_000;

const INT8 = 20;
const INT8_ARRAY = 1016;

function parseBigintArray(text: string): readonly (bigint | null)[] {
  if (text === "{}") return [];
  return text
    .slice(1, -1)
    .split(",")
    .map((item) => (item === "NULL" ? null : BigInt(item)));
}

/** Ours alone, not pg's global registry: a library on its own pool keeps what it expects. */
const types = new pg.TypeOverrides();
types.setTypeParser(INT8, BigInt);
types.setTypeParser(INT8_ARRAY, parseBigintArray);

/** The database notices within a quarter of a minute that a server is gone, and frees its locks: the next one waits for them. */
const KEEPALIVES = "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=3 -c tcp_keepalives_count=3";

export type ConnectionOptions = Omit<DatabaseOptions, "poolSize" | "log" | "answerMsMax">;

/**
 * What every connection of ours is opened with: int8 read as bigint, UTC, waits bounded, and a commit that is on disk when it
 * is acknowledged, whatever the database's own default is.
 */
export function toClientConfig(options: ConnectionOptions): pg.ClientConfig {
  return {
    connectionString: options.connectionString,
    types,
    lock_timeout: options.lockTimeoutMs ?? 5_000,
    statement_timeout: options.statementTimeoutMs ?? STATEMENT_MS_MAX,
    idle_in_transaction_session_timeout: 15_000,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    application_name: "holo-arena",
    options: `-c synchronous_commit=on -c TimeZone=UTC ${KEEPALIVES}`,
  };
}

function toAnswerMsMax({ answerMsMax, statementTimeoutMs = STATEMENT_MS_MAX }: DatabaseOptions): number {
  return answerMsMax ?? (statementTimeoutMs === 0 ? 0 : statementTimeoutMs + NETWORK_MS_MAX);
}

/** Connects on first use; a wrong address shows with the first query. */
export function openDatabase(options: DatabaseOptions): Database {
  const answerMsMax = toAnswerMsMax(options);
  const pool = new pg.Pool({ ...toClientConfig(options), max: options.poolSize ?? 16, idleTimeoutMillis: 30_000 });
  pool.on("error", (err) => options.log.warn({ err }, "an idle database connection was lost"));
  // The pool listens to idle connections alone: one that is lost in somebody's hands would end the process.
  pool.on("connect", (client) => {
    prepareMarked(client);
    if (answerMsMax > 0) boundAnswers(client, answerMsMax, options.log);
    client.on("error", (err) => options.log.debug({ err }, "a database connection was lost in use"));
  });
  const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  return {
    kysely,
    pool,
    connectionString: options.connectionString,
    answerMsMax,
    log: options.log,
    close: () => pool.end(),
  };
}

/** Whether the database answers now. */
export async function answers({ pool }: Pick<Database, "pool">): Promise<boolean> {
  try {
    await pool.query("select 1");
    return true;
  } catch {
    // That the database does not answer is the very thing asked for.
    return false;
  }
}
