import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { CommandId, GameId, PlayerId } from "@holo/kernel/ids.ts";
import { type Instant, toInstant } from "@holo/kernel/instant.ts";
import { type Coins, toCoins, toKobo, wholeCoins } from "@holo/kernel/money.ts";
import { ok, refuse } from "@holo/kernel/result.ts";
import { toWithdrawalTerms } from "@holo/protocol/payments/withdrawal-terms.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import { sql } from "kysely";
import { DEVELOPMENT_RATE_LIMITS, openAccounts } from "../../accounts/accounts.ts";
import { recordAuditEvent } from "../../admin/admin.ts";
import { ledgerInvariants } from "../../ledger/audit/audit.ts";
import { loadUnplayed, loadWallet, openWallet, postOpening } from "../../ledger/ledger.ts";
import { postStake, postWin } from "../../ledger/testing/game-postings.ts";
import { type Database, openDatabase } from "../../platform/database/database.ts";
import { audit } from "../../platform/database/invariant.ts";
import { transact } from "../../platform/database/transaction.ts";
import { openLog } from "../../platform/log.ts";
import type { NewMail, QueueMail } from "../../platform/mail/outbox.ts";
import { openMetrics } from "../../platform/metrics/metrics.ts";
import { makeTestTime, type TestTime } from "../../platform/testing/test-time.ts";
import { openTimerWheel } from "../../platform/time/timer-wheel.ts";
import { paymentInvariants } from "../audit/audit.ts";
import type { Deposit } from "../deposit/deposit.ts";
import type { BankAccount } from "../payment-base.ts";
import {
  type Case,
  type CorrectionAct,
  openPayments,
  type Payment,
  type Payments,
  type Permit,
  type Screen,
  toPaymentView,
  type WithdrawalForm,
} from "../payments.ts";
import { loadByReference } from "../store/payment-store.ts";
import type { TestSandbox } from "./test-sandbox.ts";

export const RATE_KOBO = 30_600;
export const PASSWORD = "correct horse";
export const BANK = "057";
export const ACCOUNT = { accountNumber: "0123456789", bankCode: BANK };
/** More withdrawals a day than any test makes. */
export const UNBOUNDED = 1_000;

/** Payments on a real database, with the sandbox as provider and a manual clock. */
export interface TestPayments {
  payments: Payments;
  rateKobo: number;
  withdrawalsPerDay: number;
  readonly time: TestTime;
  isKilledAt: (stage: "webhook received" | "webhook committed") => boolean;
  readonly pushed: { readonly playerId: PlayerId; readonly frame: ServerFrame }[];
  readonly holdChanges: PlayerId[];
  readonly mails: NewMail[];
  readonly alerts: { readonly alert: string; readonly reference: string }[];
  /** What the running server answers to `/metrics`. */
  loadMetrics(): Promise<string>;
  addPlayer(coins?: Coins): Promise<PlayerId>;
  /** A player with 500 HC, or these coins, and a verified bank account. */
  addBanked(coins?: Coins): Promise<PlayerId>;
  readonly playing: Set<PlayerId>;
  screen: Screen;
  /** A game with this stake total. */
  lose(loserId: PlayerId, winnerId: PlayerId, stakeTotal: Coins): Promise<void>;
  balance(playerId: PlayerId): Promise<Coins>;
  find(reference: string): Promise<FoundPayment>;
  list(playerId: PlayerId): Promise<readonly FoundPayment[]>;
  advance(ms: number): Promise<void>;
  kill(): void;
  /** The sandbox sends its webhooks to the last one opened. */
  receiveWebhooks(): Promise<void>;
  /** `payKobo` is the total shown to a payer who bears the fee. */
  deposit(playerId: PlayerId, kobo?: number, payKobo?: number): Promise<Deposit>;
  withdraw(playerId: PlayerId, kobo?: number, accountNumber?: string): Promise<Payment>;
  /** Staff do what the payment allows, after looking at it. */
  correct(reference: string, act: CorrectionAct, memberId?: PlayerId): ReturnType<Payments["corrections"]["order"]>;
  findCase(reference: string): Promise<Case | null>;
  findBroken(): Promise<string | null>;
  close(): Promise<void>;
}

export type FoundPayment = Omit<Payment, "reason" | "kind"> & {
  readonly kind: Payment["kind"];
  /** Where its coins are. */
  readonly money: "none" | "credited" | "taken_back" | "held" | "paid" | "returned" | "lost";
  readonly reason: string | null;
  readonly keptKobo: bigint;
  readonly backKobo: bigint;
  readonly authorizationUrl: string | null;
  readonly account: BankAccount | null;
  readonly recipientCode: string | null;
};

