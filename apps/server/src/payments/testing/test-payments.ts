import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { toGrossCharge } from "@holo/kernel/charge-fee.ts";
import type { CommandId, PlayerId } from "@holo/kernel/ids.ts";
import { toInstant } from "@holo/kernel/instant.ts";
import { type Coins, toCoins, toKobo, wholeCoins } from "@holo/kernel/money.ts";
import { ok } from "@holo/kernel/result.ts";
import type { ServerFrame } from "@holo/protocol/frames.ts";
import { sql } from "kysely";
import { DEVELOPMENT_RATE_LIMITS, openAccounts } from "../../accounts/accounts.ts";
import { ledgerInvariants } from "../../ledger/audit/audit.ts";
import { loadWallet, openWallet, postOpening } from "../../ledger/ledger.ts";
import { type Database, openDatabase } from "../../platform/database/database.ts";
import { audit } from "../../platform/database/invariant.ts";
import { transact } from "../../platform/database/transaction.ts";
import { openLog } from "../../platform/log.ts";
import type { NewMail, QueueMail } from "../../platform/mail/outbox.ts";
import { openMetrics } from "../../platform/metrics/metrics.ts";
import { makeTestTime, type TestTime } from "../../platform/testing/test-time.ts";
import { openTimerWheel } from "../../platform/time/timer-wheel.ts";
import { paymentInvariants } from "../audit/audit.ts";
import { openPayments, type Payment, type Payments, type Permit } from "../payments.ts";
import { loadByReference } from "../store/payment-store.ts";
import type { TestSandbox } from "./test-sandbox.ts";

export const RATE_KOBO = 30_600;
export const PASSWORD = "correct horse";
export const BANK = "057";

/** Money in and out on a real database, with the sandbox as its provider and time that stands still until told otherwise. */
export interface TestPayments {
  payments: Payments;
  /** In force for payments begun from now on; `RATE_KOBO` until told otherwise. */
  rateKobo: number;
  readonly time: TestTime;
  /** Asked before a webhook is looked at and after it was committed; true: the server is killed there. */
  isKilledAt: (stage: "webhook received" | "webhook committed") => boolean;
  readonly pushed: { readonly playerId: PlayerId; readonly frame: ServerFrame }[];
  readonly mails: NewMail[];
  /** What people were called for, and for which payment. */
  readonly alerts: { readonly alert: string; readonly reference: string }[];
  /** A player with a verified address, and coins that nobody paid for. */
  addPlayer(coins?: Coins): Promise<PlayerId>;
  /** Who sits at a table, as far as payments are told. */
  readonly playing: Set<PlayerId>;
  balance(playerId: PlayerId): Promise<Coins>;
  find(reference: string): Promise<Payment>;
  /** Lets time pass and does what is due by then. */
  advance(ms: number): Promise<void>;
  /** As a server that is killed and started again: nothing more of what was under way is written, and claims run out by themselves. */
  kill(): void;
  deposit(playerId: PlayerId, kobo?: number): Promise<Payment>;
  withdraw(playerId: PlayerId, kobo?: number, accountNumber?: string): Promise<Payment>;
  findBroken(): Promise<string | null>;
  close(): Promise<void>;
}

/** Of whoever may do whatever they do. */
export const ANYONE: Permit<never> = { check: async () => ok(null), record: async () => undefined };

export const newId = (): CommandId => randomUUID() as CommandId;

