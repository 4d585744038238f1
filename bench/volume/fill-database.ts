import { randomUUID } from "node:crypto";
import type { CommandId, GameId, PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import { addMs, type Instant, toInstant } from "@holo/kernel/instant.ts";
import { toKobo, wholeCoins } from "@holo/kernel/money.ts";
import { makeRandom } from "@holo/kernel/random.ts";
import { type BySeat, ofSeat } from "@holo/rules/by-seat.ts";
import { LOG_FORMAT, type LogRecord } from "@holo/table/log-record.ts";
import { DEFAULT_FEE_BPS } from "@holo/table/platform-fee.ts";
import type pg from "pg";
import { addTestPlayers, type TestPlayer } from "../../apps/server/src/accounts/testing/test-players.ts";
import { encodeRecord, toFirstHash } from "../../apps/server/src/game/log/log-record.ts";
import {
  decideDrawEntry,
  decideOpeningEntry,
  decideRefundEntry,
  decideStakeEntry,
  decideWinEntry,
} from "../../apps/server/src/ledger/games/decide-game-entry.ts";
import { formatDetails, type JournalEntry, toContentHash } from "../../apps/server/src/ledger/journal/journal-entry.ts";
import { updateTotals } from "../../apps/server/src/ledger/ledger.ts";
import { decideDepositEntry } from "../../apps/server/src/ledger/payments/decide-deposit-entry.ts";
import {
  decideWithdrawalEntry,
  decideWithdrawalHoldEntry,
  findHold,
} from "../../apps/server/src/ledger/payments/decide-withdrawal-entry.ts";
import type { Database } from "../../apps/server/src/platform/database/database.ts";
import { type GameEnd, type GameSample, makeSamples, toPlayer } from "./game-samples.ts";

export interface FilledPlayers {
  /** Plays two of five games. */
  readonly veteran: TestPlayer;
  readonly players: readonly TestPlayer[];
}

/** Of a hundred games; the others end by resignation. */
const ENDS: readonly (readonly [GameEnd, number])[] = [
  ["cancelled", 3],
  ["agreement", 5],
  ["time", 10],
];
const GAMES_PER_PLAYER = 20;
const OPEN_GAMES = 100;
const GAMES_PER_DEPOSIT = 10;
const GAMES_PER_WITHDRAWAL = 40;
const DAYS = 90;
const DAY_MS = 86_400_000;
const RATE_KOBO = 30_600;
const GAMES_AT_ONCE = 500;

type Row = Readonly<Record<string, string | number | bigint | null>>;

/**
 * Fills an empty database with finished games of 90 days, 100 games in progress, and payments. The
 * rows are those that the server writes, and the auditor accepts them.
 */
export async function fillDatabase(database: Database, games: number, secret: string): Promise<FilledPlayers> {
  const count = Math.max(2 * OPEN_GAMES + 1, Math.ceil(games / GAMES_PER_PLAYER));
  const usernames = Array.from({ length: count }, (_, index) => `volume${index + 1}`);
  const players = await addTestPlayers(database, usernames, secret);
  const client = await database.pool.connect();
  try {
    await client.query("begin");
    // Triggers would run for each row; their results are written below.
    await client.query("set local session_replication_role = replica");
    const journal = new Journal(client, await loadPlatformAccounts(client));
    await writeHistory(client, journal, players, games);
    await client.query(`
      insert into player_outcomes (player_id, game_type, wins, losses, draws)
      select player.id, g.game_type, count(*) filter (where g.winner_id = player.id),
        count(*) filter (where g.winner_id <> player.id), count(*) filter (where g.winner_id is null)
      from games g cross join lateral (values (g.player1_id), (g.player2_id)) as player (id)
      where g.status in ('completed', 'timeout') group by player.id, g.game_type`);
    await client.query(`
      insert into ledger_player_lines (account_id, entry_id)
      select posting.account_id, posting.entry_id from ledger_postings posting
      join ledger_entries entry on entry.id = posting.entry_id and entry.kind not in ('stake', 'win', 'draw')
      join ledger_accounts account on account.id = posting.account_id and account.kind in ('wallet', 'debts')`);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
  await updateTotals(database);
  await database.pool.query("vacuum (analyze)");
  return { veteran: players[0]!, players };
}

async function writeHistory(
  client: pg.PoolClient,
  journal: Journal,
  players: readonly TestPlayer[],
  games: number,
): Promise<void> {
  const random = makeRandom(7);
  const pick = <Value>(values: readonly Value[]): Value => values[random(values.length)]!;
  const samples = new Map(
    (["resignation", "time", "agreement", "cancelled", "none"] as const).map((end) => [end, makeSamples(end)]),
  );
  const fromMs = Date.now() - DAYS * DAY_MS;
  const stepMs = Math.floor(((DAYS - 1) * DAY_MS) / games);
  for (const { id } of players) {
    journal.post(decideOpeningEntry({ playerId: id, amount: wholeCoins(1_000_000) }), toInstant(fromMs - DAY_MS));
  }
  const rows: GameRows = { games: [], records: [], commands: [], payments: [], seats: [] };
  for (let index = 0; index < games + OPEN_GAMES; index += 1) {
    const isOpen = index >= games;
    const at = isOpen ? toInstant(Date.now() - 60_000) : toInstant(fromMs + index * stepMs);
    let end: GameEnd = isOpen ? "none" : "resignation";
    let chance = random(100);
    for (const [name, share] of ENDS) {
      if (!isOpen && chance >= 0 && chance < share) end = name;
      chance -= share;
    }
    const white = isOpen ? players[2 * (index - games) + 1]! : random(5) < 2 ? players[0]! : pick(players);
    let black = isOpen ? players[2 * (index - games) + 2]! : pick(players);
    while (black === white) black = pick(players);
    const sides: BySeat<PlayerId> = random(2) === 0 ? [white.id, black.id] : [black.id, white.id];
    addGame(rows, journal, pick(samples.get(end)!), sides, at);
    if (index % GAMES_PER_DEPOSIT === 0) addDeposit(rows, journal, pick(players).id, addMs(at, 1));
    if (index % GAMES_PER_WITHDRAWAL === 0) addWithdrawal(rows, journal, pick(players).id, addMs(at, 2));
    if (rows.games.length === GAMES_AT_ONCE || index === games + OPEN_GAMES - 1) {
      for (const [table, list] of Object.entries(rows))
        await insert(client, TABLES[table as keyof GameRows], list.splice(0));
      await journal.save();
    }
  }
  await journal.close();
}

interface GameRows {
  readonly games: Row[];
  readonly records: Row[];
  readonly commands: Row[];
  readonly payments: Row[];
  readonly seats: Row[];
}

const TABLES: Readonly<Record<keyof GameRows, string>> = {
  games: "games",
  records: "game_log",
  commands: "game_commands",
  payments: "payments",
  seats: "seats",
};

function addGame(rows: GameRows, journal: Journal, sample: GameSample, players: BySeat<PlayerId>, at: Instant): void {
  const gameId = randomUUID() as GameId;
  const { terms, projection, records } = sample;
  const idOf = (player: PlayerId | null): PlayerId | null =>
    player === null ? null : player === toPlayer(1) ? players[0] : players[1];
  const shift = (since: Instant | null): Instant | null => (since === null ? null : addMs(at, since));
  let hash = toFirstHash(gameId);
  for (const [index, record] of records.map((record) => toStored(record, players, at)).entries()) {
    const encoded = encodeRecord(record, hash);
    hash = encoded.hash;
    rows.records.push({
      game_id: gameId,
      version: index + 1,
      format: LOG_FORMAT,
      record: encoded.text,
      hash,
      ...sample.rows[index]!,
      at: record.at,
    });
  }
  rows.games.push({
    ...projection,
    id: gameId,
    game_type: sample.game,
    player1_id: players[0],
    player2_id: players[1],
    stake_amount: sample.stake,
    fee_bps: DEFAULT_FEE_BPS,
    platform_fee: terms.platformFee,
    time_limit: sample.limitMs / 1_000,
    winner_id: idOf(projection.winner_id),
    cancelled_by: idOf(projection.cancelled_by),
    created_at: at,
    started_at: shift(projection.started_at),
    completed_at: shift(projection.completed_at),
  });
  rows.commands.push({ player_id: players[0], command_id: randomUUID(), content: "create", game_id: gameId, at });
  for (const seat of [1, 2] as const) {
    const playerId = ofSeat(players, seat);
    journal.post(decideStakeEntry({ gameId, seat, playerId, amount: terms.buyIn }), addMs(at, (seat - 1) * 2_000));
    if (sample.end === "none") rows.seats.push({ player_id: playerId, game_id: gameId, seat });
  }
  const stakes = players.map((playerId) => ({ playerId, amount: terms.buyIn }));
  const { platformFee } = terms;
  const settled = {
    none: null,
    cancelled: () => decideRefundEntry(gameId, stakes),
    agreement: () => decideDrawEntry({ gameId, drawReturn: terms.drawReturn, platformFee, finalHash: hash }, stakes),
    resignation: win,
    time: win,
  }[sample.end];
  function win(): JournalEntry {
    const winnerId = ofSeat(players, sample.winner!);
    return decideWinEntry({ gameId, winnerId, winnings: terms.winnings, platformFee, finalHash: hash });
  }
  if (settled !== null) journal.post(settled(), shift(projection.completed_at)!);
}

function toStored(record: LogRecord, players: BySeat<PlayerId>, at: Instant): LogRecord {
  const events = record.events.map((event) =>
    event.type === "created" || event.type === "joined"
      ? { ...event, player: players[event.type === "created" ? 0 : 1]! }
      : event,
  );
  const command = record.by === 0 ? {} : { commandId: randomUUID() as CommandId };
  return { ...record, at: addMs(at, record.at), events, ...command };
}

const PAYMENT_KOBO = toKobo(500_000n);

function addDeposit(rows: GameRows, journal: Journal, playerId: PlayerId, at: Instant): void {
  const paymentId = randomUUID() as PaymentId;
  const order = { paymentId, reference: `holo-${paymentId}`, kobo: PAYMENT_KOBO, rateKobo: RATE_KOBO, playerId };
  const entry = decideDepositEntry(order);
  journal.post(entry, at);
  const credited = entry.postings.find(({ account }) => account.kind === "wallet")!;
  rows.payments.push(toPaymentRow("deposit", order, credited.amount, at));
}

function addWithdrawal(rows: GameRows, journal: Journal, playerId: PlayerId, at: Instant): void {
  const paymentId = randomUUID() as PaymentId;
  const order = { paymentId, reference: `holo-${paymentId}`, kobo: PAYMENT_KOBO, rateKobo: RATE_KOBO, playerId };
  const entry = decideWithdrawalHoldEntry(order);
  const hold = findHold([entry])!;
  journal.post(entry, at);
  const paid = decideWithdrawalEntry(hold, { outcome: "sent", sentKobo: null }, [entry]);
  if (typeof paid === "string") throw new Error(`a withdrawal was not paid: ${paid}`);
  journal.post(paid, at);
  rows.payments.push(toPaymentRow("withdrawal", order, hold.amount, at));
}

function toPaymentRow(
  kind: "deposit" | "withdrawal",
  {
    paymentId,
    playerId,
    reference,
    kobo,
  }: { paymentId: PaymentId; playerId: PlayerId; reference: string; kobo: bigint },
  coins: bigint,
  at: Instant,
): Row {
  const isDeposit = kind === "deposit";
  return {
    id: paymentId,
    kind,
    player_id: playerId,
    command_id: randomUUID(),
    kobo,
    rate_kobo: RATE_KOBO,
    coins,
    status: "completed",
    money: isDeposit ? "credited" : "paid",
    reference,
    bank_code: isDeposit ? null : "058",
    bank_name: isDeposit ? null : "Bank",
    account_number: isDeposit ? null : "0123456789",
    account_name: isDeposit ? null : "A Player",
    created_at: at,
    updated_at: at,
    completed_at: at,
    paid_at: isDeposit ? at : null,
    sent_at: isDeposit ? null : at,
  };
}

interface Account {
  readonly id: number;
  readonly kind: string;
  readonly owner: string;
  /** Null for accounts that keep none. */
  balance: bigint | null;
  sequence: number;
}

async function loadPlatformAccounts(client: pg.PoolClient): Promise<Map<string, Account>> {
  const { rows } = await client.query<{ id: string; kind: string }>(
    "select id::text, kind from ledger_accounts order by id",
  );
  return new Map(
    rows.map(({ id, kind }) => [`${kind}:`, { id: Number(id), kind, owner: "", balance: null, sequence: 0 }]),
  );
}

class Journal {
  readonly #client: pg.PoolClient;
  readonly #accounts: Map<string, Account>;
  #accountId: number;
  #entryId = 0;
  #entries: Row[] = [];
  #postings: Row[] = [];
  #closed: Row[] = [];

  constructor(client: pg.PoolClient, accounts: Map<string, Account>) {
    this.#client = client;
    this.#accounts = accounts;
    this.#accountId = Math.max(0, ...[...accounts.values()].map(({ id }) => id));
  }

  post(entry: JournalEntry, at: Instant): void {
    this.#entryId += 1;
    const { kind, source, settledGame, details, postings } = entry;
    this.#entries.push({
      id: this.#entryId,
      kind,
      source,
      settled_game: settledGame,
      at: new Date(at).toISOString(),
      details: formatDetails(details),
      content_hash: toContentHash(entry),
    });
    for (const { account: key, amount } of postings) {
      const account = this.#find(key.kind, key.owner);
      if (account.balance !== null) {
        account.balance += amount;
        account.sequence += 1;
      }
      this.#postings.push({ entry_id: this.#entryId, account_id: account.id, amount, balance_after: account.balance });
    }
    // A settled escrow gets no more postings.
    if (settledGame !== null) this.#close(`escrow:${settledGame}`);
  }

  #find(kind: string, owner: string): Account {
    const known = this.#accounts.get(`${kind}:${owner}`);
    if (known !== undefined) return known;
    this.#accountId += 1;
    const opened: Account = { id: this.#accountId, kind, owner, balance: 0n, sequence: 0 };
    this.#accounts.set(`${kind}:${owner}`, opened);
    return opened;
  }

  #close(key: string): void {
    this.#closed.push(toAccountRow(this.#accounts.get(key)!));
    this.#accounts.delete(key);
  }

  async save(): Promise<void> {
    await insert(this.#client, "ledger_entries", this.#entries.splice(0));
    await insert(this.#client, "ledger_postings", this.#postings.splice(0));
    await insert(this.#client, "ledger_accounts", this.#closed.splice(0));
  }

  /** Writes the open accounts, and moves the sequences beyond the used ids. */
  async close(): Promise<void> {
    for (const account of this.#accounts.values()) {
      if (account.balance !== null) this.#closed.push(toAccountRow(account));
    }
    await this.save();
    await this.#client.query("select setval(pg_get_serial_sequence('ledger_accounts', 'id'), $1)", [this.#accountId]);
    await this.#client.query("select setval(pg_get_serial_sequence('ledger_entries', 'id'), $1)", [this.#entryId]);
  }
}

function toAccountRow({ id, kind, owner, balance, sequence }: Account): Row {
  return { id, kind, owner, balance, sequence, opened_at: new Date(0).toISOString() };
}

async function insert(client: pg.PoolClient, table: string, rows: readonly Row[]): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const columns = Object.keys(first);
  const names = columns.map((column) => `"${column}"`).join(", ");
  await client.query(
    `insert into ${table} (${names}) overriding system value
     select ${names} from json_populate_recordset(null::${table}, $1::json)`,
    [JSON.stringify(rows, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value))],
  );
}
