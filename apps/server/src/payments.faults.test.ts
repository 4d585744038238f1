import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { toInstant } from "@holo/kernel/instant.ts";
import { wholeCoins } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { adminInvariants } from "./admin/audit.ts";
import { gameInvariants } from "./game/audit/audit.ts";
import { ledgerInvariants } from "./ledger/audit/audit.ts";
import { postOpening } from "./ledger/ledger.ts";
import { paymentInvariants } from "./payments/audit/audit.ts";
import { startTestSandbox, type TestSandbox } from "./payments/testing/test-sandbox.ts";
import { type Database, openDatabase } from "./platform/database/database.ts";
import { audit } from "./platform/database/invariant.ts";
import { migrate } from "./platform/database/migrations.ts";
import { transact } from "./platform/database/transaction.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./platform/postgres/embedded-postgres.ts";
import { openTestLog } from "./platform/testing/test-log.ts";
import { makeServerProcess, type ServerProcess, until } from "./testing/server-process.ts";
import { signUp, type TestPlayer } from "./transport/testing/test-client.ts";

/**
 * Kills the server, on a durable database, during deposits and withdrawals with a failing provider.
 * Nothing is credited or paid twice, lost or left pending.
 */
const isDeep = process.env.DEEP === "1";
const PLAYERS = isDeep ? 12 : 4;
const KILLS = isDeep ? 20 : 2;
/** Accelerates the server's clock, so that ten minutes of polling pass quickly. */
const HURRY = 40;
const PAGE = "http://arena.test";
const INVARIANTS = [...ledgerInvariants, ...paymentInvariants, ...gameInvariants, ...adminInvariants];
const HURRIED = fileURLToPath(new URL("testing/hurried-server.ts", import.meta.url));
const PATIENCE_MS = isDeep ? 300_000 : 90_000;
const since = Date.now();

let folder: string;
let postgres: EmbeddedPostgres;
let database: Database;
let sandbox: TestSandbox;
let server: ServerProcess;
const players: TestPlayer[] = [];

const startBesideSandbox = (): Promise<void> =>
  server.start({ PAYSTACK_URL: sandbox.url, PAYSTACK_SECRET_KEY: sandbox.secretKey });

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "holo-payments-"));
  postgres = await startEmbeddedPostgres({ dataDir: folder, log: openTestLog(), durable: true });
  await migrate(postgres.connectionString);
  database = openDatabase({ connectionString: postgres.connectionString, log: openTestLog() });
  server = await makeServerProcess(
    {
      DATA_DIR: folder,
      DATABASE_URL: postgres.connectionString,
      PUBLIC_URL: PAGE,
      HURRY: String(HURRY),
      HURRY_SINCE: String(since),
    },
    [HURRIED],
  );
  const WEBHOOK_URL = `${server.origin}/api/paystack/webhook`;
  sandbox = await startTestSandbox({ WEBHOOK_URL, RETRY_SCALE: String(1 / 180) });
  await startBesideSandbox();
  for (let i = 0; i < PLAYERS; i += 1) {
    const player = await signUp(server.origin, PAGE);
    players.push(player);
    await transact(database, (tx) =>
      postOpening(tx, { playerId: player.id, amount: wholeCoins(1_000), at: toInstant(Date.now()) }),
    );
  }
  await sql`update players set email_verified = true`.execute(database.kysely);
}, 120_000);

afterAll(async () => {
  await server.end("SIGTERM");
  await sandbox.stop();
  await database.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}, 60_000);

let answered = 0;

/**
 * Repeats until there is a response, as a page does after losing its connection. The rate limit
 * paces the players.
 */
