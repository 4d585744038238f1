import { ok } from "@holo/kernel/result.ts";
import { isJsonObject, type Json, parseInteger, parseText } from "./json.ts";
import {
  openPaystackClient,
  type PaystackClient,
  type PaystackClientDeps,
  type ProviderAnswer,
  type ProviderCall,
  unknown,
} from "./paystack-client.ts";
import {
  type ListedRefund,
  type ProviderCharge,
  type ProviderDispute,
  type ProviderRefund,
  type ProviderTransfer,
  parseCharge,
  parseDispute,
  parseListedRefund,
  parseRefund,
  parseTransfer,
  type TransferStatus,
} from "./provider-status.ts";

export interface Bank {
  readonly code: string;
  readonly name: string;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Listed items that could not be parsed. */
  readonly unread: number;
  readonly isLast: boolean;
}

export interface ListOrder {
  /** ms since 1970. */
  readonly from: number;
  readonly to: number;
  /** From 1. */
  readonly page: number;
}

/** Every outcome is an answer; nothing is thrown. */
export interface Paystack {
  initialize(order: {
    readonly kobo: bigint;
    readonly email: string;
    readonly reference: string;
    readonly callbackUrl: string;
  }): Promise<ProviderAnswer<{ readonly authorizationUrl: string }>>;
  /** Null: the provider knows no such charge. */
  verifyCharge(reference: string): Promise<ProviderAnswer<ProviderCharge | null>>;
  /** Orders a refund of the whole charge, or of a part. Its outcome follows later. */
  refund(reference: string, kobo: bigint | null): Promise<ProviderAnswer<null>>;
  listRefunds(charge: Pick<ProviderCharge, "id" | "reference">): Promise<ProviderAnswer<readonly ProviderRefund[]>>;
  listAllRefunds(order: ListOrder): Promise<ProviderAnswer<Page<ListedRefund>>>;
  listDisputes(order: ListOrder): Promise<ProviderAnswer<Page<ProviderDispute>>>;
  /** Hands the payer's bank the evidence against a dispute. */
  answerDispute(answer: {
    readonly id: string;
    readonly email: string;
    readonly name: string;
    readonly evidence: string;
  }): Promise<ProviderAnswer<null>>;
  listBanks(): Promise<ProviderAnswer<readonly Bank[]>>;
  resolveAccount(accountNumber: string, bankCode: string): Promise<ProviderAnswer<{ readonly accountName: string }>>;
  createRecipient(account: {
    readonly accountName: string;
    readonly accountNumber: string;
    readonly bankCode: string;
  }): Promise<ProviderAnswer<{ readonly recipientCode: string }>>;
  /** Orders a transfer. The answer only means that it was accepted: see `verifyTransfer`. */
  transfer(order: {
    readonly kobo: bigint;
    readonly recipientCode: string;
    readonly reference: string;
    readonly reason: string;
  }): Promise<ProviderAnswer<{ readonly status: TransferStatus }>>;
  /** Null: the provider knows no such transfer. */
  verifyTransfer(reference: string): Promise<ProviderAnswer<ProviderTransfer | null>>;
  listCharges(order: ListOrder): Promise<ProviderAnswer<Page<ProviderCharge>>>;
  listTransfers(order: ListOrder): Promise<ProviderAnswer<Page<ProviderTransfer>>>;
  /** The integration's balance in kobo. */
  loadBalance(): Promise<ProviderAnswer<bigint>>;
  /** Aborts open calls, whose outcome is unknown. */
  close(): void;
}

const BANK_PAGE_MAX = 100;
/** Ten times the number of banks, so that a circular cursor ends. */
const BANK_PAGES_MAX = 60;
const LIST_PAGE_MAX = 100;
const URL_LENGTH_MAX = 2_000;

export function openPaystack(deps: PaystackClientDeps): Paystack {
  const client = openPaystackClient(deps);
  return {
    ...openCharges(client),
    ...openRefundCalls(client),
    answerDispute: (answer) => answerDispute(client, answer),
    ...openBankCalls(client),
    ...openTransferCalls(client),
    loadBalance: () => loadBalance(client),
    close: client.close,
  };
}

