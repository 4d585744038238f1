import type { CommandId, GameId, PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import { isGameType, listGameTypes } from "@holo/rules/registry.ts";
import { z } from "zod";

/** Gives a schema's output its brand: the only place where external text becomes an id. */
function branded<Id extends string>(schema: z.ZodType<string, string>): z.ZodType<Id, string> {
  return schema as z.ZodType<unknown, string> as z.ZodType<Id, string>;
}

/** Lower case, as PostgreSQL prints it and as tables are found. */
export const gameId = branded<GameId>(z.uuid().toLowerCase());
export const paymentId = branded<PaymentId>(z.uuid().toLowerCase());
export const playerId = branded<PlayerId>(z.string().regex(/^[A-Za-z0-9_-]{8,36}$/));
export const commandId = branded<CommandId>(z.string().regex(/^[A-Za-z0-9_-]{8,36}$/));

/** The decimal digits of micro-holocoins (see kernel/money.ts). */
export const coins = z.string().regex(/^-?\d{1,16}$/);
export type CoinsText = z.output<typeof coins>;
/** A whole number that JSON carries exactly. The payments module checks the amount. */
export const kobo = z.int();
/** ms since 1970. */
export const instant = z.int();
/** A count, a size or another whole number. */
export const whole = z.int();
/** One of a list, which is read at each check. */
export function listed<Value extends number>(values: readonly Value[]): z.ZodType<Value, Value> {
  const schema = z.number().refine((value) => values.some((one) => one === value));
  return schema.meta({ enum: [...values] }) as z.ZodType<unknown> as z.ZodType<Value, Value>;
}

/** As `listed`, in decimal digits. */
export function listedDigits<Value extends number>(values: readonly Value[]) {
  const schema = z.string().refine((text) => values.some((one) => `${one}` === text));
  return schema.meta({ enum: values.map(String) }) as z.ZodType<unknown> as z.ZodType<`${Value}`, `${Value}`>;
}

export const gameType = z.string().refine(isGameType).meta({ enum: listGameTypes() });
export const seat = z.union([z.literal(1), z.literal(2)]);

/** At most this many UTF-16 units, without NUL, which PostgreSQL does not store. */
export function text(unitsMax: number) {
  return z
    .string()
    .max(unitsMax)
    .refine((value) => !value.includes("\0"));
}

/** Form input. `accounts/registration/registration-form.ts` checks the content. */
export const formField = text(320);
export const cursor = z.string().regex(/^\d{1,18}$/);
export const empty = z.strictObject({});

export const bankAccountNumber = z.string().max(40);
export const bankCode = z.string().max(20);
