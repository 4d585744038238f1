import { GAME_TYPES } from "@holo/rules/rules.ts";
import { z } from "zod";
import { STATEMENT_KINDS } from "./payments.ts";

/** Text by which something is looked up, of at most so many UTF-16 units: without the one character that no column of text takes. */
export function name(unitsMax: number) {
  return z
    .string()
    .max(unitsMax)
    .refine((text) => !text.includes("\0"));
}

/** What routes are made of, the admins' own as well. */
export const coins = z.string().regex(/^-?\d{1,16}$/);
export const playerId = z.string().regex(/^[A-Za-z0-9_-]{8,36}$/);
export const commandId = z.string().regex(/^[A-Za-z0-9_-]{8,36}$/);
/** As tables are kept by it: PostgreSQL prints ids in lower case. */
export const gameId = z.uuid().toLowerCase();
/** A whole number that JSON carries exactly; how much it has to be is the payments' to say, with their own texts. */
export const kobo = z.int();

/** Lengths only bound the input; what a username or password has to be is the accounts' to say, with their own texts. */
export const field = name(320);

export const maintenance = z.strictObject({ text: z.string(), sinceAt: z.int() });
export const player = z.strictObject({ id: z.string(), username: z.string() });
export const match = z.strictObject({
  id: z.uuid(),
  game: z.enum(GAME_TYPES),
  status: z.enum(["pending", "active", "completed", "cancelled"]),
  white: player,
  black: player.nullable(),
  stake: z.union([z.literal(1), z.literal(2), z.literal(5), z.literal(10)]),
  feeBps: z.int(),
  limitMinutes: z.union([z.literal(5), z.literal(10)]),
  winner: z.union([z.literal(1), z.literal(2)]).nullable(),
  endReason: z.string().nullable(),
  moveCount: z.int(),
  board: z.string().length(64),
  createdAt: z.int(),
  updatedAt: z.int(),
});

export const openGame = z.strictObject({ gameId: z.uuid(), status: z.enum(["waiting", "active"]) });
const limit = z.strictObject({
  value: z.int().nullable(),
  next: z.strictObject({ value: z.int().nullable(), at: z.int() }).nullable(),
});
export const limits = z.strictObject({
  depositDay: limit,
  depositWeek: limit,
  depositMonth: limit,
  stake: limit,
  session: limit,
  excludedUntil: z.int().nullable(),
  closingAt: z.int().nullable(),
  blockedFor: z.string().nullable(),
});
export const statementRow = z.strictObject({
  id: z.string(),
  at: z.int(),
  kind: z.enum(STATEMENT_KINDS),
  amount: coins,
  balanceAfter: coins,
  debtChange: coins,
  gameId: z.uuid().nullable(),
  paymentId: z.uuid().nullable(),
  reference: z.string().nullable(),
});

export const payment = z.strictObject({
  id: z.uuid(),
  kind: z.enum(["deposit", "withdrawal", "revenue"]),
  status: z.enum(["pending", "processing", "completed", "failed", "reversed", "abandoned", "review"]),
  kobo: z.int(),
  payerFeeKobo: z.int(),
  coins,
  reference: z.string(),
  createdAt: z.int(),
  completedAt: z.int().nullable(),
  reason: z.string().nullable(),
  account: z.strictObject({ bankName: z.string(), accountName: z.string(), lastDigits: z.string() }).nullable(),
  expectedAt: z.int().nullable(),
  isPayable: z.boolean(),
});
export const savedAccount = z.strictObject({
  bankCode: z.string(),
  bankName: z.string(),
  accountNumber: z.string(),
  accountName: z.string(),
});
