/** The kinds of journal entries that touch a player's wallet or debts. */
export const STATEMENT_KINDS = [
  "deposit",
  "deposit_reversal",
  "deposit_return",
  "deposit_sent_back",
  "debt_repayment",
  "stake",
  "refund",
  "win",
  "draw",
  "withdrawal_hold",
  "withdrawal_return",
  "closing_remainder",
  "opening",
] as const;
export type StatementKind = (typeof STATEMENT_KINDS)[number];
