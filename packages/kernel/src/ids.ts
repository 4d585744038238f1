import type { Brand } from "./brand.ts";

export type PlayerId = Brand<string, "PlayerId">;
export type GameId = Brand<string, "GameId">;
/** One deposit, withdrawal or revenue withdrawal. */
export type PaymentId = Brand<string, "PaymentId">;
/** Chosen by the client for one intention. The same id always gets the same answer. */
export type CommandId = Brand<string, "CommandId">;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const COMMAND_ID = /^[A-Za-z0-9_-]{8,36}$/;

/** Lower-case UUID, as PostgreSQL prints it. */
export function isGameId(value: unknown): value is GameId {
  return typeof value === "string" && UUID.test(value);
}

/** 8 to 36 letters, digits, `_` or `-`: a UUID or a nanoid. Needs no escaping in JSON. */
export function isCommandId(value: unknown): value is CommandId {
  return typeof value === "string" && COMMAND_ID.test(value);
}
