import type { SavedAccountView } from "@holo/protocol/payments.ts";
import { useState } from "react";
import { type AccountDraft, EMPTY_DRAFT, toKnown, type VerifiedAccount } from "./bank-account.ts";

/** State of the account choice, initially the first saved account. */
export function useBankAccount(accounts: readonly SavedAccountView[], onChanged: () => void) {
  const [draft, setDraft] = useState<AccountDraft>(accounts[0] ?? EMPTY_DRAFT);
  const [verified, setVerified] = useState(accounts[0] === undefined ? null : toKnown(accounts[0]));

  function onChange(next: AccountDraft, known: VerifiedAccount | null) {
    setDraft(next);
    setVerified(known);
    onChanged();
  }

  return {
    /** The account as requests take it. */
    account: { accountNumber: draft.accountNumber, bankCode: draft.bankCode },
    verified,
    /** Props for BankAccountFields. */
    fields: { accounts, draft, verified, onChange },
  };
}
