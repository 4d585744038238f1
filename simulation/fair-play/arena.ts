import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type CommandId, type GameId, type PlayerId, toCommandId } from "@holo/kernel/ids.ts";
import { type Instant, toInstant } from "@holo/kernel/instant.ts";
import { type Coins, toKobo } from "@holo/kernel/money.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import { toWithdrawalTerms } from "@holo/protocol/payments/withdrawal-terms.ts";
import { DEFAULT_FEE_BPS } from "@holo/table/platform-fee.ts";
import { lockLimits } from "../../apps/server/src/accounts/accounts.ts";
import { hashPassword } from "../../apps/server/src/accounts/password/password-hash.ts";
import { addTestPlayers } from "../../apps/server/src/accounts/testing/test-players.ts";
import { parseConfig } from "../../apps/server/src/config.ts";
import { openScreener } from "../../apps/server/src/fairplay/fairplay.ts";
import { listInvariants } from "../../apps/server/src/invariants.ts";
import { loadUnplayed, openWallet } from "../../apps/server/src/ledger/ledger.ts";
import { loadWithdrawable, type Payment } from "../../apps/server/src/payments/payments.ts";
import { startTestSandbox } from "../../apps/server/src/payments/testing/test-sandbox.ts";
import { type Database, openDatabase } from "../../apps/server/src/platform/database/database.ts";
import { auditDatabase } from "../../apps/server/src/platform/database/invariant.ts";
import { transact } from "../../apps/server/src/platform/database/transaction.ts";
import { openFiles } from "../../apps/server/src/platform/files/open-files.ts";
import { openLog } from "../../apps/server/src/platform/log.ts";
import { openMetrics } from "../../apps/server/src/platform/metrics/metrics.ts";
import { surveyServers } from "../../apps/server/src/platform/servers/survey.ts";
import { makeTestOutages } from "../../apps/server/src/platform/testing/test-outages.ts";
import { makeTestTime, type TestTime } from "../../apps/server/src/platform/testing/test-time.ts";
import { openTime } from "../../apps/server/src/platform/time/time.ts";
import { openTimerWheel } from "../../apps/server/src/platform/time/timer-wheel.ts";
import { type Modules, openModules } from "../../apps/server/src/wiring/modules.ts";
import { openOnDatabase } from "../../apps/server/src/wiring/platform.ts";
import { openRememberedEngine } from "./remembered-engine.ts";

export const RATE_KOBO = 30_600;
const SECRET = "the secret of the fair play generator, long enough";
const PASSWORD = "a password of robots";
const BANK = "057";
/** Coarser than a server's: timers of weeks pass in minutes. */
const WHEEL_TICK_MS = 200;
/** More than all withdrawals. */
const PROVIDER_KOBO = 500_000_000_000;

/** An account of the population. */
export interface Account {
  readonly id: PlayerId;
  readonly username: string;
  readonly email: string;
  readonly view: PlayerView;
}

/** The server's modules as `npm start` wires them, on a clock that is moved by hand. */
export interface Arena {
  readonly database: Database;
  readonly time: TestTime;
  readonly modules: Modules;
  /** Accounts that registered that long ago. */
  addAccounts(
    people: readonly { readonly username: string; readonly createdAt: Instant }[],
  ): Promise<readonly Account[]>;
  /** Logs in: leaves traces of the device and the network. */
  noteLogin(account: Account, at: Instant, device: string, address: string): Promise<void>;
  /** Null if it was refused. `card`: the card's signature; null pays by bank transfer. */
  deposit(account: Account, kobo: number, card: string | null): Promise<string | null>;
  /** The payer's bank takes the deposit back. */
  dispute(reference: string): Promise<void>;
  loadFunds(account: Account): Promise<{ readonly balance: Coins; readonly withdrawable: Coins }>;
  /** What was refused, or the payment. */
  withdraw(account: Account, kobo: number, accountNumber: string): Promise<Payment | string>;
  /** Screens all games that have ended, as the server does beside its other work. */
  screen(): Promise<void>;
  /** Payments go on, the provider's clock, and the judgement of coins that were won. */
  work(): Promise<void>;
  /** Fires the timers that are due. */
  tick(): void;
  /** Every log line of a fault. */
  readonly faults: readonly string[];
  findBroken(): Promise<string | null>;
  close(): Promise<void>;
}

export const newId = (): CommandId => toCommandId(randomUUID());

interface ArenaOptions {
  /** An empty, migrated database of its own. */
  readonly connectionString: string;
  readonly judgesMoves: boolean;
  /** Where the engine's answers are kept. */
  readonly memoryFolder: string;
}

