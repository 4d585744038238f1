import { isDeepStrictEqual } from "node:util";
import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { rulesOf } from "@holo/rules/loaded-games.ts";
import { evolve, openTable } from "@holo/table/evolve.ts";
import type { LogRecord } from "@holo/table/log-record.ts";
import type { TableState } from "@holo/table/state.ts";
import type pg from "pg";
import { openDatabase } from "../apps/server/src/platform/database/database.ts";
import { openLog } from "../apps/server/src/platform/log.ts";
import { findPostgresDirectories } from "../apps/server/src/platform/postgres/directories.ts";
import { findServiceUser } from "../apps/server/src/platform/postgres/service-user.ts";
import type { Evidence, ServerEnd, StoredBalance, StoredGame, StoredMessage, StoredOutage } from "./judge/evidence.ts";
import type { StoredPayment } from "./judge/payment-judge.ts";
import type { Robot, SeenGame } from "./robot.ts";

export interface StoredGames {
  countEnded(): Promise<number>;
  /** Empty while the database is down. */
  listByStatus(status: "waiting" | "active"): Promise<readonly GameId[]>;
  /** Changes with every write; null while the database is down. */
  countRows(): Promise<string | null>;
  loadAll(): Promise<Loaded>;
  loadPayments(): Promise<readonly StoredPayment[]>;
  /** Payments that continue by themselves; null while the database is down. */
  countPaymentsOnTheirWay(): Promise<number | null>;
  /** Payments whose next step is due by this time; null while the database is down. */
  countPaymentsDue(at: number): Promise<number | null>;
  /** How often all payments were compared with the provider's. */
  countComparisons(): Promise<number>;
  /** From now on the database itself notes claims, and records of servers that may not write. */
  watchOwners(): Promise<void>;
  close(): Promise<void>;
}

const SUMS = ["kobo", "feeKobo", "rateKobo", "writtenOffKobo", "borneFeeKobo", "net"] as const;

/** Of the embedded database in this DATA_DIR. */
export async function findConnectionString(dataDir: string): Promise<string> {
  const { socketDir } = await findPostgresDirectories(dataDir, findServiceUser(), openLog("silent"));
  return `postgresql://holo@${encodeURIComponent(socketDir)}/holo`;
}

/**
 * A referee in the database: for each row, whether the writer's server had ended or another one had
 * claimed the game. Functions without a fixed search path run as any writer.
 */
const WATCH_OWNERS = `
  create table simulated_claims (game_id uuid, old_owner uuid, at bigint);
  create table simulated_faults (fault text);
  create function note_claim() returns trigger language plpgsql as $$ begin
    insert into simulated_claims values (new.id, old.owner, (extract(epoch from clock_timestamp()) * 1000)::bigint);
    return null;
  end $$;
  create trigger note_claim after update of owner on games for each row
    when (new.owner is not null and old.owner is not null and new.owner <> old.owner) execute function note_claim();
  create function check_owner() returns trigger language plpgsql as $$ begin
    if exists (select from games g where g.id = new.game_id and g.owner is not null and not exists (
        select from servers s where s.server_id = g.owner and s.ended_at is null
          and 'holo ' || s.process = current_setting('application_name'))) then
      insert into simulated_faults values (new.game_id || ': version ' || new.version || ' was written by ' ||
        current_setting('application_name') || ', which does not own the game');
    end if;
    return null;
  end $$;
  create trigger check_owner after insert on game_log for each row execute function check_owner();`;

const LOAD_OWNERLESS = `select g.id from games g left join servers s on s.server_id = g.owner
  where g.status = 'active' and (s.server_id is null or s.ended_at is not null)`;

type Loaded = Pick<Evidence, "games" | "wallets" | "outages" | "ends" | "claims" | "unowned" | "ownerless">;

