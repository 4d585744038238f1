import { randomUUID } from "node:crypto";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { type Coins, type Kobo, toKoboOut } from "@holo/kernel/money.ts";
import type { Random } from "@holo/kernel/random.ts";
import { type PaymentView, payment as paymentSchema } from "@holo/protocol/payments/payments.ts";
import { wallet as walletSchema } from "@holo/protocol/payments/wallet.ts";
import { toCardRefund, toWithdrawalTerms, type UnplayedDeposit } from "@holo/protocol/payments/withdrawal-terms.ts";
import { WALLET_REFUSALS } from "@holo/protocol/refusals/wallet-refusals.ts";
import type { FaultOrder } from "../apps/sandbox/src/faults/faults.ts";
import type { SandboxControl } from "../apps/sandbox/src/testing/sandbox-control.ts";
import { type Account, PASSWORD } from "./account.ts";

export interface Answered {
  readonly player: PlayerId;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly sentMs: number;
  readonly answeredMs: number;
  readonly status: number;
  readonly answer: PaymentAnswer;
}

/** What the judge and the play read of an answer. */
interface PaymentAnswer {
  /** Of a refusal. */
  readonly code: string | null;
  readonly payment: Pick<PaymentView, "reference" | "kind" | "status"> | null;
  readonly rateKobo: number | null;
  readonly isKnown: boolean;
  readonly unplayed: (typeof UNPLAYED)["_output"];
  readonly balance: string;
  readonly withdrawable: string;
}

/** A deposit or withdrawal that was sent, whatever the answer. */
export interface PaymentOrder {
  readonly commandId: unknown;
  readonly kobo: unknown;
}

export interface Payer {
  readonly account: Account;
  readonly answers: readonly Answered[];
  readonly orders: readonly PaymentOrder[];
  takeTurn(): Promise<void>;
  /** Also coins that are marked: they are sent apart, later. */
  withdrawAll(): Promise<void>;
  finish(): Promise<void>;
}

const BANK_CODE = "057";
const UNANSWERED_MAX = 40;
const LEAST_KOBO = 500_000;
const WRONG_DEPOSITS = [LEAST_KOBO - 1, 2_000_000_000];
/** The last but one is possible only with coins that are too young to withdraw. */
const WRONG_WITHDRAWALS = [LEAST_KOBO - 100, 90_000_000, 28_000_000, 200_000_000_000];
const UNTRUE_FEE_KOBO = 77;
const UNKNOWN_REFERENCE = "dep-00000000-0000-4000-8000-000000000000";
/** Beyond a limit that the player set before. */
const SMALL_LIMIT_KOBO = 1_000_000;

/** Each happens once. */
const PROVIDER_FAULTS: readonly FaultOrder[] = [
  { on: "initialize", fault: "500" },
  { on: "initialize", fault: "timeout_after_acceptance" },
  { on: "initialize", fault: "reset" },
  { on: "verify", fault: "502" },
  { on: "verify", fault: "html" },
  { on: "resolve", fault: "500" },
  { on: "list_banks", fault: "500" },
  { on: "create_recipient", fault: "reset_after_acceptance" },
  { on: "transfer", fault: "timeout_after_acceptance" },
  { on: "transfer", fault: "reset" },
  { on: "transfer", fault: "500_after_acceptance" },
  { on: "transfer", fault: "malformed" },
  { on: "transfer", fault: "insufficient_balance" },
  { on: "verify_transfer", fault: "not_found" },
  { on: "verify_transfer", fault: "429" },
  { on: "transfer_outcome", fault: "failed" },
  { on: "transfer_outcome", fault: "reversed" },
  { on: "transfer_outcome", fault: "success_at_once" },
  { on: "charge_outcome", fault: "wrong_amount" },
  { on: "refund", fault: "500_after_acceptance" },
  { on: "refund", fault: "reset" },
  { on: "refund_outcome", fault: "failed" },
  { on: "webhook", fault: "lost" },
  { on: "webhook", fault: "doubled", copies: 3 },
  { on: "webhook", fault: "forged" },
  { on: "webhook", fault: "altered" },
  { on: "webhook", fault: "wrong_status", status: "success" },
  { on: "webhook", fault: "wrong_amount", amount: 900_000_000 },
  { on: "webhook", fault: "wrong_status", status: "failed", event: "transfer.success" },
  { on: "webhook", fault: "wrong_status", status: "reversed", event: "transfer.success" },
];

const NO_WALLET = { rateKobo: null, balance: "0", withdrawable: "0", unplayed: [] };

const PAYMENT = paymentSchema.pick({ reference: true, kind: true, status: true }).strip();

const UNPLAYED = walletSchema.shape.unplayed;

