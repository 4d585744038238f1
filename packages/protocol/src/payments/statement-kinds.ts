import type { ChangeRounding } from "@holo/kernel/money.ts";

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
  "withdrawal_fee",
  "withdrawal_return",
  "withdrawal_fee_return",
  "closing_remainder",
  "opening",
] as const;
export type StatementKind = (typeof STATEMENT_KINDS)[number];

/** Entries of a game round like the price that its players saw. */
export function toChangeRounding(kind: StatementKind): ChangeRounding {
  return kind === "stake" || kind === "refund" ? "price" : "balance";
}

/** The name of each kind, in the statement, its CSV file and the staff's view. */
export const STATEMENT_KIND_NAMES: Readonly<Record<StatementKind, string>> = {
  deposit: "Deposit",
  deposit_reversal: "Deposit reversed",
  deposit_return: "Deposit restored",
  deposit_sent_back: "Deposit refunded",
  debt_repayment: "Debt repaid",
  stake: "Match entry",
  refund: "Entry refunded",
  win: "Won",
  draw: "Draw",
  withdrawal_hold: "Withdrawal",
  withdrawal_fee: "Withdrawal fee",
  withdrawal_return: "Withdrawal returned",
  withdrawal_fee_return: "Withdrawal fee returned",
  closing_remainder: "Rounding at closing",
  opening: "Opening balance",
};
