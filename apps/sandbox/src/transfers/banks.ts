import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { type Answer, answer, invalid, refusal } from "../http/answer.ts";
import type { JsonObject } from "../http/json.ts";
import type { Provider } from "../state/provider.ts";

interface Bank {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly isActive: boolean;
  readonly isDeleted: boolean;
}

const NAMES: readonly (readonly [code: string, name: string, end?: "inactive" | "deleted"])[] = [
  ["044", "Access Bank"],
  ["063", "Access Bank (Diamond)"],
  ["035A", "ALAT by WEMA"],
  ["50931", "Bowen Microfinance Bank"],
  ["565", "Carbon"],
  ["023", "Citibank Nigeria"],
  ["050", "Ecobank Nigeria"],
  ["562", "Ekondo Microfinance Bank"],
  ["070", "Fidelity Bank"],
  ["011", "First Bank of Nigeria"],
  ["214", "First City Monument Bank"],
  ["00103", "Globus Bank"],
  ["058", "Guaranty Trust Bank"],
  ["030", "Heritage Bank", "inactive"],
  ["301", "Jaiz Bank"],
  ["082", "Keystone Bank"],
  ["50211", "Kuda Bank"],
  ["50515", "Moniepoint MFB"],
  ["999992", "OPay Digital Services Limited (OPay)"],
  ["999991", "PalmPay"],
  ["104", "Parallex Bank"],
  ["076", "Polaris Bank"],
  ["101", "Providus Bank"],
  ["125", "Rubies MFB"],
  ["039", "Skye Bank", "deleted"],
  ["51310", "Sparkle Microfinance Bank"],
  ["221", "Stanbic IBTC Bank"],
  ["068", "Standard Chartered Bank"],
  ["232", "Sterling Bank"],
  ["100", "Suntrust Bank"],
  ["302", "TAJ Bank"],
  ["001", "Test Bank"],
  ["102", "Titan Bank"],
  ["032", "Union Bank of Nigeria"],
  ["033", "United Bank For Africa"],
  ["215", "Unity Bank"],
  ["566", "VFD Microfinance Bank Limited"],
  ["035", "Wema Bank"],
  ["057", "Zenith Bank"],
];

const BANKS: readonly Bank[] = NAMES.map(([code, name, end], index) => ({
  id: index + 1,
  code,
  name,
  isActive: end === undefined,
  isDeleted: end === "deleted",
}));

function toBankView(bank: Bank): JsonObject {
  return {
    id: bank.id,
    name: bank.name,
    slug: bank.name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, ""),
    code: bank.code,
    longcode: bank.code.length === 3 ? `${bank.code}150000` : "",
    gateway: null,
    pay_with_bank: false,
    supports_transfer: true,
    active: bank.isActive,
    is_deleted: bank.isDeleted,
    country: "Nigeria",
    currency: "NGN",
    type: "nuban",
    createdAt: "2016-07-14T10:04:29.000Z",
    updatedAt: "2020-02-18T08:06:44.000Z",
  };
}

function formatCursor(bank: Bank | undefined): string | null {
  return bank === undefined ? null : btoa(`bank:${bank.id}`);
}

function findCursor(cursor: string): number {
  return BANKS.findIndex((bank) => formatCursor(bank) === cursor);
}

export function listBanks({ state }: Provider, query: URLSearchParams): Answer {
  const country = query.get("country") ?? "nigeria";
  if (country !== "nigeria") return invalid("Country is invalid", "Ask for nigeria");
  if (query.get("use_cursor") !== "true") return answer("Banks retrieved", BANKS.map(toBankView));
  const asked = Number(query.get("perPage") ?? 50);
  const perPage = Math.min(Number.isSafeInteger(asked) && asked > 0 ? asked : 50, state.settings.banksPerPageMax);
  const cursor = query.get("next") ?? query.get("previous");
  const at = cursor === null ? 0 : findCursor(cursor);
  if (at < 0) return invalid("Cursor is invalid", "Send the cursor of an answer");
  const from = query.has("previous") ? Math.max(0, at - perPage) : at;
  return answer("Banks retrieved", BANKS.slice(from, from + perPage).map(toBankView), {
    next: formatCursor(BANKS[from + perPage]),
    previous: from === 0 ? null : formatCursor(BANKS[from]),
    perPage,
  });
}

const FIRST_NAMES = ["ADAEZE", "BABAJIDE", "CHIDI", "DAMILOLA", "EFE", "FOLAKE", "GBENGA", "HAUWA", "IBRAHIM", "KEMI"];
const LAST_NAMES = ["OKAFOR", "ADEYEMI", "BELLO", "EZE", "LAWAL", "NWOSU", "OGUNLEYE", "SANI", "UDOH", "YUSUF"];

const UNKNOWN_ENDING = "9009";

export function findAccountName(accountNumber: string): string | null {
  if (accountNumber.endsWith(UNKNOWN_ENDING)) return null;
  const digit = (index: number): number => Number(accountNumber[index]);
  return `${LAST_NAMES[digit(8)]} ${FIRST_NAMES[digit(9)]}`;
}

interface Account {
  readonly accountNumber: string;
  readonly bank: Bank;
}

/** The account that was sent, existing or not; or what is wrong with it. */
export function parseAccount(accountNumber: unknown, bankCode: unknown): Result<Account, Answer> {
  if (typeof accountNumber !== "string" || accountNumber === "") {
    return refuse(invalid("Account number is required", "Send account_number"));
  }
  if (!/^\d+$/.test(accountNumber)) return refuse(invalid("Account number should be numeric", "Send digits alone"));
  if (accountNumber.length !== 10) {
    return refuse(
      refusal(400, "Account number is invalid", "invalid_account_number", "Send the ten digits of a NUBAN"),
    );
  }
  if (typeof bankCode !== "string" || bankCode === "")
    return refuse(invalid("bank_code is required", "Send bank_code"));
  const bank = BANKS.find(({ code, isActive }) => code === bankCode && isActive);
  if (bank === undefined) {
    return refuse(refusal(400, "Unknown bank code", "invalid_bank_code", "Take a code from the list of banks"));
  }
  return ok({ accountNumber, bank });
}

export function resolveAccount(query: URLSearchParams): Answer {
  const account = parseAccount(query.get("account_number"), query.get("bank_code"));
  if (!account.ok) return account.refusal;
  const { accountNumber, bank } = account.value;
  const accountName = findAccountName(accountNumber);
  if (accountName === null) {
    return refusal(
      422,
      "Could not resolve account name. Check parameters or try again.",
      "invalid_bank_code",
      "Look at the number and the bank",
    );
  }
  return answer("Account number resolved", {
    account_number: accountNumber,
    account_name: accountName,
    bank_id: bank.id,
  });
}
