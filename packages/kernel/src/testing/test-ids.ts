import type { GameId, PaymentId, PlayerId } from "../ids.ts";

/** Ids for tests, of any text: short names read better than UUIDs. */
export const gameIdOf = (text: string): GameId => text as GameId;
export const playerIdOf = (text: string): PlayerId => text as PlayerId;
export const paymentIdOf = (text: string): PaymentId => text as PaymentId;
