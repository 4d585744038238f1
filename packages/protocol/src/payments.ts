import type { CoinsText } from "./games.ts";

/** The kinds of the ledger's entries that touch a player's wallet or debts. */
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

/** One entry of a player's statement. */
export interface StatementRowView {
  /** Digits; grows from entry to entry. */
  readonly id: string;
  /** ms since 1970. */
  readonly at: number;
  readonly kind: StatementKind;
  /** What the wallet gained; negative where it gave, 0 where all of it was owed. */
  readonly amount: CoinsText;
  readonly balanceAfter: CoinsText;
  /** By how much more the player owes since; negative where a debt was repaid. */
  readonly debtChange: CoinsText;
  readonly gameId: string | null;
  readonly paymentId: string | null;
  /** Under which the provider knows the payment. */
  readonly reference: string | null;
}

/** What became of a payment (ruling 11). `pending` money out waits for somebody of the house; `review`: so does money in. */
export type PaymentStatus = "pending" | "processing" | "completed" | "failed" | "reversed" | "abandoned" | "review";

/** A payment as its own player sees it, or the CEO the platform's. */
export interface PaymentView {
  readonly id: string;
  /** `revenue`: the platform's earnings on their way out. */
  readonly kind: "deposit" | "withdrawal" | "revenue";
  readonly status: PaymentStatus;
  readonly kobo: number;
  /** What a deposit's payer pays beside it, for the provider's fee; 0 where that is ours. */
  readonly payerFeeKobo: number;
  /** What it gives or takes. */
  readonly coins: CoinsText;
  /** Under which the provider knows it. */
  readonly reference: string;
  /** ms since 1970. */
  readonly createdAt: number;
  readonly completedAt: number | null;
  /** Why it is as it is, in words for the player; null where there is nothing to say. */
  readonly reason: string | null;
  /** Where a withdrawal goes to. */
  readonly account: { readonly bankName: string; readonly accountName: string; readonly lastDigits: string } | null;
  /** By when money that is on its way out is to have arrived. */
  readonly expectedAt: number | null;
  /** Whether a deposit waits to be paid where it was begun. */
  readonly isPayable: boolean;
}

/** A bank account that was withdrawn to before. */
export interface SavedAccountView {
  readonly bankCode: string;
  readonly bankName: string;
  readonly accountNumber: string;
  readonly accountName: string;
}

/** Of a player's limits on deposits the one that leaves least. */
export interface DepositLeftView {
  readonly period: "day" | "week" | "month";
  readonly limitKobo: number;
  readonly leftKobo: number;
}

export interface WalletView {
  readonly balance: CoinsText;
  /** Of the balance, what can be withdrawn now (ruling 8). */
  readonly withdrawable: CoinsText;
  /** When what of the rest becomes free, soonest first. */
  readonly frees: readonly { readonly at: number; readonly coins: CoinsText }[];
  /** Staked in the player's open game. */
  readonly inPlay: CoinsText;
  /** Owed from deposits that were taken back. */
  readonly debts: CoinsText;
  readonly rateKobo: number;
  readonly feeBps: number;
  /** Whether the provider's fee is added to what a deposit costs. */
  readonly payerBearsFee: boolean;
  readonly emailVerified: boolean;
  /** What may still be deposited now; null where the player has set no limit. */
  readonly depositLeft: DepositLeftView | null;
  /** The newest 20. */
  readonly payments: readonly PaymentView[];
  readonly accounts: readonly SavedAccountView[];
}

/** What keeps an account from being closed now. */
export const CLOSING_OBSTACLES = ["game_to_finish", "debts_open", "not_settled"] as const;
export type ClosingObstacle = (typeof CLOSING_OBSTACLES)[number];

/** What closing the account comes to now. */
export interface ClosingView {
  /** ms since 1970; null: the account is not closing. */
  readonly closingAt: number | null;
  readonly balance: CoinsText;
  /** All of the balance that is a whole kobo: what is sent. */
  readonly kobo: number;
  /** What is left of the balance, worth less than a kobo. */
  readonly remainder: CoinsText;
  readonly obstacle: ClosingObstacle | null;
  readonly emailVerified: boolean;
  readonly accounts: readonly SavedAccountView[];
}
