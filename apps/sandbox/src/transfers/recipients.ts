import { type Answer, invalid, refusal } from "../http/answer.ts";
import type { JsonObject } from "../http/json.ts";
import { formatInstant, INTEGRATION, makeCode, type Provider } from "../state/provider.ts";
import { type Recipient, type State, takeId } from "../state/state.ts";
import { findAccountName, parseAccount } from "./banks.ts";

export function toRecipientView(recipient: Recipient, domain: string): JsonObject {
  const createdAt = formatInstant(recipient.createdAt);
  return {
    id: recipient.id,
    active: true,
    createdAt,
    currency: "NGN",
    description: null,
    domain,
    email: null,
    integration: INTEGRATION,
    metadata: null,
    name: recipient.name,
    recipient_code: recipient.code,
    type: "nuban",
    updatedAt: createdAt,
    is_deleted: false,
    isDeleted: false,
    details: {
      authorization_code: null,
      account_number: recipient.accountNumber,
      account_name: recipient.accountName,
      bank_code: recipient.bankCode,
      bank_name: recipient.bankName,
    },
  };
}

function findRecipient(state: State, accountNumber: string, bankCode: string): Recipient | undefined {
  return [...state.recipients.values()].find(
    (recipient) => recipient.accountNumber === accountNumber && recipient.bankCode === bankCode,
  );
}

/** POST /transferrecipient: an account has one recipient, under any name. */
export function createRecipient({ state, clock, domain }: Provider, body: JsonObject): Answer {
  if (body.type !== "nuban") return invalid("Type is invalid", "Send nuban");
  if (typeof body.name !== "string" || body.name === "") return invalid("Name is required", "Send the payee's name");
  if (body.currency !== undefined && body.currency !== "NGN") return invalid("Currency is invalid", "Send NGN");
  const account = parseAccount(body.account_number, body.bank_code);
  if (!account.ok) return account.refusal;
  const { accountNumber, bank } = account.value;
  const accountName = findAccountName(accountNumber);
  if (accountName === null) {
    return refusal(400, "Cannot resolve account", "invalid_account_number", "Look at the number and the bank");
  }
  const known = findRecipient(state, accountNumber, bank.code);
  const recipient: Recipient = known ?? {
    id: takeId(state),
    code: makeCode("RCP_"),
    name: body.name,
    accountNumber,
    accountName,
    bankCode: bank.code,
    bankName: bank.name,
    createdAt: clock.now(),
  };
  state.recipients.set(recipient.code, recipient);
  return {
    status: known === undefined ? 201 : 200,
    body: {
      status: true,
      message: "Transfer recipient created successfully",
      data: toRecipientView(recipient, domain),
    },
  };
}
