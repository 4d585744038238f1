import type { Kobo } from "@holo/kernel/money.ts";

/** Kobo of the least deposit and the least withdrawal: ₦5,000 (specification 9). */
export const PAYMENT_KOBO_MIN = 500_000n as Kobo;