export function openStoredGames(connectionString: string): StoredGames {
  const { pool, close } = openDatabase({ connectionString, log: openLog("silent"), poolSize: 1 });

  /** The database may be down together with the server. */
  async function query<Row extends object>(sql: string, values: readonly unknown[], fallback: readonly Row[]) {
    try {
      return (await pool.query<Row>(sql, [...values])).rows;
    } catch {
      return fallback;
    }
  }

  return {
    async countEnded() {
      const rows = await query<{ count: number }>(
        "select count(*)::int as count from games where completed_at is not null and started_at is not null",
        [],
        [],
      );
      return rows[0]?.count ?? 0;
    },
    async listByStatus(status) {
      const sql = "select id from games where status = $1 order by created_at, id";
      const rows = await query<{ id: GameId }>(sql, [status], []);
      return rows.map(({ id }) => id);
    },
    async countRows() {
      const sql = `select concat_ws(' ', (select count(*) from game_log), (select count(*) from ledger_postings),
        (select count(*) from chat_messages), (select max(xmin::text::bigint) from games)) as rows`;
      return (await query<{ rows: string }>(sql, [], []))[0]?.rows ?? null;
    },
    async loadAll() {
      const client = await pool.connect();
      try {
        // One snapshot, although games continue.
        await client.query("begin isolation level repeatable read");
        return await loadAllOf(client);
      } finally {
        client.release(true);
      }
    },
    async loadPayments() {
      const { rows } = await pool.query<
        Record<(typeof SUMS)[number], string> & { readonly credits: readonly string[] } & StoredPayment
      >(
        `select t.player_id as player, t.command_id as "commandId",
           (select w.command_id from payments w where w.id = t.part_of) as "partOf", t.kind, t.kobo::text, t.payer_fee_kobo::text as "feeKobo",
           t.rate_kobo::text as "rateKobo", t.written_off_kobo::text as "writtenOffKobo", t.borne_fee_kobo::text as "borneFeeKobo", t.status, t.reason, t.reference,
           array(select f.kobo::text from payment_facts f where f.payment_id = t.id and f.type = 'posted') as credits, (
             select coalesce(sum(p.amount), 0)::text from ledger_entries e join ledger_postings p on p.entry_id = e.id
             join ledger_accounts a on a.id = p.account_id
             where e.source like t.id::text || '%' and a.kind in ('wallet', 'debts') and a.owner = t.player_id) as net
         from payments t`,
      );
      return rows.map((row) => ({
        ...row,
        ...(Object.fromEntries(SUMS.map((name) => [name, BigInt(row[name])])) as Record<(typeof SUMS)[number], bigint>),
        credits: row.credits.map(BigInt),
      }));
    },
    async countPaymentsOnTheirWay() {
      const sql = "select count(*)::int as count from payments where status in ('pending', 'processing')";
      return (await query<{ count: number }>(sql, [], []))[0]?.count ?? null;
    },
    async countPaymentsDue(at) {
      const sql = "select count(*)::int as count from payments where next_ask_at <= $1";
      return (await query<{ count: number }>(sql, [at], []))[0]?.count ?? null;
    },
    async countComparisons() {
      const sql = "select count(*)::int as count from reconciliations where finished_at is not null";
      return (await query<{ count: number }>(sql, [], []))[0]?.count ?? 0;
    },
    async watchOwners() {
      await pool.query(WATCH_OWNERS);
    },
    close,
  };
}

