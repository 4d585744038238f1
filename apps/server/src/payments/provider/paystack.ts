import { ok } from "@holo/kernel/result.ts";
import { isJsonObject, type Json, parseInteger, parseText } from "./json.ts";
import {
  openPaystackClient,
  type PaystackClientDeps,
  type ProviderAnswer,
  type ProviderCall,
  unknown,
} from "./paystack-client.ts";
import {
  type ProviderCharge,
  type ProviderRefund,
  type ProviderTransfer,
  parseCharge,
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
  /** What was listed and could not be understood. */
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

/** The provider: its calls, one by one. Whatever the provider does comes back as an answer; nothing is thrown. */
export interface Paystack {
  initialize(order: {
    readonly kobo: bigint;
    readonly email: string;
    readonly reference: string;
    readonly callbackUrl: string;
  }): Promise<ProviderAnswer<{ readonly authorizationUrl: string }>>;
  /** Null: the provider knows no such charge. */
  verifyCharge(reference: string): Promise<ProviderAnswer<ProviderCharge | null>>;
  /** Sends back all that was paid; what becomes of it is told later. */
  refund(reference: string): Promise<ProviderAnswer<null>>;
  /** Every refund of this charge that the provider knows, whatever became of it. */
  listRefunds(charge: Pick<ProviderCharge, "id" | "reference">): Promise<ProviderAnswer<readonly ProviderRefund[]>>;
  listBanks(): Promise<ProviderAnswer<readonly Bank[]>>;
  resolveAccount(accountNumber: string, bankCode: string): Promise<ProviderAnswer<{ readonly accountName: string }>>;
  createRecipient(account: {
    readonly accountName: string;
    readonly accountNumber: string;
    readonly bankCode: string;
  }): Promise<ProviderAnswer<{ readonly recipientCode: string }>>;
  /** Sends money. Its answer says that the order was taken, and never that the money arrived: ask `verifyTransfer`. */
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
  /** What the provider holds for us, in kobo. */
  loadBalance(): Promise<ProviderAnswer<bigint>>;
  /** Cuts what is under way off; its outcome is unknown. */
  close(): void;
}

const BANKS_PER_PAGE = 100;
/** Ten times the banks there are: a cursor that leads in a circle ends. */
const BANK_PAGES_MAX = 60;
const LISTED_PER_PAGE = 100;
const URL_LENGTH_MAX = 2_000;

export function openPaystack(options: PaystackClientDeps): Paystack {
  const { ask, askFor, close } = openPaystackClient(options);

  /** What is not there is an answer to who asks for it; only a sentence that says so of this very kind of thing counts. */
  async function verify<Word extends { readonly reference: string }>(
    asked: ProviderCall,
    reference: string,
    read: (data: unknown) => Word | null,
    missing: RegExp,
  ): Promise<ProviderAnswer<Word | null>> {
    const answer = await askFor(asked, ({ data }) => {
      const word = read(data);
      return word?.reference === reference ? word : null;
    });
    if (answer.ok || answer.refusal.type !== "refused") return answer;
    return missing.test(answer.refusal.message) ? ok(null) : answer;
  }

  function list<Word>(
    operation: string,
    path: string,
    { from, to, page }: ListOrder,
    read: (data: unknown) => Word | null,
  ) {
    const query = new URLSearchParams({
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      perPage: String(LISTED_PER_PAGE),
      page: String(page),
    });
    return askFor<Page<Word>>({ operation, method: "GET", path: `${path}?${query}` }, ({ data, meta }) => {
      if (!Array.isArray(data)) return null;
      const items = data.map(read).filter((word) => word !== null);
      const pageCount = parseInteger(meta.pageCount);
      const isLast = pageCount === null ? data.length < LISTED_PER_PAGE : BigInt(page) >= pageCount;
      return { items, unread: data.length - items.length, isLast };
    });
  }

  async function listBanks(): Promise<ProviderAnswer<readonly Bank[]>> {
    const banks: Bank[] = [];
    let next: string | null = null;
    for (let page = 0; page < BANK_PAGES_MAX; page += 1) {
      const query = new URLSearchParams({ country: "nigeria", perPage: String(BANKS_PER_PAGE), use_cursor: "true" });
      if (next !== null) query.set("next", next);
      const told = await askFor({ operation: "list_banks", method: "GET", path: `/bank?${query}` }, (answer) =>
        Array.isArray(answer.data) ? { listed: answer.data as readonly Json[], meta: answer.meta } : null,
      );
      if (!told.ok) return told;
      banks.push(...told.value.listed.flatMap(toBank));
      next = parseText(told.value.meta.next);
      if (next === null) return ok(banks);
    }
    return unknown("the list of banks does not end");
  }

  return {
    initialize: ({ kobo, email, reference, callbackUrl }) =>
      askFor(
        {
          operation: "initialize",
          method: "POST",
          path: "/transaction/initialize",
          body: { amount: String(kobo), email, reference, callback_url: callbackUrl, currency: "NGN" },
        },
        ({ data }) => {
          const authorizationUrl = isJsonObject(data) ? parseText(data.authorization_url) : null;
          const isSound =
            authorizationUrl !== null &&
            authorizationUrl.length <= URL_LENGTH_MAX &&
            /^https?:\/\//.test(authorizationUrl) &&
            isJsonObject(data) &&
            data.reference === reference;
          return isSound ? { authorizationUrl } : null;
        },
      ),
    verifyCharge: (reference) =>
      verify(
        { operation: "verify", method: "GET", path: `/transaction/verify/${encodeURIComponent(reference)}` },
        reference,
        parseCharge,
        /transaction.*not found/i,
      ),
    async refund(reference) {
      const told = await ask({
        operation: "refund",
        method: "POST",
        path: "/refund",
        body: { transaction: reference },
      });
      return told.ok ? ok(null) : told;
    },
    listRefunds(charge) {
      // By either name: which of them the provider goes by has changed, and it passes over what it does not know.
      const query = new URLSearchParams({
        transaction: charge.id,
        reference: charge.reference,
        perPage: String(LISTED_PER_PAGE),
      });
      return askFor({ operation: "list_refunds", method: "GET", path: `/refund?${query}` }, ({ data }) =>
        Array.isArray(data) ? data.map((listed) => parseRefund(listed, charge)).filter((word) => word !== null) : null,
      );
    },
    listBanks,
    resolveAccount(accountNumber, bankCode) {
      const query = new URLSearchParams({ account_number: accountNumber, bank_code: bankCode });
      return askFor({ operation: "resolve", method: "GET", path: `/bank/resolve?${query}` }, ({ data }) => {
        if (!isJsonObject(data) || data.account_number !== accountNumber) return null;
        const accountName = parseText(data.account_name);
        return accountName === null ? null : { accountName };
      });
    },
    createRecipient: ({ accountName, accountNumber, bankCode }) =>
      askFor(
        {
          operation: "create_recipient",
          method: "POST",
          path: "/transferrecipient",
          body: {
            type: "nuban",
            name: accountName,
            account_number: accountNumber,
            bank_code: bankCode,
            currency: "NGN",
          },
        },
        ({ data }) => {
          const details = isJsonObject(data) && isJsonObject(data.details) ? data.details : {};
          const recipientCode = isJsonObject(data) ? parseText(data.recipient_code) : null;
          // A recipient that pays another account would send the money there.
          const isOther = details.account_number !== accountNumber || details.bank_code !== bankCode;
          return recipientCode === null || isOther ? null : { recipientCode };
        },
      ),
    transfer: ({ kobo, recipientCode, reference, reason }) =>
      askFor(
        {
          operation: "transfer",
          method: "POST",
          path: "/transfer",
          body: { source: "balance", amount: Number(kobo), recipient: recipientCode, reference, reason },
        },
        ({ data }) => {
          const word = parseTransfer(data);
          return word?.reference === reference ? { status: word.status } : null;
        },
      ),
    verifyTransfer: (reference) =>
      verify(
        { operation: "verify_transfer", method: "GET", path: `/transfer/verify/${encodeURIComponent(reference)}` },
        reference,
        parseTransfer,
        /transfer.*not found/i,
      ),
    listCharges: (order) => list("list_transactions", "/transaction", order, parseCharge),
    listTransfers: (order) => list("list_transfers", "/transfer", order, parseTransfer),
    loadBalance: () =>
      askFor({ operation: "balance", method: "GET", path: "/balance" }, ({ data }) => {
        if (!Array.isArray(data)) return null;
        const naira = data.find((balance) => isJsonObject(balance) && balance.currency === "NGN");
        return isJsonObject(naira) ? parseInteger(naira.balance) : null;
      }),
    close,
  };
}

function toBank(listed: Json): readonly Bank[] {
  if (!isJsonObject(listed) || listed.active === false || listed.is_deleted === true) return [];
  const [code, name] = [parseText(listed.code), parseText(listed.name)];
  return code === null || name === null ? [] : [{ code, name }];
}
