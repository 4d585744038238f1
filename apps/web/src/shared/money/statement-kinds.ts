import type { StatementKind } from "@holo/protocol/statement-kinds.ts";

/** Texts for the ledger entries of a player's wallet. */
export const STATEMENT_KIND_NAMES: Readonly<Record<StatementKind, string>> = {
  deposit: "Deposit",
  deposit_reversal: "Deposit taken back",
  deposit_return: "Deposit given back",
  deposit_sent_back: "Deposit sent back",
  debt_repayment: "Debt repaid",
  stake: "Paid in to play",
  refund: "Paid back",
  win: "Won",
  draw: "Draw",
  withdrawal_hold: "Withdrawal",
  withdrawal_return: "Withdrawal returned",
  closing_remainder: "Less than a kobo, left at closing",
  opening: "Opening balance",
};
