import { z } from "zod";
import { bankAccountNumber, bankCode, coins, commandId, empty, formField, instant, kobo } from "../fields.ts";
import { savedAccount, WITHDRAWAL_REFUSALS } from "../payments/payments.ts";
import type { Route, View } from "../route.ts";

const closingObstacle = z.enum(["game_to_finish", "debts_open", "withdrawals_held", "not_settled"]);
export type ClosingObstacle = View<typeof closingObstacle>;

const closing = z.strictObject({
  /** Null: the account is not closing. */
  closingAt: instant.nullable(),
  balance: coins,
  /** What is sent to the player: the balance in whole kobo, less `feeKobo`. */
  kobo,
  /** The provider's fees for coins that were never staked (ruling 37). */
  feeKobo: kobo,
  /** It waits three days: unplayed coins from a card, for the first time (ruling 51). */
  isFirstFromCard: z.boolean(),
  /** The rest of the balance, worth less than a kobo. */
  remainder: coins,
  obstacle: closingObstacle.nullable(),
  emailVerified: z.boolean(),
  accounts: z.array(savedAccount),
});
export type ClosingView = View<typeof closing>;

export const ACCOUNT_DELETION_ROUTES = {
  closing: { method: "get", path: "/api/closing", access: "player", refusals: [], response: closing },
  /** Withdraws the whole balance and sets the account to closing (ruling 12). */
  closeAccount: {
    method: "post",
    path: "/api/closing",
    access: "player",
    refusals: [
      "second_factor_required",
      ...WITHDRAWAL_REFUSALS,
      "password_required_to_close",
      "game_to_finish",
      "not_settled_to_close",
      "balance_changed",
    ],
    body: z.strictObject({
      commandId,
      kobo,
      /** The fees that were shown; refused at others. */
      feeKobo: kobo,
      /** Null if there is nothing to send. */
      account: z.strictObject({ accountNumber: bankAccountNumber, bankCode }).nullable(),
      password: formField,
    }),
    response: closing,
  },
  /** Erases the personal data of a closed account; its games and the ledger keep a pseudonym. */
  deleteAccount: {
    method: "post",
    path: "/api/account/delete",
    access: "player",
    refusals: ["wrong_password", "account_open", "game_to_finish", "payment_under_way", "coins_left", "debts_open"],
    body: z.strictObject({ password: formField }),
    response: empty,
  },
} as const satisfies Record<string, Route>;

export const ACCOUNT_FILE_ROUTES = {
  accountExport: { method: "get", path: "/api/account/export.json", access: "player", refusals: [] },
} as const;