async function say<Answer>(player: TestPlayer, address: string, body: object): Promise<Answer> {
  for (;;) {
    const answer = await fetch(`${server.origin}${address}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: PAGE, cookie: player.cookie },
      body: JSON.stringify(body),
    }).catch(() => null);
    if (answer !== null && answer.status !== 429 && (answer.status < 500 || answer.status === 503)) {
      answered += 1;
      return (await answer.json()) as Answer;
    }
    await sleep(100);
  }
}

interface Told {
  readonly payment?: { readonly reference: string };
}

const AMOUNT = { kobo: 500_000, rateKobo: 30_600 };

let isOver = false;

async function live(player: TestPlayer, index: number): Promise<void> {
  const account = { accountNumber: `01234567${10 + index}`, bankCode: "057" };
  await say(player, "/api/accounts/verify", account);
  while (!isOver) {
    const deposit = await say<Told>(player, "/api/deposits", {
      commandId: randomUUID(),
      ...AMOUNT,
      payKobo: AMOUNT.kobo,
    });
    const reference = deposit.payment?.reference;
    if (reference !== undefined) {
      await sandbox.order(`transactions/${reference}`, { outcome: index % 4 === 3 ? "fail" : "pay" });
      await say(player, "/api/deposits/check", { reference });
    }
    const withdrawal = { commandId: randomUUID(), ...AMOUNT, feeKobo: 0, ...account, password: "a long passphrase" };
    await say(player, "/api/withdrawals", withdrawal);
  }
}

const FAULTS = [
  { on: "transfer", fault: "timeout_after_acceptance" },
  { on: "transfer", fault: "500" },
  { on: "transfer", fault: "500_after_acceptance" },
  { on: "verify_transfer", fault: "malformed" },
  { on: "verify", fault: "500" },
  { on: "webhook", fault: "lost", times: 3 },
  { on: "webhook", fault: "doubled", times: 3 },
  { on: "webhook", fault: "unacknowledged", times: 3 },
  { on: "transfer_outcome", fault: "failed" },
  { on: "transfer_outcome", fault: "reversed", delayMs: 500 },
  { on: "initialize", fault: "reset_after_acceptance" },
];

test(
  "reconciles every naira with the provider when server or database are killed [FAULT-07]",
  async () => {
    const lives = players.map(live);
    for (let i = 0; i < KILLS; i += 1) {
      for (let j = 0; j < 4; j += 1) await sandbox.order("faults", FAULTS[(4 * i + j) % FAULTS.length]!);
      const killAt = answered + 12 + 4 * (i % 5);
      await until(() => answered >= killAt);
      await server.end("SIGKILL");
      await startBesideSandbox();
    }
    isOver = true;
    await Promise.all(lives);
    await sandbox.order("settings", { retryScale: 0 });
    await until(async () => {
      const { rows } = await sql<{ open: number }>`
        select count(*)::int as open from payments
        where step in ('held', 'sent') or (kind = 'deposit' and credited_kobo = 0 and reference = any(${await readPaid()}::text[]))`.execute(
        database.kysely,
      );
      return rows[0]!.open === 0;
    }, PATIENCE_MS);
    const { transactions, transfers } = await sandbox.state();
    const { rows } = await sql<{ reference: string; step: string; kind: string }>`
      select reference, step, kind from payments`.execute(database.kysely);
    const steps = new Map(rows.map((row) => [row.reference, row.step]));
    expect(rows.filter(({ kind }) => kind === "withdrawal").length).toBeGreaterThan(KILLS);
    for (const { reference, status } of transactions) {
      expect([reference, status, steps.get(reference)]).toEqual([
        reference,
        status,
        status === "success" ? "credited" : "open",
      ]);
    }
    const sent = new Map(transfers.map((transfer) => [transfer.reference, transfer.status]));
    expect(sent.size).toBe(transfers.length);
    for (const row of rows.filter(({ kind }) => kind === "withdrawal")) {
      const expected = sent.get(row.reference) === "success" ? "paid" : "returned";
      expect([row.reference, row.step]).toEqual([row.reference, expected]);
    }
    expect(await audit(database.kysely, INVARIANTS)).toBeNull();
  },
  3 * PATIENCE_MS,
);

/** Charges paid at the provider, whose deposits must complete. */
async function readPaid(): Promise<readonly string[]> {
  const { transactions } = await sandbox.state();
  return transactions.filter(({ status }) => status === "success").map(({ reference }) => reference);
}
