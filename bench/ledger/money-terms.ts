export interface MoneyWriter {
  game(gameId: string, first: string, second: string): Promise<void>;
  withdrawal(paymentId: string, playerId: string): Promise<void>;
  close(): Promise<void>;
}

export const CONNECTIONS = 8;
/** Enough that no measured operation is refused. */
export const OPENING_HC = 1_000_000;
/** The smallest stake at checkers: T = 12, a buy-in of 12.888, both fees 1.776. */
export const BUY_IN = 12_888_000n;
export const PAYOUT = { winnings: 24_000_000n, platformFee: 1_776_000n };
/** A withdrawal of one holocoin. */
export const KOBO = 30_600n;
export const RATE_KOBO = 30_600;
export const FINAL_HASH = "0".repeat(64);
