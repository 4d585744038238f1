import type { SavedAccountView } from "@holo/protocol/payments.ts";

/** Digits of an account number in this country (specification 5). */
const ACCOUNT_DIGITS = 10;

/** The account a player is about to name. */
export interface AccountDraft {
  readonly bankCode: string;
  readonly accountNumber: string;
}

/** What the bank says of it. */
export interface VerifiedAccount {
  readonly accountName: string;
  /** Whether money went there before: then it needs no password (ruling 12). */
  readonly isKnown: boolean;
}

export const EMPTY_DRAFT: AccountDraft = { bankCode: "", accountNumber: "" };

/** An account that money went to before needs no asking the bank again. */
export function toKnown({ accountName }: SavedAccountView): VerifiedAccount {
  return { accountName, isKnown: true };
}

/** Account numbers are often written in groups; what is not a digit is left out, and what is too long cut off. */
export function readDigits(text: string): string {
  return text.replace(/\D/g, "").slice(0, ACCOUNT_DIGITS);
}

export function isComplete({ bankCode, accountNumber }: AccountDraft): boolean {
  return bankCode !== "" && accountNumber.length === ACCOUNT_DIGITS;
}

/** `Guaranty Trust Bank ••6789, AMAKA CHIOMA OBI`. */
export function formatSavedAccount({ bankName, accountNumber, accountName }: SavedAccountView): string {
  return `${bankName} ••${accountNumber.slice(-4)}, ${accountName}`;
}