export async function openArena({ connectionString, judgesMoves, memoryFolder }: ArenaOptions): Promise<Arena> {
  const faults: string[] = [];
  const log = openLog("error", { write: (line: string) => void faults.push(line) });
  const parts = new AsyncDisposableStack();
  const folder = mkdtempSync(path.join(tmpdir(), "holo-fair-play-"));
  parts.defer(() => rmSync(folder, { recursive: true, force: true }));
  const sandbox = await startTestSandbox();
  parts.defer(() => sandbox.stop());
  await sandbox.order("balance", { kobo: PROVIDER_KOBO });
  const parsed = parseConfig({
    AUTH_SECRET: SECRET,
    DATA_DIR: folder,
    PAYSTACK_SECRET_KEY: sandbox.secretKey,
    PAYSTACK_URL: sandbox.url,
  });
  if (!parsed.ok) throw new Error(parsed.refusal.join("\n"));
  const config = parsed.value;
  const database = openDatabase({ connectionString, log });
  parts.defer(() => database.close());

  // Beats and mail of the server keep the machine's time; players, tables and payments do not.
  const survey = await surveyServers(database.pool);
  const realTime = await openTime(database, survey);
  parts.defer(realTime.stop);
  const claimed = { database, process: randomUUID(), survey, releaseLease: async () => undefined };
  const real = await openOnDatabase(
    config,
    log,
    { ...claimed, time: realTime, tableTime: realTime },
    new AsyncDisposableStack(),
    openMetrics({ process: false }),
  );
  const time = makeTestTime(toInstant(realTime.now()));
  const wheel = openTimerWheel({ time, log, tickMs: WHEEL_TICK_MS });
  let lateMs = 0;
  // The server's own screening waits for a quieter time: here it runs before each withdrawal.
  const stalls = { ...real.stalls, lateMs: () => ++lateMs };
  const platform = { ...real, time, tableTime: time, wheel, outages: makeTestOutages(), stalls };
  const modules = await openModules(config, platform, config.paystack!, { isScreening: false });
  platform.startServing();
  const screener = openScreener({
    ...platform,
    isPolling: false,
    judgesMoves,
    engine: openRememberedEngine(memoryFolder),
    metrics: openMetrics({ process: false }),
    chessEngine: null,
  });
  const passwordHash = await hashPassword(PASSWORD);
  const files = openFiles({ type: "disk", folder });

  async function moveProvider(): Promise<void> {
    await sandbox.order("clock", { at: new Date(time.now()).toISOString(), frozen: true } as object);
  }

  const arena: Arena = {
    database,
    time,
    modules,
    faults,
    async addAccounts(people) {
      const names = people.map(({ username }) => username);
      const added = await addTestPlayers(database, names, SECRET, passwordHash);
      await database.pool.query("update players set email_verified = true where id = any($1)", [
        added.map(({ id }) => id),
      ]);
      await database.pool.query(
        `update profiles set created_at = made.at from unnest($1::text[], $2::timestamptz[]) as made (id, at)
         where profiles.id = made.id`,
        [added.map(({ id }) => id), people.map(({ createdAt }) => new Date(createdAt))],
      );
      for (const { id } of added) await transact(database, (tx) => openWallet(tx, id, time.now()));
      return added.map(({ id, username, email }) => ({ id, username, email, view: { id, username } }));
    },
    async noteLogin({ id }, at, device, address) {
      await transact(database, async (tx) => {
        await lockLimits(tx, id);
        await modules.accounts.recordTrace(tx, id, "device", device, at);
        await modules.accounts.recordTrace(tx, id, "network", address, at);
      });
    },
    async deposit({ id: playerId, email }, kobo, card) {
      // Else the provider's charge would be older than the deposit, and a comparison miss it.
      await moveProvider();
      const order = { playerId, email, commandId: newId(), kobo, payKobo: kobo, rateKobo: RATE_KOBO };
      const begun = await modules.payments.begin(order);
      if (!begun.ok) return null;
      const { reference } = begun.value.payment;
      await sandbox.order(
        `transactions/${reference}`,
        card === null ? { outcome: "pay" } : { outcome: "pay_by_card", card },
      );
      const checked = await modules.payments.check(playerId, reference);
      if (checked?.status !== "completed") await modules.payments.runDue();
      return reference;
    },
    async dispute(reference) {
      await moveProvider();
      await sandbox.order(`transactions/${reference}`, { outcome: "disputed" });
      await modules.payments.reconciliation.reconcile();
    },
    async loadFunds({ id }) {
      return await loadWithdrawable(database.kysely, id, time.now());
    },
    screen: screener.runDue,
    async work() {
      await moveProvider();
      await modules.payments.runDue();
      await modules.fairPlay.judgeAhead();
    },
    async withdraw(account, kobo, accountNumber) {
      await moveProvider();
      const { id: playerId, username, email } = account;
      const payee = { accountNumber, bankCode: BANK };
      const verified = await modules.payments.bankAccounts.verify({ playerId, ...payee });
      if (!verified.ok) return verified.refusal;
      const { balance } = await arena.loadFunds(account);
      const unplayed = await loadUnplayed(database.kysely, playerId, balance);
      const { feeKobo } = toWithdrawalTerms(toKobo(BigInt(kobo)), RATE_KOBO, { balance, unplayed });
      const withdrawn = await modules.payments.withdraw({
        playerId,
        username,
        email,
        ...payee,
        commandId: newId(),
        kobo,
        feeKobo: Number(feeKobo),
        password: PASSWORD,
        rateKobo: RATE_KOBO,
      });
      if (!withdrawn.ok) return withdrawn.refusal.code;
      await modules.payments.runDue();
      return withdrawn.value;
    },
    tick: wheel.tick,
    async findBroken() {
      const broken = await auditDatabase(database, listInvariants(files));
      return broken === null ? null : `${broken.name}: ${broken.found}`;
    },
    async close() {
      platform.stopServing();
      await screener.close();
      await modules.close();
      wheel.stop();
      await real.close();
      await parts.disposeAsync();
    },
  };
  return arena;
}

export const FEE_BPS = DEFAULT_FEE_BPS;

/** Whether a game goes on: another way to end it than a move takes its own time. */
export async function isEnded({ database }: Pick<Arena, "database">, gameId: GameId): Promise<boolean> {
  const { rows } = await database.pool.query<{ status: string }>("select status from games where id = $1", [gameId]);
  return rows[0] !== undefined && rows[0].status !== "active" && rows[0].status !== "waiting";
}
