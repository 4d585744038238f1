import { type Coins, type Kobo, PAYMENT_KOBO_MIN, toCoinsIn, toKobo, toKoboOwed } from "@holo/kernel/money.ts";
import { readWantedPage } from "./wanted-page.ts";

/**
 * A deposit that a game needs. It is passed in the history state; its page is stored under the
 * payment's reference, because the checkout is on another site.
 */
interface WantedDeposit {
  readonly kobo: Kobo;
  readonly page: string;
}

/** The step of an amount (specification 2: step 100). */
const STEP_KOBO = 10_000n;
const KEY = "holo.deposit-return";
const KEPT_MS = 60 * 60_000;

/** The smallest amount that may be deposited and credits at least `missing` coins. */
export function toDepositFor(missing: Coins, rateKobo: number): Kobo {
  const owed = toKoboOwed(missing, rateKobo);
  const stepped = ((owed + STEP_KOBO - 1n) / STEP_KOBO) * STEP_KOBO;
  if (stepped <= PAYMENT_KOBO_MIN) return PAYMENT_KOBO_MIN;
  // A deposit is rounded in its player's favour, so one step less may suffice.
  const less = toKobo(stepped - STEP_KOBO);
  return toCoinsIn(less, rateKobo) >= missing ? less : toKobo(stepped);
}

export function toWantedDeposit(kobo: Kobo, page: string): object {
  return { depositKobo: Number(kobo), wantedPage: page };
}

/** Null if the wallet was opened for another reason. */
export function readWantedDeposit(state: unknown): WantedDeposit | null {
  const page = readWantedPage(state);
  if (page === null || !("depositKobo" in (state as object))) return null;
  const { depositKobo } = state as { readonly depositKobo: unknown };
  if (!Number.isSafeInteger(depositKobo) || Number(depositKobo) <= 0) return null;
  return { kobo: toKobo(BigInt(Number(depositKobo))), page };
}

/** Called before the checkout opens. `reference` is the payment's. */
export function saveDepositReturn(reference: string, page: string, now = Date.now()): void {
  try {
    localStorage.setItem(KEY, `${now + KEPT_MS} ${reference} ${page}`);
  } catch {
    // Storage is blocked: the player has to find the game.
  }
}

/** The page to return to after this payment; null for none. */
export function findDepositReturn(reference: string, now = Date.now()): string | null {
  try {
    const [until = "", of = "", page = ""] = (localStorage.getItem(KEY) ?? "").split(" ");
    return Number(until) > now && of === reference ? readWantedPage({ wantedPage: page }) : null;
  } catch {
    // Storage is blocked.
    return null;
  }
}

export function dropDepositReturn(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Storage is blocked: nothing was kept.
  }
}
