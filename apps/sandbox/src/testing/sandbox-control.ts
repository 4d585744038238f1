import type { FaultOrder } from "../faults/faults.ts";
import { formatJson, isObject, type Json, type JsonObject, parseJson } from "../http/json.ts";
import type { Settings } from "../settings.ts";
import type { Call, Delivery, Dispute, Recipient, Refund, Transaction, Transfer } from "../state/state.ts";

/** As `GET /_sandbox/state`: integers beyond 2^53 are bigint, smaller ones numbers. */
interface StateView {
  readonly now: string;
  readonly balance: number;
  readonly transactions: readonly Shown<Transaction>[];
  readonly recipients: readonly Shown<Recipient>[];
  readonly transfers: readonly Shown<Transfer>[];
  readonly refunds: readonly Shown<Refund>[];
  readonly disputes: readonly Shown<Dispute>[];
  readonly webhooks: readonly Delivery[];
  readonly calls: readonly Call[];
}

/** Sums are below 2^53, so they are read as numbers. */
type Shown<Entity> = {
  readonly [Field in keyof Entity]: Field extends "id" | "requestId"
    ? bigint
    : Entity[Field] extends bigint
      ? number
      : Entity[Field];
};

export interface SandboxControl {
  state(): Promise<StateView>;
  order(fault: FaultOrder): Promise<number>;
  clearFaults(): Promise<void>;
  advance(ms: number): Promise<void>;
  settle(): Promise<void>;
  setClock(clock: { readonly at?: string; readonly frozen?: boolean }): Promise<void>;
  change(settings: Partial<Settings>): Promise<void>;
  setBalance(kobo: number): Promise<void>;
  reset(kobo?: number): Promise<void>;
  /**
   * `outcome` is pay (by transfer), pay_by_card, fail, cancel, a status, disputed, dispute_accepted
   * or dispute_declined. Returns where the browser goes.
   */
  decideCharge(reference: string, outcome: string, paid?: JsonObject): Promise<string | null>;
  decideTransfer(reference: string, status: string): Promise<void>;
  decideRefund(id: bigint, status: string): Promise<void>;
  sendWebhook(webhook: JsonObject): Promise<number | string>;
  replay(webhookId: number): Promise<number | string>;
  /** Sends the held webhooks, last first. */
  release(): Promise<void>;
}

/** A client of the control API. Every refused order throws. */
export function openControl(url: string): SandboxControl {
  async function call(method: "GET" | "POST" | "DELETE", path: string, body?: JsonObject): Promise<JsonObject> {
    const response = await fetch(`${url}/_sandbox/${path}`, {
      method,
      ...(body === undefined ? {} : { body: formatJson(body), headers: { "content-type": "application/json" } }),
    });
    const text = await response.text();
    const answered = parseJson(text);
    if (!response.ok || !isObject(answered)) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return isObject(answered.data) ? answered.data : {};
  }
  const post = (path: string, body: JsonObject = {}): Promise<JsonObject> => call("POST", path, body);
  const escapePath = encodeURIComponent;

  return {
    state: async () => (await call("GET", "state")) as unknown as StateView,
    order: async (fault) => (await post("faults", fault as unknown as JsonObject)).id as number,
    clearFaults: async () => void (await call("DELETE", "faults")),
    advance: async (advanceMs) => void (await post("clock", { advanceMs })),
    settle: async () => void (await post("clock", { advanceMs: 0 })),
    setClock: async (clock) => void (await post("clock", clock as JsonObject)),
    change: async (settings) => void (await post("settings", settings as JsonObject)),
    setBalance: async (kobo) => void (await post("balance", { kobo })),
    reset: async (kobo) => void (await post("reset", { kobo })),
    async decideCharge(reference, outcome, paid = {}) {
      const { redirect = null } = await post(`transactions/${escapePath(reference)}`, {
        ...paid,
        outcome,
      } as JsonObject);
      return redirect as string | null;
    },
    decideTransfer: async (reference, outcome) => void (await post(`transfers/${escapePath(reference)}`, { outcome })),
    decideRefund: async (id, outcome) => void (await post(`refunds/${id}`, { outcome })),
    sendWebhook: async (webhook) => (await post("webhooks", webhook)).answer as Extract<Json, number | string>,
    replay: async (id) => (await post(`webhooks/${id}/replay`)).answer as Extract<Json, number | string>,
    release: async () => void (await post("webhooks/release")),
  };
}