/** A refusal whose message matches `missing` is an answer: there is no such payment. */
async function verify<Report extends { readonly reference: string }>(
  { askFor }: PaystackClient,
  call: ProviderCall,
  reference: string,
  parse: (data: unknown) => Report | null,
  missing: RegExp,
): Promise<ProviderAnswer<Report | null>> {
  const answer = await askFor(call, ({ data }) => {
    const report = parse(data);
    return report?.reference === reference ? report : null;
  });
  if (answer.ok || answer.refusal.type !== "refused") return answer;
  return missing.test(answer.refusal.message) ? ok(null) : answer;
}

function list<Report>(
  { askFor }: PaystackClient,
  { operation, path }: { readonly operation: string; readonly path: string },
  { from, to, page }: ListOrder,
  parse: (data: unknown) => Report | null,
): Promise<ProviderAnswer<Page<Report>>> {
  const query = new URLSearchParams({
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    perPage: String(LIST_PAGE_MAX),
    page: String(page),
  });
  return askFor<Page<Report>>({ operation, method: "GET", path: `${path}?${query}` }, ({ data, meta }) => {
    if (!Array.isArray(data)) return null;
    const items = data.map(parse).filter((report) => report !== null);
    const pageCount = parseInteger(meta.pageCount);
    const isLast = pageCount === null ? data.length < LIST_PAGE_MAX : BigInt(page) >= pageCount;
    return { items, unread: data.length - items.length, isLast };
  });
}

function openCharges(
  client: PaystackClient,
): Pick<Paystack, "initialize" | "verifyCharge" | "listCharges" | "listDisputes"> {
  return {
    initialize({ kobo, email, reference, callbackUrl }) {
      const body = { amount: String(kobo), email, reference, callback_url: callbackUrl, currency: "NGN" };
      const call = { operation: "initialize", method: "POST", path: "/transaction/initialize", body } as const;
      return client.askFor(call, ({ data }) => {
        if (!isJsonObject(data) || data.reference !== reference) return null;
        const authorizationUrl = parseText(data.authorization_url);
        return authorizationUrl !== null && isWebUrl(authorizationUrl) ? { authorizationUrl } : null;
      });
    },
    verifyCharge(reference) {
      const path = `/transaction/verify/${encodeURIComponent(reference)}`;
      const call = { operation: "verify", method: "GET", path } as const;
      return verify(client, call, reference, parseCharge, /transaction.*not found/i);
    },
    listCharges: (order) => list(client, { operation: "list_transactions", path: "/transaction" }, order, parseCharge),
    listDisputes: (order) => list(client, { operation: "list_disputes", path: "/dispute" }, order, parseDispute),
  };
}

async function answerDispute(
  { ask, askFor }: PaystackClient,
  { id, email, name, evidence }: Parameters<Paystack["answerDispute"]>[0],
): Promise<ProviderAnswer<null>> {
  const path = `/dispute/${encodeURIComponent(id)}`;
  const facts = { customer_email: email, customer_name: name, customer_phone: "", service_details: evidence };
  const added = await askFor(
    { operation: "dispute_evidence", method: "POST", path: `${path}/evidence`, body: facts },
    ({ data }) => (isJsonObject(data) ? parseInteger(data.id) : null),
  );
  if (!added.ok) return added;
  const body = {
    resolution: "declined",
    message: evidence,
    refund_amount: 0,
    uploaded_filename: "",
    evidence: String(added.value),
  };
  const resolved = await ask({ operation: "resolve_dispute", method: "PUT", path: `${path}/resolve`, body });
  return resolved.ok ? ok(null) : resolved;
}

function isWebUrl(text: string): boolean {
  return text.length <= URL_LENGTH_MAX && /^https?:\/\//.test(text);
}

function openRefundCalls(client: PaystackClient): Pick<Paystack, "refund" | "listRefunds" | "listAllRefunds"> {
  const { ask, askFor } = client;
  return {
    listAllRefunds: (order) => list(client, { operation: "list_refunds", path: "/refund" }, order, parseListedRefund),
    async refund(reference, kobo) {
      const body = { transaction: reference, ...(kobo === null ? {} : { amount: String(kobo) }) };
      const answer = await ask({ operation: "refund", method: "POST", path: "/refund", body });
      return answer.ok ? ok(null) : answer;
    },
    listRefunds(charge) {
      // The provider has changed which of the two names it reads, and ignores the other.
      const query = new URLSearchParams({
        transaction: charge.id,
        reference: charge.reference,
        perPage: String(LIST_PAGE_MAX),
      });
      const call = { operation: "list_refunds", method: "GET", path: `/refund?${query}` } as const;
      return askFor(call, ({ data }) =>
        Array.isArray(data) ? data.map((item) => parseRefund(item, charge)).filter((refund) => refund !== null) : null,
      );
    },
  };
}

