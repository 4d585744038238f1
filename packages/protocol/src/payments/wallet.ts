import { z } from "zod";
import { coins, cursor, gameId, instant, kobo, paymentId, whole } from "../fields.ts";
import { settings } from "../platform.ts";
import type { Route, View } from "../route.ts";
import { payment, savedAccount } from "./payments.ts";
import { STATEMENT_KINDS } from "./statement-kinds.ts";

const statementRow = z.strictObject({
  /** Digits; grows from row to row. */
  id: z.string(),
  at: instant,
  kind: z.enum(STATEMENT_KINDS),
  /** The wallet's gain; negative for a debit, 0 if all of it repaid a debt. */
  amount: coins,
  balanceAfter: coins,
  /** Change of what the player owes; negative where a debt was repaid. */
  debtChange: coins,
  gameId: gameId.nullable(),
  /** The opponent's username; null without a game, and for one that no one joined. */
  opponent: z.string().nullable(),
  reference: z.string().nullable(),
});
export type StatementRowView = View<typeof statementRow>;

/** Newest first; `next` is the cursor of the following page. */
export const statementPage = z.strictObject({ rows: z.array(statementRow), next: z.string().nullable() });

const depositLeft = z.strictObject({ period: z.enum(["day", "week", "month"]), limitKobo: kobo, leftKobo: kobo });
export type DepositLeftView = View<typeof depositLeft>;

export const wallet = z.strictObject({
  balance: coins,
  /** The part of the balance that can be withdrawn now (ruling 8). */
  withdrawable: coins,
  /** When the rest becomes withdrawable, earliest first. */
  frees: z.array(z.strictObject({ at: instant, coins })),
  /**
   * Deposits with coins that were never staked, oldest first (ruling 37): the remaining coins, all
   * credited coins, the provider's charge, and the exchange rate of the credit.
   */
  unplayed: z.array(
    z.strictObject({
      paymentId,
      coins,
      creditedCoins: coins,
      feeKobo: kobo,
      rateKobo: whole,
      /** Paid by card: the first withdrawal of such coins waits (ruling 51). */
      isCard: z.boolean(),
    }),
  ),
  /** No withdrawal of unplayed coins from a card has been paid yet. */
  isFirstFromCard: z.boolean(),
  /** The buy-in of the player's open game. */
  inPlay: coins,
  debts: coins,
  ...settings.shape,
  /** Whether the provider's fee is added to what a deposit costs. */
  payerBearsFee: z.boolean(),
  emailVerified: z.boolean(),
  depositLeft: depositLeft.nullable(),
  payments: z.array(payment),
  accounts: z.array(savedAccount),
});
export type WalletView = View<typeof wallet>;

export const WALLET_ROUTES = {
  /** 50 rows at a time. */
  statement: {
    method: "get",
    path: "/api/statement",
    access: "player",
    refusals: [],
    query: z.strictObject({ before: cursor.optional(), kind: z.enum(STATEMENT_KINDS).optional() }),
    response: statementPage,
  },
  wallet: { method: "get", path: "/api/wallet", access: "player", refusals: [], response: wallet },
} as const satisfies Record<string, Route>;

export const WALLET_FILE_ROUTES = {
  statementFile: { method: "get", path: "/api/statement.csv", access: "player", refusals: [] },
} as const;
