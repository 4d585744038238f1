import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { JsonObject } from "../http/json.ts";
import { TRANSACTION_STATUSES, TRANSFER_STATUSES } from "../state/statuses.ts";

export const OPERATIONS = [
  "initialize",
  "verify",
  "list_transactions",
  "list_banks",
  "resolve",
  "create_recipient",
  "transfer",
  "verify_transfer",
  "list_transfers",
  "balance",
  "refund",
  "fetch_refund",
  "list_refunds",
  "list_disputes",
  "dispute_evidence",
  "resolve_dispute",
] as const;
export type Operation = (typeof OPERATIONS)[number];

/** The call has no effect. */
const BEFORE_ACTING = [
  "timeout",
  "reset",
  "500",
  "502",
  "429",
  "unauthorized",
  "not_found",
  "duplicate_reference",
  "insufficient_balance",
] as const;
/** The call takes effect and its answer fails. */
const AFTER_ACTING = [
  "timeout_after_acceptance",
  "reset_after_acceptance",
  "500_after_acceptance",
  "malformed",
  "empty",
  "html",
  "status_as_text",
  "slow",
] as const;
/** The answer or webhook differs from the state. */
const UNTRUE = ["wrong_amount", "wrong_currency", "wrong_reference", "wrong_status"] as const;
const CALL_FAULTS = [...BEFORE_ACTING, ...AFTER_ACTING, ...UNTRUE] as const;

const CHARGE_FAULTS = ["wrong_amount", "wrong_currency", "reversed", "disputed", ...TRANSACTION_STATUSES] as const;
const TRANSFER_FAULTS = ["success_at_once", ...TRANSFER_STATUSES] as const;
const REFUND_FAULTS = ["pending", "failed"] as const;
const WEBHOOK_FAULTS = [
  "lost",
  "late",
  "doubled",
  "shuffled",
  "forged",
  "altered",
  "unsigned",
  "reserialized",
  "unacknowledged",
  ...UNTRUE,
] as const;

const FAULTS_ON = {
  ...(Object.fromEntries(OPERATIONS.map((operation) => [operation, CALL_FAULTS])) as Record<
    Operation,
    typeof CALL_FAULTS
  >),
  any: CALL_FAULTS,
  charge_outcome: CHARGE_FAULTS,
  transfer_outcome: TRANSFER_FAULTS,
  refund_outcome: REFUND_FAULTS,
  webhook: WEBHOOK_FAULTS,
} as const;

export type FaultPoint = keyof typeof FAULTS_ON;
export type CallFault = (typeof CALL_FAULTS)[number];
export type ChargeFault = (typeof CHARGE_FAULTS)[number];
export type TransferFault = (typeof TRANSFER_FAULTS)[number];
export type WebhookFault = (typeof WEBHOOK_FAULTS)[number];
export type Distortion = (typeof UNTRUE)[number];
type FaultName = (typeof FAULTS_ON)[FaultPoint][number];

export const FAULT_NAMES: { readonly [Place in FaultPoint]: readonly FaultName[] } = FAULTS_ON;

export interface FaultOrder {
  readonly on: FaultPoint;
  readonly fault: FaultName;
  /** How often it happens; null until it is cancelled. */
  readonly times?: number | null;
  readonly reference?: string;
  readonly event?: string;
  /** On the machine's clock for `slow`; on the sandbox's for `late`, `reversed` and `disputed`. */
  readonly delayMs?: number;
  /** For `wrong_amount`, in kobo. Default: one naira less. */
  readonly amount?: number;
  readonly currency?: string;
  readonly status?: string;
  /** For `doubled`: how many are sent. */
  readonly copies?: number;
}

export interface Fault extends FaultOrder {
  readonly id: number;
  readonly times: number | null;
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0;
const isText = (value: unknown): boolean => typeof value === "string" && value !== "";
const FIELDS: { readonly [name: string]: (value: unknown) => boolean } = {
  on: isText,
  fault: isText,
  times: (value) => value === null || isCount(value),
  reference: isText,
  event: isText,
  delayMs: isCount,
  amount: isCount,
  currency: isText,
  status: isText,
  copies: isCount,
};

/** Refuses with a sentence that lists the valid orders. */
export function parseFaultOrder(given: JsonObject): Result<FaultOrder, string> {
  const wrong = Object.keys(given).filter((name) => !(Object.hasOwn(FIELDS, name) && FIELDS[name]!(given[name])));
  if (wrong.length > 0) return refuse(`unknown or out of range: ${wrong.join(", ")}`);
  const { on, fault } = given;
  if (typeof on !== "string" || !Object.hasOwn(FAULTS_ON, on)) {
    return refuse(`on must be one of ${Object.keys(FAULTS_ON).join(", ")}`);
  }
  const names: readonly string[] = FAULT_NAMES[on as FaultPoint];
  if (typeof fault !== "string" || !names.includes(fault)) {
    return refuse(`the faults of ${on} are ${names.join(", ")}`);
  }
  return ok(given as unknown as FaultOrder);
}

export function isBeforeActing(fault: CallFault): fault is (typeof BEFORE_ACTING)[number] {
  return (BEFORE_ACTING as readonly string[]).includes(fault);
}
