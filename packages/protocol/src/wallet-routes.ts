import { z } from "zod";
import { STATEMENT_KINDS } from "./payments.ts";
import { coins, commandId, field, kobo, name, payment, savedAccount, statementRow } from "./route-parts.ts";

/** The routes about a player's coins and naira, in and out; part of ROUTES (routes.ts). */
export const WALLET_ROUTES = {
  /** What has touched the viewer's wallet, newest first, 50 entries at a time: `next` asks for those before. */
  statement: {
    method: "get",
    path: "/api/statement",
    query: z.strictObject({
      before: z
        .string()
        .regex(/^\d{1,18}$/)
        .optional(),
      kind: z.enum(STATEMENT_KINDS).optional(),
    }),
    response: z.strictObject({
      rows: z.array(statementRow),
      next: z.string().nullable(),
    }),
  },
  /** The player's coins, what of them may be withdrawn, their newest payments and the accounts they withdrew to. */
  wallet: {
    method: "get",
    path: "/api/wallet",
    response: z.strictObject({
      balance: coins,
      withdrawable: coins,
      frees: z.array(z.strictObject({ at: z.int(), coins })),
      inPlay: coins,
      debts: coins,
      rateKobo: z.int(),
      feeBps: z.int(),
      payerBearsFee: z.boolean(),
      emailVerified: z.boolean(),
      depositLeft: z
        .strictObject({ period: z.enum(["day", "week", "month"]), limitKobo: z.int(), leftKobo: z.int() })
        .nullable(),
      payments: z.array(payment),
      accounts: z.array(savedAccount),
    }),
  },
  /** Begins a deposit; the player pays at the address answered. The same command gets the same answer. */
  deposit: {
    method: "post",
    path: "/api/deposits",
    body: z.strictObject({
      commandId,
      kobo,
      /** What the player was shown that they would pay in all; left out: `kobo` alone. */
      payKobo: kobo.optional(),
      /** The rate that they were shown: at another one nothing is begun. */
      rateKobo: z.int(),
    }),
    response: z.strictObject({ payment, authorizationUrl: z.string() }),
  },
  /** Where a deposit of one's own is paid that nobody has paid yet: the checkout that it had from the first. */
  reopenDeposit: {
    method: "post",
    path: "/api/deposits/reopen",
    body: z.strictObject({ reference: name(100) }),
    response: z.strictObject({ payment, authorizationUrl: z.string() }),
  },
  /** Asks what became of a deposit of one's own, on the way back from where it is paid. */
  checkDeposit: {
    method: "post",
    path: "/api/deposits/check",
    body: z.strictObject({ reference: name(100) }),
    response: payment,
  },
  /** The banks that can be paid to; empty where they are not known at the moment. */
  banks: {
    method: "get",
    path: "/api/banks",
    response: z.strictObject({ banks: z.array(z.strictObject({ code: z.string(), name: z.string() })) }),
  },
  /** Asks whose account this is. Known is one that was withdrawn to before: it needs no password. */
  verifyAccount: {
    method: "post",
    path: "/api/accounts/verify",
    body: z.strictObject({ accountNumber: z.string().max(40), bankCode: z.string().max(20) }),
    response: z.strictObject({ accountName: z.string(), isKnown: z.boolean() }),
  },
  /** Takes coins and sends naira for them. The same command gets the same payment. */
  withdraw: {
    method: "post",
    path: "/api/withdrawals",
    body: z.strictObject({
      commandId,
      kobo,
      accountNumber: z.string().max(40),
      bankCode: z.string().max(20),
      password: field.optional(),
      /** The rate that the player was shown: at another one nothing is taken. */
      rateKobo: z.int(),
    }),
    response: payment,
  },
} as const;
