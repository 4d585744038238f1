import { assert } from "./assert.ts";
import type { Brand } from "./brand.ts";

export type PlayerId = Brand<string, "PlayerId">;
export type GameId = Brand<string, "GameId">;
/** One deposit, withdrawal or withdrawal of revenue. */
export type PaymentId = Brand<string, "PaymentId">;
/** Chosen by the client for one intention; the same id always gets the same answer. */
export type CommandId = Brand<string, "CommandId">;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Never anything that needs escaping in JSON. */
const TOKEN = /^[A-Za-z0-9_-]{8,36}$/;

/** Lower-case UUID, as PostgreSQL prints it. */
export function isGameId(value: unknown): value is GameId {
  return typeof value === "string" && UUID.test(value);
}

/** 8 to 36 letters, digits, `_` or `-`: a UUID or a nanoid. */
function isPlayerId(value: unknown): value is PlayerId {
  return typeof value === "string" && TOKEN.test(value);
}

function isPaymentId(value: unknown): value is PaymentId {
  return typeof value === "string" && UUID.test(value);
}

/** 8 to 36 letters, digits, `_` or `-`: a UUID or a nanoid. */
function isCommandId(value: unknown): value is CommandId {
  return typeof value === "string" && TOKEN.test(value);
}

/** For text that must be an id, such as a new UUID; anything else is a broken invariant. */
export function toGameId(text: string): GameId {
  assert(isGameId(text), `${text} is no game id`);
  return text;
}

export function toPlayerId(text: string): PlayerId {
  assert(isPlayerId(text), `${text} is no player id`);
  return text;
}

export function toPaymentId(text: string): PaymentId {
  assert(isPaymentId(text), `${text} is no payment id`);
  return text;
}

export function toCommandId(text: string): CommandId {
  assert(isCommandId(text), `${text} is no command id`);
  return text;
}
