import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Random } from "@holo/kernel/random.ts";
import { spawnSandbox } from "../apps/sandbox/src/spawn.ts";
import { openControl, type SandboxControl } from "../apps/sandbox/src/testing/sandbox-control.ts";
import { type CuttableProxy, openCuttableProxy } from "../e2e/support/cuttable-proxy.ts";
import type { ArenaDatabase } from "../e2e/support/database.ts";
import { type Account, PASSWORD } from "./account.ts";
import { advanceTables } from "./faults/advance-tables.ts";
import type { Installation } from "./installation.ts";
import { type FaultRecord, toTableTime } from "./judge/evidence.ts";
import { awaitsComparison, type PaymentEvidence, type StatementRow } from "./judge/payment-judge.ts";
import { type Answered, type Payer, startPayer } from "./payer.ts";
import type { StoredGames } from "./stored-games.ts";

export interface Provider {
  readonly env: Readonly<Record<string, string>>;
  readonly control: SandboxControl;
  /** Also of each later process. */
  change(settings: Parameters<SandboxControl["change"]>[0]): Promise<void>;
  /** The way of servers and players to it. */
  readonly link: CuttableProxy;
  kill(): Promise<void>;
  /** With all that it had answered. */
  start(): Promise<void>;
  signal(signal: "SIGSTOP" | "SIGCONT"): void;
  stop(): Promise<void>;
}

const SECRET_KEY = "sk_test_0123456789abcdef0123456789abcdef";
/** Covers what players are owed. */
const BALANCE_KOBO = "100000000000";
/** How long the stand-in holds a call that it does not answer. */
const HOLD_MS = 2_000;
const SAVED_MS_MAX = 20_000;

