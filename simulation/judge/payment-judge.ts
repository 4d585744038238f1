import type { PlayerId } from "@holo/kernel/ids.ts";
import type { SandboxControl } from "../../apps/sandbox/src/testing/sandbox-control.ts";
import type { Answered, PaymentOrder } from "../payer.ts";
import { type Evidence, isAhead } from "./evidence.ts";

export interface PaymentEvidence {
  readonly answers: readonly Answered[];
  readonly orders: readonly PaymentOrder[];
  readonly payments: readonly StoredPayment[];
  readonly provider: Awaited<ReturnType<SandboxControl["state"]>>;
  /** At rest, oldest row first. */
  readonly statements: ReadonlyMap<PlayerId, readonly StatementRow[]>;
}

export interface StoredPayment {
  readonly player: PlayerId;
  readonly commandId: string;
  /** The command of the withdrawal whose marked coins it has; null for any other. */
  readonly partOf: string | null;
  readonly kind: "deposit" | "withdrawal" | "revenue";
  readonly kobo: bigint;
  readonly feeKobo: bigint;
  readonly rateKobo: bigint;
  readonly writtenOffKobo: bigint;
  /** The provider's fee, which a refund to the card leaves with the platform. */
  readonly borneFeeKobo: bigint;
  /** What the player had of it at any time: staff may credit another sum. */
  readonly credits: readonly bigint[];
  readonly status: string;
  readonly reason: string | null;
  readonly reference: string;
  /** The sum of all its journal entries for the player, in micro-coins; a debt counts as taken. */
  readonly net: bigint;
}

export interface StatementRow {
  readonly amount: string;
  readonly balanceAfter: string;
}

const MICRO = 1_000_000n;
const OPENS: Readonly<Record<string, StoredPayment["kind"]>> = {
  "/api/deposits": "deposit",
  "/api/withdrawals": "withdrawal",
};
/** The provider did not open its checkout, or the row is of an earlier command. */
const STORED_REFUSALS: ReadonlySet<string> = new Set(["payments_unavailable", "command_id_reused"]);
/** A game may have been decided at the same time as the exclusion. */
const EXCLUDED_MS = 2_000;

/** Everything about payments at rest that a correct server cannot have answered or stored. */
export function judgePayments(evidence: Evidence, money: PaymentEvidence): readonly string[] {
  return [
    ...findLostPayments(money),
    ...findWrongDeposits(money),
    ...findWrongWithdrawals(money),
    ...findUnknownToUs(money),
    ...findForeignPayments(evidence, money),
    ...findWrongStatements(evidence, money),
    ...findExcludedPlay(evidence, money),
  ];
}

/**
 * Whether a payment differs from the provider's because the webhook of its last change was lost or
 * untrue: only the daily comparison finds that.
 */
export function awaitsComparison(money: Pick<PaymentEvidence, "payments" | "provider">): boolean {
  const found = [...findWrongDeposits(money), ...findWrongWithdrawals(money)];
  // The server asks the provider about a success that a webhook denies.
  return money.provider.webhooks.some(
    ({ reference, event, status, attempts }) =>
      event !== "transfer.success" &&
      (status === "lost" || attempts.some(({ fault }) => fault?.startsWith("wrong_"))) &&
      found.some((finding) => finding.includes(reference)),
  );
}

/** What its player ordered with it, fees and the part that waits included. */
function toOrderedKobo(
  { player, commandId, kobo, feeKobo }: StoredPayment,
  payments: readonly StoredPayment[],
): bigint {
  return payments
    .filter((row) => row.player === player && row.partOf === commandId)
    .reduce((sum, part) => sum + part.kobo + part.feeKobo, kobo + feeKobo);
}

/** An acknowledged payment is stored once as it was ordered, and a refused one is not. */
function findLostPayments({ answers, payments }: PaymentEvidence): string[] {
  const found: string[] = [];
  for (const { path, body, status, answer, player } of answers) {
    const kind = OPENS[path];
    if (kind === undefined) continue;
    const stored = payments.filter((row) => row.player === player && row.commandId === body.commandId);
    const name = `${kind} ${body.commandId}`;
    if (status >= 300) {
      if (stored.length > 0 && !STORED_REFUSALS.has(answer.code ?? ""))
        found.push(`${name} was refused (${answer.code}) and is stored`);
      continue;
    }
    const reference = answer.payment?.reference;
    const [row] = stored;
    if (row === undefined || stored.length > 1) found.push(`${name} is stored ${stored.length} times`);
    else if (
      row.kind !== kind ||
      row.reference !== reference ||
      toOrderedKobo(row, payments) !== BigInt(body.kobo as number)
    )
      found.push(`${name} is not stored as it was ordered`);
  }
  return found;
}

/** A deposit credits what the provider received for it, once. */
function findWrongDeposits({ payments, provider }: Pick<PaymentEvidence, "payments" | "provider">): string[] {
  const found: string[] = [];
  for (const row of payments.filter(({ kind }) => kind === "deposit")) {
    const charge = provider.transactions.find(({ reference }) => reference === row.reference);
    const isPaid = charge?.paidAt != null;
    const isRefunded = isPaid && charge.refunded >= charge.amount;
    const isWhole =
      isPaid && charge.refunded === 0 && charge.currency === "NGN" && BigInt(charge.amount) === row.kobo + row.feeKobo;
    const dispute = provider.disputes.find(({ transactionReference }) => transactionReference === row.reference);
    const say = (what: string): void => void found.push(`deposit ${row.reference} (${row.status}) ${what}`);
    if (!isPaid || isRefunded) {
      if (row.net !== 0n) say(`gives ${row.net} micro-coins, and the provider has nothing`);
      if (row.status === "completed") say("is completed without the provider's money");
    } else if (isWhole && dispute === undefined) {
      // Staff return what a failed refund to the card had taken, less the fee that it bore.
      const due = ((row.kobo - row.borneFeeKobo) * MICRO + row.rateKobo - 1n) / row.rateKobo;
      // Staff may write off what a failed refund left.
      if (row.status === "review" || row.writtenOffKobo > 0n) continue;
      if (row.net !== due) say(`gives ${row.net} of ${due} micro-coins`);
    } else if (row.net < 0n) say(`takes ${-row.net} micro-coins`);
    const restKobo = isPaid ? BigInt(charge.amount) - BigInt(charge.refunded) : 0n;
    const most = (restKobo * MICRO + row.rateKobo - 1n) / row.rateKobo;
    if (row.net > most && row.status !== "review")
      say(`gives ${row.net} micro-coins for ${restKobo} kobo that are left`);
  }
  return found;
}

