import type { SavedAccountView } from "@holo/protocol/payments.ts";
import { useState } from "react";
import { type AccountDraft, EMPTY_DRAFT, toKnown, type VerifiedAccount } from "./bank-account.ts";

/** Where money is to go as it is being chosen, to begin with the first of the accounts that it went to before. */
export function useBankAccount(accounts: readonly SavedAccountView[], onChanged: () => void) {
  const [draft, setDraft] = useState<AccountDraft>(accounts[0] ?? EMPTY_DRAFT);
  const [verified, setVerified] = useState(accounts[0] === undefined ? null : toKnown(accounts[0]));

  function onChange(next: AccountDraft, known: VerifiedAccount | null) {
    setDraft(next);
    setVerified(known);
    onChanged();
  }

  return {
    /** What the wire wants of it. */
    account: { accountNumber: draft.accountNumber, bankCode: draft.bankCode },
    verified,
    /** What to give its fields. */
    fields: { accounts, draft, verified, onChange },
  };
}