function openBankCalls(client: PaystackClient): Pick<Paystack, "listBanks" | "resolveAccount" | "createRecipient"> {
  return {
    listBanks: () => listBanks(client),
    resolveAccount(accountNumber, bankCode) {
      const query = new URLSearchParams({ account_number: accountNumber, bank_code: bankCode });
      const call = { operation: "resolve", method: "GET", path: `/bank/resolve?${query}` } as const;
      return client.askFor(call, ({ data }) => {
        if (!isJsonObject(data) || data.account_number !== accountNumber) return null;
        const accountName = parseText(data.account_name);
        return accountName === null ? null : { accountName };
      });
    },
    createRecipient({ accountName, accountNumber, bankCode }) {
      const account = { account_number: accountNumber, bank_code: bankCode };
      const body = { type: "nuban", name: accountName, ...account, currency: "NGN" };
      const call = { operation: "create_recipient", method: "POST", path: "/transferrecipient", body } as const;
      return client.askFor(call, ({ data }) => {
        if (!isJsonObject(data)) return null;
        const details = isJsonObject(data.details) ? data.details : {};
        const recipientCode = parseText(data.recipient_code);
        // A recipient of another account would send the money there.
        const isSame = details.account_number === accountNumber && details.bank_code === bankCode;
        return recipientCode !== null && isSame ? { recipientCode } : null;
      });
    },
  };
}

async function listBanks({ askFor }: PaystackClient): Promise<ProviderAnswer<readonly Bank[]>> {
  const banks: Bank[] = [];
  let next: string | null = null;
  for (let page = 0; page < BANK_PAGES_MAX; page += 1) {
    const query = new URLSearchParams({ country: "nigeria", perPage: String(BANK_PAGE_MAX), use_cursor: "true" });
    if (next !== null) query.set("next", next);
    const answer = await askFor({ operation: "list_banks", method: "GET", path: `/bank?${query}` }, ({ data, meta }) =>
      Array.isArray(data) ? { items: data as readonly Json[], meta } : null,
    );
    if (!answer.ok) return answer;
    banks.push(...answer.value.items.flatMap(parseBank));
    next = parseText(answer.value.meta.next);
    if (next === null) return ok(banks);
  }
  return unknown("the list of banks does not end");
}

function parseBank(item: Json): readonly Bank[] {
  if (!isJsonObject(item) || item.active === false || item.is_deleted === true) return [];
  const [code, name] = [parseText(item.code), parseText(item.name)];
  return code === null || name === null ? [] : [{ code, name }];
}

function openTransferCalls(client: PaystackClient): Pick<Paystack, "transfer" | "verifyTransfer" | "listTransfers"> {
  return {
    transfer({ kobo, recipientCode, reference, reason }) {
      const body = { source: "balance", amount: Number(kobo), recipient: recipientCode, reference, reason };
      return client.askFor({ operation: "transfer", method: "POST", path: "/transfer", body }, ({ data }) => {
        const transfer = parseTransfer(data);
        return transfer?.reference === reference ? { status: transfer.status } : null;
      });
    },
    verifyTransfer(reference) {
      const path = `/transfer/verify/${encodeURIComponent(reference)}`;
      const call = { operation: "verify_transfer", method: "GET", path } as const;
      return verify(client, call, reference, parseTransfer, /transfer.*not found/i);
    },
    listTransfers: (order) => list(client, { operation: "list_transfers", path: "/transfer" }, order, parseTransfer),
  };
}

function loadBalance({ askFor }: PaystackClient): Promise<ProviderAnswer<bigint>> {
  return askFor({ operation: "balance", method: "GET", path: "/balance" }, ({ data }) => {
    if (!Array.isArray(data)) return null;
    const naira = data.find((balance) => isJsonObject(balance) && balance.currency === "NGN");
    return isJsonObject(naira) ? parseInteger(naira.balance) : null;
  });
}