/** Some routes answer with the payment itself. */
function parseAnswer(body: unknown): PaymentAnswer {
  const { code, payment, rateKobo, isKnown, unplayed, balance, withdrawable } = body as Readonly<
    Record<string, unknown>
  >;
  const { data = null } = PAYMENT.safeParse(payment ?? body);
  return {
    code: typeof code === "string" ? code : null,
    payment: data,
    rateKobo: typeof rateKobo === "number" ? rateKobo : null,
    isKnown: isKnown === true,
    unplayed: UNPLAYED.safeParse(unplayed).data ?? [],
    balance: typeof balance === "string" ? balance : "0",
    withdrawable: typeof withdrawable === "string" ? withdrawable : "0",
  };
}

function toUnplayed(deposit: PaymentAnswer["unplayed"][number]): UnplayedDeposit {
  const [coins, creditedCoins] = [BigInt(deposit.coins) as Coins, BigInt(deposit.creditedCoins) as Coins];
  return { ...deposit, coins, creditedCoins, feeKobo: BigInt(deposit.feeKobo) as Kobo };
}

/** `mayExclude`: this player excludes themselves at some time. */
export function startPayer(
  url: string,
  account: Account,
  provider: SandboxControl,
  random: Random,
  mayExclude: boolean,
): Payer {
  const answers: Answered[] = [];
  const orders: PaymentOrder[] = [];
  const references: string[] = [];
  const withdrawals: string[] = [];
  const commandIds: string[] = [];
  const undecided = new Set<string>();
  const failed = new Set<string>();
  /** A command without an answer, which is resent unchanged. */
  let unanswered: { readonly path: string; readonly body: Readonly<Record<string, unknown>>; times: number } | null =
    null;
  let rateKobo: number | null = null;
  const chance = (percent: number): boolean => random(100) < percent;
  const pick = <Value>(list: readonly Value[]): Value => list[random(list.length)]!;
  const accountNumber = String(10_000_000 * (100 + random(800)) + random(10_000_000));

  async function call(path: string, body?: Readonly<Record<string, unknown>>, method = "POST") {
    const sentMs = Date.now();
    try {
      const response = await fetch(`${url}${path}`, {
        method: body === undefined ? "GET" : method,
        headers: { cookie: account.cookie, origin: url, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(15_000),
      });
      const answer = parseAnswer(await response.json());
      const isRefused = answer.code !== null && answer.code in WALLET_REFUSALS;
      if ((response.status >= 500 && !isRefused) || response.status === 429) return undefined;
      const answered = { player: account.id, path, body: body ?? {}, sentMs, answeredMs: Date.now(), answer };
      answers.push({ ...answered, status: response.status });
      return { status: response.status, answer };
    } catch {
      // The server is down, or the answer is lost.
      return undefined;
    }
  }

  async function command(path: string, body: Readonly<Record<string, unknown>>): Promise<void> {
    unanswered = { path, body, times: 0 };
    orders.push({ commandId: body.commandId, kobo: body.kobo });
    await sendAgain();
  }

  async function sendAgain(): Promise<void> {
    const order = unanswered;
    if (order === null) return;
    const answered = await call(order.path, order.body);
    order.times += 1;
    if (answered === undefined && order.times < UNANSWERED_MAX) return;
    unanswered = null;
    if (answered === undefined) return;
    if (answered.status >= 300) {
      // In any case, the next command starts from the current rate.
      rateKobo = null;
      return;
    }
    const { payment } = answered.answer;
    if (payment === null) return;
    references.push(payment.reference);
    if (payment.kind === "deposit") {
      undecided.add(payment.reference);
      // Only of accepted orders: the id of a refused one may be used for another.
      commandIds.push(order.body.commandId as string);
    } else {
      withdrawals.push(payment.reference);
      if (chance(70)) await tellLie(payment.reference);
    }
  }

  /** The webhook of a transfer that succeeded says that it did not. */
  async function tellLie(reference: string): Promise<void> {
    const lie = { on: "webhook", fault: "wrong_status", status: pick(["failed", "reversed"]) } as const;
    await provider.order({ ...lie, event: "transfer.success", reference, times: 1 }).catch(() => undefined);
  }

  async function decide(reference: string, outcome: string): Promise<void> {
    try {
      await provider.decideCharge(reference, outcome);
      undecided.delete(reference);
      if (outcome === "fail") failed.add(reference);
    } catch {
      // Not at the provider, or not in a state for this.
    }
  }

  /** Pays once the server knows that the first attempt failed. */
  async function payAfterFailure(reference: string): Promise<void> {
    const checked = await call("/api/deposits/check", { reference });
    if (checked?.answer.payment?.status !== "failed") return;
    failed.delete(reference);
    await decide(reference, "pay");
  }

  async function loadRate(): Promise<void> {
    const wallet = await call("/api/wallet");
    rateKobo = wallet?.answer.rateKobo ?? null;
  }

  /** Sends unplayed coins of a deposit back to its card. A repeat is answered alike. */
  async function refundCard(): Promise<void> {
    const wallet = await call("/api/wallet");
    for (const deposit of wallet?.answer.unplayed ?? []) {
      const refund = toCardRefund(toUnplayed(deposit));
      if (refund === null) continue;
      const body = { paymentId: deposit.paymentId, kobo: Number(refund.kobo), feeKobo: Number(refund.feeKobo) };
      await Promise.all(Array.from({ length: chance(30) ? 2 : 1 }, () => call("/api/deposits/refund", body)));
      return;
    }
  }

  async function withdraw(): Promise<void> {
    const verified = chance(90)
      ? await call("/api/accounts/verify", { accountNumber, bankCode: BANK_CODE })
      : undefined;
    const isKnown = verified?.answer.isKnown === true;
    const password = (isKnown && chance(80)) || chance(5) ? {} : { password: chance(90) ? PASSWORD : "another one" };
    const kobo = chance(80) ? LEAST_KOBO + 10_000 * random(40) : pick(WRONG_WITHDRAWALS);
    const feeKobo = chance(95) ? 0 : UNTRUE_FEE_KOBO;
    const sum = { kobo, feeKobo, rateKobo };
    const body = { commandId: randomUUID(), ...sum, accountNumber, bankCode: BANK_CODE, ...password };
    await command("/api/withdrawals", body);
  }

  async function withdrawAll(): Promise<void> {
    while (unanswered !== null) await sendAgain();
    const wallet = await call("/api/wallet");
    await call("/api/accounts/verify", { accountNumber, bankCode: BANK_CODE });
    const { rateKobo, balance, withdrawable, unplayed } = wallet?.answer ?? NO_WALLET;
    if (rateKobo === null) return;
    const kobo = toKoboOut(BigInt(withdrawable) as Coins, rateKobo);
    const held = { balance: BigInt(balance) as Coins, unplayed: unplayed.map(toUnplayed) };
    const { feeKobo } = toWithdrawalTerms(kobo, rateKobo, held);
    const sum = { kobo: Number(kobo), feeKobo: Number(feeKobo), rateKobo };
    const body = { commandId: randomUUID(), ...sum, accountNumber, bankCode: BANK_CODE, password: PASSWORD };
    await command("/api/withdrawals", body);
  }

  return {
    account,
    answers,
    orders,
    withdrawAll,
    async takeTurn() {
      if (unanswered !== null) return await sendAgain();
      if (rateKobo === null) return await loadRate();
      const [open] = undecided;
      if (open !== undefined && chance(60))
        return await decide(open, ["pay", "pay_by_card", "pay_by_card", "fail", "cancel"][random(5)]!);
      const [declined] = failed;
      if (declined !== undefined && chance(20)) return await payAfterFailure(declined);
      const known = chance(95) ? references[random(Math.max(1, references.length))] : UNKNOWN_REFERENCE;
      const roll = random(100);
      if (roll < 35) {
        const kobo = chance(80) ? LEAST_KOBO + 10_000 * random(60) : pick(WRONG_DEPOSITS);
        const commandId = chance(95)
          ? randomUUID()
          : (commandIds[random(Math.max(1, commandIds.length))] ?? randomUUID());
        const payKobo = chance(95) ? kobo : kobo + UNTRUE_FEE_KOBO;
        await command("/api/deposits", {
          commandId,
          kobo,
          payKobo,
          rateKobo: chance(95) ? rateKobo : rateKobo + 1,
        });
      } else if (roll < 55) await withdraw();
      else if (roll < 65 && known !== undefined) await call("/api/deposits/check", { reference: known });
      else if (roll < 70 && known !== undefined)
        await call("/api/withdrawals/cancel", { reference: chance(70) ? (withdrawals.at(-1) ?? known) : known });
      else if (roll < 73 && known !== undefined) await call("/api/deposits/reopen", { reference: known, rateKobo });
      else if (roll < 77 && known !== undefined)
        await decide(known, ["disputed", "dispute_accepted", "dispute_declined", "reversed"][random(4)]!);
      else if (roll < 79) await call("/api/limits", { depositDay: chance(50) ? SMALL_LIMIT_KOBO : null }, "PATCH");
      else if (roll < 80 && mayExclude)
        await call("/api/self-exclusion", { term: "day", coversFreeGames: true, password: PASSWORD });
      else if (roll < 84) await refundCard();
      else if (roll < 95) {
        // Two equal lies about one charge could not be told from the truth.
        const untrueAmount: FaultOrder = {
          on: "verify",
          fault: "wrong_amount",
          amount: LEAST_KOBO + random(1_000_000),
        };
        const order = pick([...PROVIDER_FAULTS, untrueAmount]);
        await provider.order({ ...order, times: 1 }).catch(() => undefined);
      } else await loadRate();
    },
    async finish() {
      while (unanswered !== null) await sendAgain();
      // Most are sent later, and faults that were ordered before are cleared by now.
      for (const reference of withdrawals) await tellLie(reference);
      for (const reference of [...undecided]) {
        await decide(reference, chance(70) ? "pay" : "cancel");
        await call("/api/deposits/check", { reference });
      }
    },
  };
}