function toMoney(payment: Payment): FoundPayment["money"] {
  if (payment.kind === "deposit") {
    return payment.keptKobo > 0n ? "credited" : payment.creditedKobo > 0n ? "taken_back" : "none";
  }
  if (payment.isBack) return payment.sentKobo > 0n ? "lost" : "returned";
  return payment.sentKobo > 0n ? "paid" : "held";
}

function describePayment(payment: Payment): FoundPayment {
  const none = { keptKobo: 0n, backKobo: 0n, authorizationUrl: null, account: null, recipientCode: null };
  const { reason, coins, rateKobo } = toPaymentView(payment);
  return { ...none, ...payment, money: toMoney(payment), reason, coins: toCoins(BigInt(coins)), rateKobo };
}

const ACTIONS = {
  credit: "payment_credited",
  debit: "payment_debited",
  refund: "payment_refunded",
  send_again: "payment_sent_again",
  write_off: "payment_written_off",
} as const;

/** A permit that allows everything and records it as the administration does. */
function permitAll(memberId: PlayerId, act: keyof typeof ACTIONS): Permit<never> {
  return {
    check: async () => ok(null),
    record: (tx, { reference: subject }, kobo) =>
      recordAuditEvent(tx, {
        playerId: memberId,
        action: ACTIONS[act],
        subject,
        detail: String(kobo),
        at: toInstant(0),
      }),
  };
}

const STAFF = "staff-00000001" as PlayerId;
export const ANYONE: Permit<never> = permitAll(STAFF, "credit");

export const newId = (): CommandId => randomUUID() as CommandId;

/** A withdrawal of ₦5,000 to a verified account. */
export function makeWithdrawalForm(playerId: PlayerId, change: Partial<WithdrawalForm> = {}): WithdrawalForm {
  const person = { playerId, username: "ada", email: `${playerId}@example.com`, password: PASSWORD };
  return { ...person, ...ACCOUNT, commandId: newId(), kobo: 500_000, feeKobo: 0, ...change };
}

