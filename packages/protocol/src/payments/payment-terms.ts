/** How long a deposit keeps the exchange rate that its player was shown (ruling 35). */
export const RATE_KEPT_MS = 30 * 60_000;