export async function openTestPayments(
  database: Database,
  sandbox: Pick<TestSandbox, "url" | "secretKey" | "order">,
  { timeoutMs = 300, payerBearsFee = false } = {},
): Promise<TestPayments> {
  // Apart from the machine's: nothing here may ask its clock.
  const time = makeTestTime(toInstant(Date.now()));
  const alerts: { readonly alert: string; readonly reference: string }[] = [];
  const log = openLog("error", {
    write(line) {
      const { alert, reference } = JSON.parse(line) as { readonly alert?: string; readonly reference?: string };
      if (alert !== undefined && reference !== undefined) alerts.push({ alert, reference });
    },
  });
  const wheel = openTimerWheel({ time, log });
  const pushed: { readonly playerId: PlayerId; readonly frame: ServerFrame }[] = [];
  const mails: NewMail[] = [];
  const playing = new Set<PlayerId>();
  let running = open();

  function open() {
    // A pool of its own, as a process has: who kills it ends what it still would write.
    const own = openDatabase({ connectionString: database.connectionString, log });
    const queueMail: QueueMail = async (_tx, mail) => void mails.push(mail);
    const accounts = openAccounts({
      database: own,
      time,
      secret: "a secret of at least thirty-two characters",
      publicUrl: "http://arena.test",
      secureCookies: false,
      rateLimits: DEVELOPMENT_RATE_LIMITS,
      onPlayerCreated: openWallet,
      queueMail,
    });
    const payments = openPayments({
      database: own,
      time,
      wheel,
      log,
      metrics: openMetrics({ process: false }),
      provider: { url: sandbox.url, secretKey: sandbox.secretKey, timeoutMs },
      publicUrl: "http://arena.test",
      rateKobo: () => at.rateKobo,
      sendFrame: (playerId, frame) => void pushed.push({ playerId, frame }),
      queueMail,
      checkPassword: async (_playerId, password) => ok(password === PASSWORD),
      removePlayer: accounts.removePlayer,
      payerBearsFee,
      hasOpenGame: async (_queries, playerId) => playing.has(playerId),
      isPolling: false,
    });
    return { own, payments };
  }

  async function hear(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const signature = request.headers["x-paystack-signature"];
    if (at.isKilledAt("webhook received")) return die(response);
    const received = await at.payments.receive(Buffer.concat(chunks), typeof signature === "string" ? signature : null);
    if (at.isKilledAt("webhook committed")) return die(response);
    response.writeHead(received.ok ? 200 : 401).end();
  }

  function die(response: ServerResponse): void {
    at.kill();
    response.destroy();
  }

  const receiver = createServer((request, response) => {
    hear(request, response).catch(() => response.writeHead(500).end());
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const webhookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  await sandbox.order("settings", { webhookUrl });

  const at: TestPayments = {
    payments: running.payments,
    rateKobo: RATE_KOBO,
    time,
    isKilledAt: () => false,
    pushed,
    mails,
    alerts,
    playing,
    async addPlayer(coins = toCoins(0n)) {
      const id = `player-${randomUUID().slice(0, 12)}` as PlayerId;
      await sql`
        insert into auth_users (id, name, email, email_verified, created_at, updated_at)
        values (${id}, ${id}, ${`${id}@example.com`}, true, now(), now())`.execute(database.kysely);
      await transact(database, async (tx) => {
        await openWallet(tx, id, time.now());
        if (coins > 0n) await postOpening(tx, { playerId: id, amount: coins, at: time.now() });
      });
      return id;
    },
    async balance(playerId) {
      return (await loadWallet(database.kysely, playerId))?.balance ?? wholeCoins(-1);
    },
    async find(reference) {
      const payment = await loadByReference(database.kysely, reference);
      if (payment === null) throw new Error(`there is no payment ${reference}`);
      return payment;
    },
    async advance(ms) {
      time.advance(ms);
      wheel.tick();
      await at.payments.runDue();
    },
    kill() {
      const killed = running;
      running = open();
      at.payments = running.payments;
      void killed.own.close();
      void killed.payments.close();
    },
    async deposit(playerId, kobo = 500_000) {
      const payKobo = payerBearsFee ? Number(toGrossCharge(toKobo(BigInt(kobo)))) : kobo;
      const email = `${playerId}@example.com`;
      const begun = await at.payments.begin({ playerId, email, commandId: newId(), kobo, payKobo });
      if (!begun.ok) throw new Error(typeof begun.refusal === "string" ? begun.refusal : begun.refusal.code);
      return begun.value.payment;
    },
    async withdraw(playerId, kobo = 500_000, accountNumber = "0123456789") {
      const verified = await at.payments.bankAccounts.verify({ playerId, accountNumber, bankCode: BANK });
      if (!verified.ok) throw new Error(verified.refusal);
      const withdrawn = await at.payments.withdraw({
        playerId,
        username: "ada",
        email: `${playerId}@example.com`,
        commandId: newId(),
        kobo,
        accountNumber,
        bankCode: BANK,
        password: PASSWORD,
      });
      if (!withdrawn.ok) throw new Error(withdrawn.refusal.code);
      return withdrawn.value;
    },
    async findBroken() {
      const broken = await audit(database.kysely, [...ledgerInvariants, ...paymentInvariants]);
      return broken === null ? null : `${broken.name}: ${broken.found}`;
    },
    async close() {
      receiver.close();
      receiver.closeAllConnections();
      await running.payments.close();
      await running.own.close();
      wheel.stop();
    },
  };
  return at;
}