async function loadAllOf(client: pg.PoolClient): Promise<Loaded> {
  const games = new Map<GameId, { log: LogRecord[]; chat: StoredMessage[] }>();
  const { rows: ids } = await client.query<{ id: GameId }>("select id from games");
  for (const { id } of ids) games.set(id, { log: [], chat: [] });
  const { rows: records } = await client.query<{ id: GameId; record: string }>(
    "select game_id as id, record from game_log order by game_id, version",
  );
  for (const { id, record } of records) games.get(id)!.log.push(JSON.parse(record) as LogRecord);
  const { rows: messages } = await client.query<StoredMessage & { readonly id: GameId }>(
    `select game_id as id, number, command_id as "commandId", message as text from chat_messages order by game_id, number`,
  );
  for (const { id, ...message } of messages) games.get(id)!.chat.push(message);
  const wallets = new Map<PlayerId, StoredBalance[]>();
  const { rows: postings } = await client.query<{ owner: PlayerId; balance: string; at_ms: string }>(
    `select a.owner, sum(p.amount) over (partition by a.id order by p.entry_id)::text as balance,
       (extract(epoch from e.at) * 1000)::bigint::text as at_ms
     from ledger_postings p join ledger_accounts a on a.id = p.account_id join ledger_entries e on e.id = p.entry_id
     where a.kind = 'wallet' order by p.entry_id`,
  );
  for (const { owner, balance, at_ms } of postings) {
    const balances = wallets.get(owner) ?? [];
    balances.push({ balance: BigInt(balance), atMs: Number(at_ms) });
    wallets.set(owner, balances);
  }
  const { rows: outages } = await client.query<{ from_ms: string; to_ms: string } & Pick<StoredOutage, "cause">>(
    `select round(extract(epoch from from_at) * 1000)::text as from_ms,
       round(extract(epoch from to_at) * 1000)::text as to_ms, cause from outages`,
  );
  const end = `last_beat_at::float8 as "lastBeatAt", ended_at::float8 as "endedAt", end_cause as cause`;
  const { rows: ends } = await client.query<ServerEnd>(`select ${end} from servers where ended_at is not null`);
  const { rows: claims } = await client.query<{ gameId: GameId; claimedAt: number } & ServerEnd>(
    `select game_id as "gameId", at::float8 as "claimedAt", ${end} from simulated_claims
     join servers on server_id = old_owner where ended_at is not null`,
  );
  const { rows: faults } = await client.query<{ fault: string }>("select fault from simulated_faults");
  const { rows: ownerless } = await client.query<{ id: GameId }>(LOAD_OWNERLESS);
  return {
    ends,
    claims: claims.map(({ gameId, claimedAt, ...from }) => ({ gameId, at: claimedAt, from })),
    unowned: faults.map(({ fault }) => fault),
    ownerless: ownerless.map(({ id }) => id),
    games,
    wallets,
    outages: outages.map(({ from_ms, to_ms, ...rest }) => ({
      fromAt: Number(from_ms),
      toAt: Number(to_ms),
      ...rest,
    })),
  };
}

/** What each robot was shown of a game in the end. */
export function compareWithStored(
  stored: ReadonlyMap<GameId, StoredGame>,
  robots: readonly Robot[],
): readonly string[] {
  return robots.flatMap((robot) =>
    [...robot.seen].flatMap(([gameId, seen]) => {
      const { log, chat } = stored.get(gameId) ?? { log: [], chat: [] };
      return compareView(log, chat, seen).map((what) => `${robot.name}, ${gameId}: ${what}`);
    }),
  );
}

/** A view is the fold of the log up to its version, without the parts that are never broadcast. */
function compareView(
  log: readonly LogRecord[],
  chat: readonly StoredMessage[],
  { shown, chat: received }: SeenGame,
): string[] {
  const [first, ...rest] = log.slice(0, shown.table.version).map(toPublicRecord);
  if (first?.events[0]?.type !== "created") return ["the log does not exist"];
  // A hole is reported by the judge as well, and cannot be folded.
  if (rest.some(({ version }, index) => version !== index + 2)) return ["the log has a hole"];
  const rules = rulesOf(first.events[0].game);
  const start = openTable(rules, shown.table.gameId, first);
  const state = rest.reduce((folded, record) => evolve(rules, folded, record), start);
  const differences: string[] = [];
  if (state.version !== shown.table.version) differences.push(`saw version ${shown.table.version} of ${log.length}`);
  if (!isDeepStrictEqual(toComparable(state), toComparable(shown.table)))
    differences.push(`version ${state.version} differs`);
  const numbers = received.map(({ number }) => number);
  if (numbers.some((number, index) => number !== index + 1)) differences.push(`chat numbers are ${numbers.join()}`);
  for (const { number, text } of received) {
    if (chat[number - 1]?.text !== text) differences.push(`message ${number} differs`);
  }
  return differences;
}

function toPublicRecord({ version, at, by, events }: LogRecord): LogRecord {
  return { version, at, by, events };
}

function toComparable({ answered: _, ...rest }: TableState<unknown>): unknown {
  return rest;
}