/** A withdrawal takes coins exactly if the provider sent the money; none stays in transit. */
function findWrongWithdrawals({ payments, provider }: Pick<PaymentEvidence, "payments" | "provider">): string[] {
  const found: string[] = [];
  for (const row of payments.filter(({ kind }) => kind === "withdrawal")) {
    const transfer = provider.transfers.find(({ reference }) => reference === row.reference);
    const due = -(((row.kobo + row.feeKobo) * MICRO) / row.rateKobo);
    const say = (what: string): void => void found.push(`withdrawal ${row.reference} (${row.status}) ${what}`);
    if (row.status === "processing") say("is still on its way at rest");
    if (row.reason === "awaiting_fair_play") say("is still checked after three days");
    // Staff review it, or the provider requires an action.
    const isSent = transfer?.status === "success";
    if (row.status === "processing" || row.status === "pending" || (row.status === "review" && !isSent)) continue;
    if (isSent) {
      if (row.net !== due) say(`takes ${-row.net} of ${-due} micro-coins that were sent`);
    } else if (row.net !== 0n) say(`takes ${-row.net} micro-coins, and the provider sent nothing`);
    if (transfer !== undefined && BigInt(transfer.amount) !== row.kobo)
      say(`sends ${transfer.amount} of ${row.kobo} kobo`);
  }
  return found;
}

/** Every charge and transfer at the provider is stored. */
function findUnknownToUs({ payments, provider }: PaymentEvidence): string[] {
  const ours = new Set(payments.map(({ reference }) => reference));
  return [...provider.transactions, ...provider.transfers]
    .filter(({ reference }) => !ours.has(reference))
    .map(({ reference }) => `the provider knows ${reference}, which is not stored`);
}

/** A pushed payment is the receiver's own, with its true amount. */
function findForeignPayments({ clients }: Evidence, { payments, orders }: PaymentEvidence): string[] {
  const found: string[] = [];
  const rows = new Map(payments.map((row) => [row.reference, row]));
  const isOrderedBy = (row: StoredPayment, asked: number): boolean => {
    const whole = payments.find(({ player, commandId }) => player === row.player && commandId === row.partOf) ?? row;
    const kobo = Number(toOrderedKobo(whole, payments));
    const isOwnSum = BigInt(asked) === row.kobo + row.feeKobo;
    return isOwnSum && orders.some((order) => order.commandId === whole.commandId && order.kobo === kobo);
  };
  for (const { account, connections } of clients)
    for (const { frame } of connections.flatMap(({ received }) => received)) {
      if (frame.type !== "payment") continue;
      const row = rows.get(frame.payment.reference);
      const { kobo, payerFeeKobo } = frame.payment;
      const asked = kobo + payerFeeKobo;
      const isOrdered = row !== undefined && isOrderedBy(row, asked);
      if (row?.player !== account?.id || !(isOrdered || row?.credits.includes(BigInt(asked))))
        found.push(
          `${account?.username} was sent the payment ${frame.payment.reference}, which is not stored as theirs`,
        );
    }
  return found;
}

function findWrongStatements({ wallets }: Evidence, { statements }: PaymentEvidence): string[] {
  const found: string[] = [];
  for (const [player, rows] of statements) {
    let balance = 0n;
    for (const [index, row] of rows.entries()) {
      balance += BigInt(row.amount);
      if (balance !== BigInt(row.balanceAfter)) found.push(`row ${index} of ${player}'s statement does not add up`);
    }
    const stored = wallets.get(player)?.at(-1)?.balance ?? 0n;
    if (balance !== stored) found.push(`${player}'s statement ends at ${balance} of ${stored} micro-coins`);
  }
  return found;
}

/** A self-excluded player neither begins a game nor deposits from then on. */
function findExcludedPlay({ games, jumps }: Evidence, { answers }: PaymentEvidence): string[] {
  const found: string[] = [];
  const since = new Map<PlayerId, number>();
  for (const { path, status, player, answeredMs } of answers)
    if (path === "/api/self-exclusion" && status < 300)
      since.set(player, Math.min(answeredMs, since.get(player) ?? answeredMs));
  for (const { path, status, player, sentMs } of answers)
    if (path === "/api/deposits" && status < 300 && sentMs > (since.get(player) ?? Number.POSITIVE_INFINITY))
      found.push(`${player} deposited after excluding themselves`);
  for (const [gameId, { log }] of games)
    for (const { at, events } of log)
      for (const event of events) {
        if (event.type !== "created" && event.type !== "joined") continue;
        const excludedMs = since.get(event.player);
        if (excludedMs !== undefined && at > excludedMs + EXCLUDED_MS && !isAhead(at, jumps))
          found.push(`${event.player} began ${gameId} after excluding themselves`);
      }
  return found;
}
