import { assert } from "@holo/kernel/assert.ts";
import pg from "pg";
import {
  BUY_IN,
  CONNECTIONS,
  FINAL_HASH,
  KOBO,
  type MoneyWriter,
  OPENING_HC,
  PAYOUT,
  RATE_KOBO,
} from "./money-terms.ts";

/**
 * The ledger's rows without triggers and foreign keys, in straightforward transactions. The only
 * check is that wallets stay above zero.
 */
const SCHEMA = `
  create table if not exists bare_accounts (
    id bigint generated always as identity primary key, kind text not null, owner text not null,
    balance bigint check (balance >= 0), sequence bigint not null default 0, opened_at timestamptz not null,
    unique (kind, owner)
  ) with (fillfactor = 80);
  create table if not exists bare_entries (
    id bigint generated always as identity primary key, kind text not null, source text not null, settled_game text unique,
    at timestamptz not null, details text not null, content_hash text not null, unique (kind, source)
  );
  create table if not exists bare_postings (
    entry_id bigint not null, account_id bigint not null, amount bigint not null, balance_after bigint,
    primary key (entry_id, account_id)
  );
  create index if not exists bare_postings_by_account on bare_postings (account_id, entry_id) include (amount);
  insert into bare_accounts (kind, owner, opened_at) values ('revenue', '', 'epoch'), ('withdrawal_clearing', '', 'epoch')
    on conflict do nothing`;

const STATEMENTS = {
  debit: `update bare_accounts set balance = balance - $3, sequence = sequence + 1
    where kind = $1 and owner = $2 and balance >= $3 returning id, balance`,
  credit: `insert into bare_accounts (kind, owner, balance, sequence, opened_at) values ($1, $2, $3, 1, $4)
    on conflict (kind, owner) do update set balance = bare_accounts.balance + excluded.balance,
      sequence = bare_accounts.sequence + 1
    returning id, balance`,
  entry: `insert into bare_entries (kind, source, settled_game, at, details, content_hash)
    values ($1, $2, $3, $4, $5, $6) returning id`,
  postings2: "insert into bare_postings values ($1, $2, $3, $4), ($1, $5, $6, $7)",
  postings3: "insert into bare_postings values ($1, $2, $3, $4), ($1, $5, $6, $7), ($1, $8, $9, $10)",
} as const;

interface Line {
  readonly id: string;
  readonly balance: string | null;
}

export async function openBareMoney(connectionString: string, players: readonly string[]): Promise<MoneyWriter> {
  const pool = new pg.Pool({ connectionString, max: CONNECTIONS, options: "-c synchronous_commit=on" });
  await pool.query(SCHEMA);
  await pool.query(
    `insert into bare_accounts (kind, owner, balance, opened_at) select 'wallet', unnest($1::text[]), $2, 'epoch'
     on conflict do nothing`,
    [players, OPENING_HC * 1_000_000],
  );
  const { rows: platform } = await pool.query<{ kind: string; id: string }>(
    "select kind, id from bare_accounts where owner = ''",
  );
  const platformId = (kind: string): string => platform.find((account) => account.kind === kind)!.id;
  const [revenueId, clearingId] = [platformId("revenue"), platformId("withdrawal_clearing")];

  async function transact(work: (run: Run) => Promise<void>): Promise<void> {
    const client = await pool.connect();
    await client.query("begin");
    await work(async (name, values) => {
      const { rows } = await client.query<Line>({ name, text: STATEMENTS[name], values: [...values] });
      return rows[0]!;
    });
    await client.query("commit");
    client.release();
  }
  type Run = (name: keyof typeof STATEMENTS, values: readonly unknown[]) => Promise<Line>;

  async function stake(gameId: string, seat: number, playerId: string): Promise<void> {
    await transact(async (run) => {
      const at = new Date();
      const wallet = await run("debit", ["wallet", playerId, BUY_IN]);
      assert(wallet !== undefined, "wallets hold enough coins");
      const escrow = await run("credit", ["escrow", gameId, BUY_IN, at]);
      const details = JSON.stringify({ gameId, seat });
      const { id } = await run("entry", ["stake", `${gameId}:${seat}`, null, at, details, FINAL_HASH]);
      await run("postings2", [id, wallet.id, -BUY_IN, wallet.balance, escrow.id, BUY_IN, escrow.balance]);
    });
  }

  return {
    async game(gameId, first, second) {
      await stake(gameId, 1, first);
      await stake(gameId, 2, second);
      await transact(async (run) => {
        const at = new Date();
        const escrow = await run("debit", ["escrow", gameId, 2n * BUY_IN]);
        const wallet = await run("credit", ["wallet", first, PAYOUT.winnings, at]);
        const details = JSON.stringify({ finalHash: FINAL_HASH, gameId });
        const { id } = await run("entry", ["win", gameId, gameId, at, details, FINAL_HASH]);
        const { winnings, platformFee } = PAYOUT;
        const lines = [escrow.id, -2n * BUY_IN, escrow.balance, wallet.id, winnings, wallet.balance];
        await run("postings3", [id, ...lines, revenueId, platformFee, null]);
      });
    },
    async withdrawal(paymentId, playerId) {
      await transact(async (run) => {
        const coins = (KOBO * 1_000_000n) / BigInt(RATE_KOBO);
        const wallet = await run("debit", ["wallet", playerId, coins]);
        const details = JSON.stringify({ kobo: Number(KOBO), paymentId, rateKobo: RATE_KOBO, reference: paymentId });
        const { id } = await run("entry", ["withdrawal_hold", paymentId, null, new Date(), details, FINAL_HASH]);
        await run("postings2", [id, wallet.id, -coins, wallet.balance, clearingId, coins, null]);
      });
    },
    close: () => pool.end(),
  };
}
