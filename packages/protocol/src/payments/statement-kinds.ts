import type { ChangeRounding } from "@holo/kernel/money.ts";

export const STATEMENT_KINDS = [
  "deposit",
  "deposit_taken",
  "debt_repayment",
  "stake",
  "refund",
  "win",
  "draw",
  "withdrawal",
  "withdrawal_return",
  "correction",
  "closing_remainder",
  "forfeit",
  "forfeit_return",
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
  deposit_taken: "Deposit taken back",
  debt_repayment: "Debt repaid",
  stake: "Match entry",
  refund: "Entry refunded",
  win: "Won",
  draw: "Draw",
  withdrawal: "Withdrawal",
  withdrawal_return: "Withdrawal returned",
  correction: "Correction",
  closing_remainder: "Rounding at closing",
  forfeit: "Given back after a fair play check",
  forfeit_return: "Returned after your appeal",
  opening: "Opening balance",
};
