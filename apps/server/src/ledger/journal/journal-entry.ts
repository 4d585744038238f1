import { hash } from "node:crypto";
import { assert } from "@holo/kernel/assert.ts";
import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { addCoins, COINS_MAX, type Coins, ZERO_COINS } from "@holo/kernel/money.ts";

export type JournalEntryKind =
  | "deposit"
  | "deposit_taken"
  | "debt_repayment"
  | "stake"
  | "refund"
  | "win"
  | "draw"
  | "withdrawal"
  | "withdrawal_paid"
  | "withdrawal_return"
  | "provider_fee"
  | "correction"
  | "closing_remainder"
  | "forfeit"
  | "forfeit_return"
  | "opening";

/** The platform's own accounts, one each. Every game posts to them, so they store no balance. */
type PlatformAccount =
  | "revenue"
  | "provider_fees"
  | "provider_loss"
  | "deposit_clearing"
  | "withdrawal_clearing"
  | "rounding"
  | "opening";

export type AccountKind = "wallet" | "escrow" | "debts" | PlatformAccount;

/**
 * Names one account. The owner is a player (wallet, debts), a game (escrow) or empty (platform).
 */
export interface AccountKey {
  readonly kind: AccountKind;
  readonly owner: string;
}

export interface Posting {
  readonly account: AccountKey;
  /** The account's gain; negative for a debit. */
  readonly amount: Coins;
}

export interface JournalEntry {
  readonly kind: JournalEntryKind;
  /** Names the cause, together with the kind. The same cause is never posted twice. */
  readonly source: string;
  /** The game whose money this entry ends. A game is settled once, by any kind. */
  readonly settledGame: GameId | null;
  /** The loser of the game, whose pieces it moves without a posting to the wallet. */
  readonly loserId?: PlayerId;
  /** Facts besides the amounts, such as the final hash of the game. */
  readonly details: Readonly<Record<string, string | number>>;
  readonly postings: readonly Posting[];
}

export function walletOf(playerId: PlayerId): AccountKey {
  return { kind: "wallet", owner: playerId };
}

export function escrowOf(gameId: GameId): AccountKey {
  return { kind: "escrow", owner: gameId };
}

/** Zero, or negative by what the player owes. */
export function debtsOf(playerId: PlayerId): AccountKey {
  return { kind: "debts", owner: playerId };
}

export function platformAccount(kind: PlatformAccount): AccountKey {
  return { kind, owner: "" };
}

/**
 * Drops empty postings. Asserts that the entry balances, is bounded and names each account once.
 */
export function makeJournalEntry(entry: JournalEntry): JournalEntry {
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

/** The owners of the wallets whose coins it moves: locked before the entry gets its id. */
export function listWalletOwners({ postings, loserId }: JournalEntry): readonly PlayerId[] {
  const posted = postings.filter(({ account }) => account.kind === "wallet").map(({ account }) => account.owner);
  return [...(posted as PlayerId[]), ...(loserId === undefined ? [] : [loserId])];
}

/** The details as stored and hashed, with sorted keys: the same facts give the same text. */
export function formatDetails(details: JournalEntry["details"]): string {
  return JSON.stringify(Object.fromEntries(Object.entries(details).sort(([a], [b]) => (a < b ? -1 : 1))));
}

/**
 * SHA-256 of the entry without its time, so that a retry gives the same hash. The auditor builds
 * the same text from the stored rows.
 */
export function toContentHash(entry: JournalEntry): string {
  const lines = entry.postings.map(({ account, amount }) => `${account.kind}:${account.owner} ${amount}`).sort();
  const text = [entry.kind, entry.source, entry.settledGame ?? "", formatDetails(entry.details), ...lines].join("\n");
  return hash("sha256", text, "hex");
}