export async function openTestPayments(
  database: Database,
  sandbox: Pick<TestSandbox, "url" | "secretKey" | "order">,
  { payerBearsFee = false, isPolling = false } = {},
): Promise<TestPayments> {
  // Differs from the machine's clock, which nothing here may read.
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
  const rates: { readonly at: Instant; readonly kobo: number }[] = [];
  const playing = new Set<PlayerId>();
  let running = open();

  function open() {
    // Like a process, each server has its own pool, which ends with it.
    const own = openDatabase({ connectionString: database.connectionString, log });
    const metrics = openMetrics({ process: false });
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
      metrics,
      provider: { url: sandbox.url, secretKey: sandbox.secretKey },
      publicUrl: "http://arena.test",
      rateKobo: () => at.rateKobo,
      loadRateAt: async (_queries, instant) => rates.findLast((rate) => rate.at <= instant)?.kobo ?? RATE_KOBO,
      sendFrame: (playerId, frame) => void pushed.push({ playerId, frame }),
      onHoldChanged: (playerId) => void at.holdChanges.push(playerId),
      queueMail,
      confirmPassword: async (_playerId, password) =>
        password === PASSWORD ? ok(async () => true) : refuse("wrong_password"),
      recordTrace: accounts.recordTrace,
      screen: (playerId, now) => at.screen(playerId, now),
      removePlayer: accounts.removePlayer,
      payerBearsFee,
      withdrawalsPerDay: () => at.withdrawalsPerDay,
      correctionLimitKobo: 5_000_000n,
      hasOpenGame: async (_queries, playerId) => playing.has(playerId),
      disputeCases: { openDispute: async () => undefined, closeDispute: async () => undefined },
      isPolling,
    });
    return { own, payments, metrics };
  }

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const signature = request.headers["x-paystack-signature"];
    if (at.isKilledAt("webhook received")) return die(response);
    const received = await at.payments.receive(Buffer.concat(chunks), typeof signature === "string" ? signature : null);
    if (at.isKilledAt("webhook committed")) return die(response);
    // A webhook only causes a query, which is answered before the acknowledgement here.
    await at.payments.runDue();
    response.writeHead(received.ok ? 200 : 401).end();
  }

  function die(response: ServerResponse): void {
    at.kill();
    response.destroy();
  }

  const receiver = createServer((request, response) => {
    receive(request, response).catch(() => response.writeHead(500).end());
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const webhookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;

  const at: TestPayments = {
    payments: running.payments,
    get rateKobo() {
      return rates.at(-1)?.kobo ?? RATE_KOBO;
    },
    set rateKobo(kobo) {
      rates.push({ at: time.now(), kobo });
    },
    withdrawalsPerDay: UNBOUNDED,
    time,
    isKilledAt: () => false,
    pushed,
    holdChanges: [],
    mails,
    alerts,
    playing,
    screen: async () => null,
    loadMetrics: async () => (await running.metrics.toText()).body,
    async addPlayer(coins = toCoins(0n)) {
      const id = `player-${randomUUID().slice(0, 12)}` as PlayerId;
      await sql`
        insert into players (id, email, email_verified, updated_at) values (${id}, ${`${id}@example.com`}, true, now())`.execute(
        database.kysely,
      );
      await sql`
        insert into profiles (id, username, created_at, updated_at) values (${id}, ${id}, now(), now())`.execute(
        database.kysely,
      );
      await transact(database, async (tx) => {
        await openWallet(tx, id, time.now());
        if (coins > 0n) await postOpening(tx, { playerId: id, amount: coins, at: time.now() });
      });
      return id;
    },
    async addBanked(coins = wholeCoins(500)) {
      const playerId = await at.addPlayer(coins);
      const verified = await at.payments.bankAccounts.verify({ playerId, ...ACCOUNT });
      if (!verified.ok) throw new Error(verified.refusal);
      return playerId;
    },
    async lose(loserId, winnerId, stakeTotal) {
      const gameId = randomUUID() as GameId;
      const [amount, platformFee] = [toCoins((stakeTotal * 1_074n) / 1_000n), toCoins((stakeTotal * 148n) / 1_000n)];
      const winnings = toCoins(2n * stakeTotal);
      await transact(database, async (tx) => {
        for (const [seat, playerId] of [
          [1, loserId],
          [2, winnerId],
        ] as const) {
          const staked = await postStake(tx, { gameId, seat, playerId, amount, at: time.now() });
          if (!staked.ok) throw new Error(staked.refusal.type);
        }
        await postWin(tx, { gameId, winnerId, winnings, platformFee, finalHash: "f1", at: time.now() });
      });
    },
    async balance(playerId) {
      return (await loadWallet(database.kysely, playerId))?.balance ?? wholeCoins(-1);
    },
    async find(reference) {
      const payment = await loadByReference(database.kysely, reference);
      if (payment === null) throw new Error(`there is no payment ${reference}`);
      return describePayment(payment);
    },
    async list(playerId) {
      return (await at.payments.listPayments(playerId)).map(describePayment);
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
    async receiveWebhooks() {
      await sandbox.order("settings", { webhookUrl });
    },
    async deposit(playerId, kobo = 500_000, payKobo = kobo) {
      const email = `${playerId}@example.com`;
      const begun = await at.payments.begin({
        playerId,
        email,
        commandId: newId(),
        kobo,
        payKobo,
        rateKobo: at.rateKobo,
      });
      if (!begun.ok) throw new Error(typeof begun.refusal === "string" ? begun.refusal : begun.refusal.code);
      return begun.value.payment as Deposit;
    },
    async withdraw(playerId, kobo = 500_000, accountNumber = ACCOUNT.accountNumber) {
      const verified = await at.payments.bankAccounts.verify({ playerId, accountNumber, bankCode: BANK });
      if (!verified.ok) throw new Error(verified.refusal);
      const balance = await at.balance(playerId);
      const unplayed = await loadUnplayed(database.kysely, playerId, balance);
      const { feeKobo } = toWithdrawalTerms(toKobo(BigInt(kobo)), at.rateKobo, { balance, unplayed });
      const form = makeWithdrawalForm(playerId, { feeKobo: Number(feeKobo), kobo, accountNumber });
      const withdrawn = await at.payments.withdraw(form);
      if (!withdrawn.ok) throw new Error(withdrawn.refusal.code);
      return withdrawn.value;
    },
    async findCase(reference) {
      return (await at.payments.loadCases()).find(({ payment }) => payment.reference === reference) ?? null;
    },
    async correct(reference, act, memberId = STAFF) {
      const found = await at.findCase(reference);
      const kobo = found?.corrections.find((one) => one.act === act)?.kobo ?? 0n;
      const order = { reference, act, kobo, lastFact: found?.payment.lastFact ?? 0, reason: "It was so.", memberId };
      return await at.payments.corrections.order(order, permitAll(memberId, act));
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
  await at.receiveWebhooks();
  return at;
}