export async function startProvider(): Promise<Provider> {
  const folder = mkdtempSync(path.join(tmpdir(), "holo-provider-"));
  const STATE_FILE = path.join(folder, "state.json");
  const environment = {
    PAYSTACK_SECRET_KEY: SECRET_KEY,
    BALANCE_KOBO,
    TRANSFER_SETTLES_AFTER_MS: "300",
    STATE_FILE,
  };
  let running = await spawnSandbox(environment).catch((error) => {
    rmSync(folder, { recursive: true });
    throw error;
  });
  const PORT = new URL(running.url).port;
  const link = await openCuttableProxy(() => Number(PORT));
  let changed: Parameters<SandboxControl["change"]>[0] = {};
  return {
    async change(settings) {
      changed = settings;
      await openControl(running.url).change(settings);
    },
    env: { PAYSTACK_SECRET_KEY: SECRET_KEY, PAYSTACK_URL: link.url },
    control: openControl(link.url),
    link,
    async kill() {
      // A provider forgets nothing that it answered; the stand-in saves its state after each call.
      link.cut();
      const own = openControl(running.url);
      await own.settle();
      const readSavedMs = (): number => statSync(STATE_FILE, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      const savedMs = readSavedMs();
      await own.state();
      const endMs = performance.now() + SAVED_MS_MAX;
      while (readSavedMs() <= savedMs) {
        if (performance.now() > endMs) throw new Error("the provider's stand-in does not save its state");
        await sleep(POLL_MS);
      }
      process.kill(running.pid, "SIGKILL");
      await running.stop();
    },
    async start() {
      running = await spawnSandbox({ ...environment, PORT });
      await openControl(running.url).change(changed);
      link.restore();
    },
    signal: (signal) => void process.kill(running.pid, signal),
    async stop() {
      await running.stop();
      await link.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Players pay in and out during games. The CEO changes the fee and corrects payments. */
interface PaymentPlay {
  /** No player begins anything while it is paused. */
  setPaused(isPaused: boolean): void;
  /** Resolves once no payment is in progress. */
  finish(server: Pick<Installation, "advanceTables">, record: FaultRecord): Promise<void>;
  loadEvidence(): Promise<PaymentEvidence>;
}

const PACE_MS = 400;
/** The server looks every second for what is due, on a busy machine later. */
const DUE_MS_MAX = 8_000;
const POLL_MS = 100;
const DAY_AHEAD_MS = 25 * 3_600_000;
const CHECKED_AHEAD_MS = 73 * 3_600_000;
/**
 * An unknown outcome is believed after ten minutes, an unpaid deposit ends after a day, and coins
 * are checked for three days at most.
 */
const AHEAD_MS = [
  16 * 60_000,
  16 * 60_000,
  DAY_AHEAD_MS,
  16 * 60_000,
  16 * 60_000,
  CHECKED_AHEAD_MS,
  16 * 60_000,
  16 * 60_000,
] as const;
/** The server looks every minute whether a new day has begun. */
const COMPARED_MS_MAX = 90_000;
const OTHER_FEE_BPS = 500;

interface PlayAccounts {
  readonly payers: readonly Account[];
  /** Those of all players. */
  readonly all: readonly Account[];
}

export async function startPaymentPlay(
  server: Pick<Installation, "url">,
  { control, change }: Provider,
  database: ArenaDatabase,
  stored: StoredGames,
  { payers: accounts, all }: PlayAccounts,
  randomOf: (index: number) => Random,
): Promise<PaymentPlay> {
  await change({ webhookUrl: `${server.url}/api/paystack/webhook`, holdMs: HOLD_MS });
  const owner = await database.addOwner(PASSWORD);
  const payers: readonly Payer[] = accounts.map((account, index) =>
    startPayer(server.url, account, control, randomOf(index), index === 0),
  );
  let isOver = false;
  let isPaused = false;

  async function callAs<Answer>(
    { cookie }: Pick<Account, "cookie">,
    method: string,
    path: string,
    body?: object,
  ): Promise<Answer | undefined> {
    try {
      const response = await fetch(`${server.url}${path}`, {
        method,
        headers: { cookie, origin: server.url, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return response.ok ? ((await response.json()) as Answer) : undefined;
    } catch {
      return undefined;
    }
  }

  function callAsOwner<Answer>(path: string, body?: object): Promise<Answer | undefined> {
    return callAs(owner, body === undefined ? "GET" : "POST", path, body);
  }

  async function changeFee(): Promise<boolean> {
    const before = await callAsOwner<{ rateKobo: number; feeBps: number }>("/api/admin/settings");
    if (before === undefined) return false;
    const expected = { rateKobo: before.rateKobo, feeBps: before.feeBps };
    const body = { ...expected, feeBps: OTHER_FEE_BPS, expected, commandId: randomUUID(), password: PASSWORD };
    return (await callAsOwner("/api/admin/settings", body)) !== undefined;
  }

  /** One correction that the payment with staff allows. */
  async function correctOne(random: Random): Promise<void> {
    interface Case {
      readonly payment: { readonly reference: string };
      readonly corrections: readonly { readonly act: string; readonly kobo: number }[];
      readonly lastFact: number;
    }
    const listed = await callAsOwner<{ cases: readonly Case[] }>("/api/admin/payments");
    const found = listed?.cases.find(({ corrections }) => corrections.length > 0);
    if (found === undefined) return;
    const { lastFact, corrections } = found;
    const { act, kobo } = corrections[random(corrections.length)]!;
    const body = { reference: found.payment.reference, act, kobo, lastFact, reason: "As the simulation decides." };
    await callAsOwner("/api/admin/payments/correct", body);
  }

  /** Staff cancel a game, and players block each other in the middle of one. */
  async function takeOddTurn(random: Random): Promise<void> {
    const [gameId] = await stored.listByStatus("active");
    const [blocker, blocked] = [all[random(all.length)]!, all[random(all.length)]!];
    const reason = "As the simulation decides.";
    if (random(3) === 0 && gameId !== undefined)
      await callAs(owner, "POST", "/api/admin/games/cancel", { gameId, reason });
    else if (blocker !== blocked)
      await callAs(blocker, "PATCH", `/api/players/${blocked.id}/relation`, { blocked: random(4) > 0 });
  }

  async function playAsOwner(random: Random): Promise<void> {
    let isFeeChanged = false;
    while (!isOver) {
      await sleep(PACE_MS + random(2 * PACE_MS));
      if (isPaused) continue;
      if (!isFeeChanged && random(4) === 0) isFeeChanged = await changeFee();
      await correctOne(random);
      await takeOddTurn(random);
    }
  }

  async function play(payer: Payer, random: Random): Promise<void> {
    while (!isOver) {
      await sleep(random(2 * PACE_MS));
      if (!isOver && !isPaused) await payer.takeTurn();
    }
  }

  async function passTime(at: Pick<Installation, "advanceTables">, record: FaultRecord, byMs: number): Promise<void> {
    await advanceTables({ installation: at, record }, byMs);
    // With the server's time, so that a webhook that found no server is sent again.
    await again(() => control.advance(byMs));
  }

  const ownerRandom = randomOf(accounts.length);
  const running = payers.map((payer, index) => play(payer, randomOf(100 + index)));
  running.push(playAsOwner(ownerRandom));

  return {
    setPaused(isPausedNow) {
      isPaused = isPausedNow;
    },
    async finish(at, record) {
      isOver = true;
      await Promise.all(running);
      await again(control.clearFaults);
      await again(control.release);
      for (const payer of payers) await payer.finish();
      // Gains of games are withdrawable after a day, and marks of disputes are in force.
      await passTime(at, record, DAY_AHEAD_MS);
      for (const payer of payers) await payer.withdrawAll();
      for (const byMs of AHEAD_MS) {
        await passTime(at, record, byMs);
        await correctOne(ownerRandom);
        for (const endMs = performance.now() + DUE_MS_MAX; performance.now() < endMs; await sleep(POLL_MS))
          if ((await stored.countPaymentsDue(toTableTime(Date.now(), record.jumps))) === 0) break;
        // A webhook that found no server is sent again, and may say that a transfer was reversed.
        const { webhooks } = await again(control.state);
        const isDelivered = webhooks.every(({ status }) => status !== "waiting");
        if (isDelivered && (await stored.countPaymentsOnTheirWay()) === 0) break;
      }
      if (!awaitsComparison({ payments: await stored.loadPayments(), provider: await again(control.state) })) return;
      const compared = await stored.countComparisons();
      await passTime(at, record, DAY_AHEAD_MS);
      for (const endMs = performance.now() + COMPARED_MS_MAX; performance.now() < endMs; await sleep(POLL_MS))
        if ((await stored.countComparisons()) > compared) return;
    },
    async loadEvidence() {
      const statements = new Map<PlayerId, readonly StatementRow[]>();
      for (const { account } of payers)
        statements.set(account.id, await again(() => loadStatement(server.url, account)));
      const answers: readonly Answered[] = payers.flatMap((payer) => payer.answers);
      const orders = payers.flatMap((payer) => payer.orders);
      return {
        answers,
        orders,
        statements,
        payments: await stored.loadPayments(),
        provider: await again(control.state),
      };
    },
  };
}

/** A kept connection may have been closed meanwhile, or the machine is slow. */
async function again<Value>(act: () => Promise<Value>, attempts = 5): Promise<Value> {
  try {
    return await act();
  } catch (error) {
    if (attempts === 1) throw error;
    await sleep(PACE_MS);
    return await again(act, attempts - 1);
  }
}

/** Oldest row first. */
async function loadStatement(url: string, { cookie }: Account): Promise<readonly StatementRow[]> {
  const rows: StatementRow[] = [];
  for (let before: string | null = ""; before !== null; ) {
    const query: string = before === "" ? "" : `?before=${before}`;
    const response = await fetch(`${url}/api/statement${query}`, { headers: { cookie } });
    const page = (await response.json()) as { readonly rows: readonly StatementRow[]; readonly next: string | null };
    rows.push(...page.rows);
    before = page.next;
  }
  return rows.reverse();
}
