import { hash } from "node:crypto";
import { assert } from "@holo/kernel/assert.ts";
import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { addCoins, COINS_MAX, type Coins, ZERO_COINS } from "@holo/kernel/money.ts";

export type EntryKind =
  | "deposit"
  | "deposit_reversal"
  | "deposit_return"
  | "deposit_sent_back"
  | "debt_repayment"
  | "stake"
  | "refund"
  | "win"
  | "draw"
  | "withdrawal_hold"
  | "withdrawal_return"
  | "withdrawal_paid"
  | "revenue_withdrawal"
  | "revenue_return"
  | "provider_fee"
  | "correction"
  | "closing_remainder"
  | "opening";

/** The platform's own accounts: one each, appended to by everyone, so none keeps a balance. */
export type PlatformAccount =
  | "revenue"
  | "provider_fees"
  | "provider_loss"
  | "deposit_clearing"
  | "withdrawal_clearing"
  | "rounding"
  | "opening";

export type AccountKind = "wallet" | "escrow" | "debts" | PlatformAccount;

/** Names one account. The owner is a player (wallet, debts), a game (escrow), or empty (the platform's). */
export interface AccountKey {
  readonly kind: AccountKind;
  readonly owner: string;
}

export interface Posting {
  readonly account: AccountKey;
  /** What the account gains; negative where it gives. */
  readonly amount: Coins;
}

/** One thing that happened to money, whole: what is not in it did not happen. */
export interface Entry {
  readonly kind: EntryKind;
  /** With the kind, names what caused it; the same cause is never posted twice. */
  readonly source: string;
  /** The game this entry ends the money of; a game is settled once, by whatever kind. */
  readonly settledGame: GameId | null;
  /** Facts kept beside the amounts, such as the final hash of the game. */
  readonly details: Readonly<Record<string, string | number>>;
  readonly postings: readonly Posting[];
}

export function walletOf(playerId: PlayerId): AccountKey {
  return { kind: "wallet", owner: playerId };
}

export function escrowOf(gameId: GameId): AccountKey {
  return { kind: "escrow", owner: gameId };
}

/** Below zero by what the player owes, never above. */
export function debtsOf(playerId: PlayerId): AccountKey {
  return { kind: "debts", owner: playerId };
}

export function platformAccount(kind: PlatformAccount): AccountKey {
  return { kind, owner: "" };
}

/** Drops what moves nothing, and asserts what every entry must be: balanced, bounded, each account once. */
export function toEntry(entry: Entry): Entry {
  const postings = entry.postings.filter(({ amount }) => amount !== ZERO_COINS);
  const total = postings.reduce((sum, { amount }) => addCoins(sum, amount), ZERO_COINS);
  assert(total === ZERO_COINS, `${entry.kind} ${entry.source} does not balance: ${total}`);
  assert(postings.length >= 2, `${entry.kind} ${entry.source} moves nothing`);
  assert(
    postings.every(({ amount }) => amount <= COINS_MAX && -amount <= COINS_MAX),
    `${entry.kind} ${entry.source} is out of bounds`,
  );
  const names = new Set(postings.map(({ account }) => `${account.kind}:${account.owner}`));
  assert(names.size === postings.length, `${entry.kind} ${entry.source} names an account twice`);
  return { ...entry, postings };
}

/** The details as the ledger keeps and hashes them: keys in order, so that the same facts are the same text. */
export function formatDetails(details: Entry["details"]): string {
  return JSON.stringify(Object.fromEntries(Object.entries(details).sort(([a], [b]) => (a < b ? -1 : 1))));
}

/**
 * SHA-256 of everything an entry says except when it was said: a retry has another clock and is still the same entry. The auditor
 * builds the same text from the stored rows, so that an altered row shows.
 */
export function toContentHash(entry: Entry): string {
  const lines = entry.postings.map(({ account, amount }) => `${account.kind}:${account.owner} ${amount}`).sort();
  const text = [entry.kind, entry.source, entry.settledGame ?? "", formatDetails(entry.details), ...lines].join("\n");
  return hash("sha256", text, "hex");
}
