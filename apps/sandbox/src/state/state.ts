import type { Kobo } from "@holo/kernel/money.ts";
import type { Fault } from "../faults/faults.ts";
import type { Settings } from "../settings.ts";
import type { ClockState } from "./clock.ts";
import type { DisputeResolution, DisputeStatus, RefundStatus, TransactionStatus, TransferStatus } from "./statuses.ts";

export interface Customer {
  readonly id: bigint;
  readonly code: string;
  readonly email: string;
}

/** Instants are ms on the sandbox's clock. */
export interface Transaction {
  readonly id: bigint;
  readonly reference: string;
  readonly accessCode: string;
  readonly customer: Customer;
  readonly requestedAmount: Kobo;
  /** What the payer pays: with the fee if the payer bears it, any sum with a fault. */
  readonly amount: Kobo;
  readonly currency: string;
  readonly fees: Kobo | null;
  readonly status: TransactionStatus;
  readonly gatewayResponse: string;
  readonly channel: string;
  /** Names the card; without it each payer has one of their own. */
  readonly card?: string;
  readonly metadata: string | null;
  readonly callbackUrl: string | null;
  readonly createdAt: number;
  readonly paidAt: number | null;
  readonly refunded: Kobo;
}

export interface Recipient {
  readonly id: bigint;
  readonly code: string;
  readonly name: string;
  readonly accountNumber: string;
  readonly accountName: string;
  readonly bankCode: string;
  readonly bankName: string;
  readonly createdAt: number;
}

export interface Transfer {
  readonly id: bigint;
  readonly requestId: bigint;
  readonly code: string;
  readonly reference: string;
  readonly recipientCode: string;
  readonly amount: Kobo;
  readonly fee: Kobo;
  readonly reason: string | null;
  readonly status: TransferStatus;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface Refund {
  readonly id: bigint;
  readonly transactionReference: string;
  readonly amount: Kobo;
  readonly status: RefundStatus;
  readonly customerNote: string | null;
  readonly merchantNote: string | null;
  readonly refundedBy: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface Dispute {
  readonly id: bigint;
  readonly transactionReference: string;
  readonly amount: Kobo;
  readonly status: DisputeStatus;
  /** What the merchant wrote against the payer's claim. */
  readonly evidence: { readonly id: bigint; readonly text: string } | null;
  readonly resolution: DisputeResolution | null;
  readonly createdAt: number;
  readonly resolvedAt: number | null;
}

interface Attempt {
  readonly at: number;
  readonly answer: number | string;
  readonly fault: string | null;
}

export type DeliveryStatus = "waiting" | "held" | "delivered" | "lost" | "given_up";

export interface Delivery {
  readonly id: number;
  readonly event: string;
  readonly reference: string;
  /** The exact text that is signed and sent. */
  readonly body: string;
  readonly createdAt: number;
  readonly status: DeliveryStatus;
  readonly attempts: readonly Attempt[];
}

export type Task =
  | { readonly type: "deliver"; readonly deliveryId: number }
  | { readonly type: "settle_transfer"; readonly reference: string; readonly status: TransferStatus }
  | { readonly type: "settle_refund"; readonly refundId: bigint; readonly status: RefundStatus }
  | { readonly type: "reverse_charge"; readonly reference: string }
  | { readonly type: "dispute_charge"; readonly reference: string };

export interface DueTask {
  readonly at: number;
  readonly sequence: number;
  readonly task: Task;
}

export interface Call {
  readonly at: number;
  readonly operation: string;
  readonly reference: string | null;
  readonly body: string;
  readonly fault: string | null;
  readonly answered: number | null;
}

/** Entities are replaced, never changed in place. */
export interface State {
  settings: Settings;
  clock: ClockState;
  balance: Kobo;
  nextId: bigint;
  nextSequence: number;
  readonly customers: Map<string, Customer>;
  readonly transactions: Map<string, Transaction>;
  readonly recipients: Map<string, Recipient>;
  readonly transfers: Map<string, Transfer>;
  readonly refunds: Map<string, Refund>;
  readonly disputes: Map<string, Dispute>;
  readonly deliveries: Map<number, Delivery>;
  tasks: readonly DueTask[];
  faults: readonly Fault[];
  calls: readonly Call[];
}

/** 2^53 + 1. In steps of two every id is odd, and no double this large is odd. */
const FIRST_ID = 9_007_199_254_740_993n;
const ID_STEP = 2n;

export function makeState(settings: Settings, balance: Kobo): State {
  return {
    settings,
    clock: { offsetMs: 0, frozenAt: null },
    balance,
    nextId: FIRST_ID,
    nextSequence: 1,
    customers: new Map(),
    transactions: new Map(),
    recipients: new Map(),
    transfers: new Map(),
    refunds: new Map(),
    disputes: new Map(),
    deliveries: new Map(),
    tasks: [],
    faults: [],
    calls: [],
  };
}

export function takeId(state: State): bigint {
  const id = state.nextId;
  state.nextId += ID_STEP;
  return id;
}

export function takeSequence(state: State): number {
  const sequence = state.nextSequence;
  state.nextSequence += 1;
  return sequence;
}
