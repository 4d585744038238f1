import type { SavedAccountView } from "@holo/protocol/payments.ts";

/** Digits of a Nigerian account number (specification 5). */
const ACCOUNT_DIGITS = 10;

export interface AccountDraft {
  readonly bankCode: string;
  readonly accountNumber: string;
}

/** The account holder as the bank names them. */
export interface VerifiedAccount {
  readonly accountName: string;
  /** Whether money went there before: no password needed then (ruling 12). */
  readonly isKnown: boolean;
}

export const EMPTY_DRAFT: AccountDraft = { bankCode: "", accountNumber: "" };

/** A saved account counts as verified. */
export function toKnown({ accountName }: SavedAccountView): VerifiedAccount {
  return { accountName, isKnown: true };
}

/** Digits of an account number, without separators and cut to the maximum length. */
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
