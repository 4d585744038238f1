import { assert } from "@holo/kernel/assert.ts";
import { DAY_MS, type Instant } from "@holo/kernel/instant.ts";
import type { JournalEntryKind } from "../journal/journal-entry.ts";

/** Coins with one owner, one parent and one origin, as they were gained. */
export interface Piece {
  readonly id: bigint;
  readonly walletId: bigint;
  readonly entryId: bigint;
  /** Of coins that a withdrawal or a forfeit gave back: in which their owner gained them before. */
  readonly gainedEntryId: bigint;
  readonly parentId: bigint | null;
  /** The first piece of its line. */
  readonly depositId: bigint;
  readonly originEntryId: bigint;
  readonly originWalletId: bigint;
  /** The wallet that they were won from; null: they are of the owner's own deposit. */
  readonly fromWalletId: bigint | null;
  /** Games that the coins were lost in since their origin. */
  readonly hops: number;
  /** The entry, or 0 for coins that came back: they are at the bottom. */
  readonly rank: bigint;
  readonly coins: bigint;
  readonly gainedAt: Instant;
}

/** What is taken of a piece. */
export interface Part {
  readonly piece: Piece;
  readonly coins: bigint;
}

export interface EntryName {
  readonly entryId: bigint;
  readonly kind: JournalEntryKind;
  readonly source: string;
  readonly at: Instant;
  readonly details: string;
}

/** While it is in force, withdrawals take other coins before those of this origin. */
export interface Mark {
  readonly originEntryId: bigint;
  /** Null: in all wallets but the depositor's (ruling 52). */
  readonly walletId: bigint | null;
  /** Of a mark in a wallet: by which case, and of coins gained in which entries. */
  readonly caseId: string | null;
  readonly gainedIn: readonly bigint[] | null;
  /** In force for later entries, up to `untilEntryId` and before `untilAt`. */
  readonly afterEntryId: bigint;
  readonly untilEntryId: bigint | null;
  readonly untilAt: Instant;
}

const SETTLED_FIRST: readonly JournalEntryKind[] = ["withdrawal", "closing_remainder"];
const OF_PAYMENTS: readonly JournalEntryKind[] = [
  "deposit",
  "deposit_taken",
  "withdrawal",
  "withdrawal_return",
  "correction",
];
/** How long a gain is held after its completion (ruling 8). */
const HOLDING_MS = DAY_MS;

export function findPaymentOf({ kind, source }: Pick<EntryName, "kind" | "source">): string | null {
  return OF_PAYMENTS.includes(kind) ? source.split(":")[0]! : null;
}

/** Who gets a forfeited piece; null: it stays. */
export function findReceiver(
  { walletId, originWalletId, fromWalletId }: Piece,
  { details }: Pick<EntryName, "details">,
): bigint | null {
  const { receiver } = JSON.parse(details) as { readonly receiver: string };
  const receiverId = receiver === "origin" ? originWalletId : fromWalletId;
  return receiverId === walletId ? null : receiverId;
}

/** The pieces of one wallet. Computes what SQL computes (`ledger_find_pieces`), apart from it. */
export class Stack {
  readonly #marks: readonly Mark[];
  readonly #payments = new Map<string, Set<bigint>>();
  /** Oldest first. */
  #parts: Part[] = [];

  constructor(marks: readonly Mark[]) {
    this.#marks = marks;
  }

  get parts(): readonly Part[] {
    return this.#parts;
  }

  /** In the order in which they were gained. */
  add(entry: EntryName, pieces: readonly Piece[]): void {
    this.#note(entry);
    const added = pieces.map((piece) => ({ piece, coins: piece.coins }));
    this.#parts = [...this.#parts, ...added].sort((a, b) => compareAge(a.piece, b.piece));
  }

  /** In the order in which they are taken. */
  take(entry: EntryName, coins: bigint): readonly Part[] {
    let need = coins;
    const taken = this.#order(entry).flatMap(({ piece, coins: left }): Part[] => {
      const part = left < need ? left : need;
      need -= part;
      return part === 0n ? [] : [{ piece, coins: part }];
    });
    assert(need === 0n, `the pieces lack ${need} coins of entry ${entry.entryId}`);
    const gone = new Map(taken.map((part) => [part.piece.id, part.coins]));
    this.#parts = this.#parts
      .map(({ piece, coins: left }) => ({ piece, coins: left - (gone.get(piece.id) ?? 0n) }))
      .filter(({ coins: left }) => left > 0n);
    this.#note(entry);
    return taken;
  }

  #note(entry: EntryName): void {
    const payment = findPaymentOf(entry);
    if (payment !== null) {
      this.#payments.set(payment, (this.#payments.get(payment) ?? new Set()).add(entry.entryId));
    }
  }

  #order(entry: EntryName): readonly Part[] {
    if (SETTLED_FIRST.includes(entry.kind)) {
      const toRank = ({ piece }: Part) => Number(isHeld(piece, entry.at)) * 2 + Number(this.#isMarked(piece, entry));
      return this.#parts.toSorted((a, b) => toRank(a) - toRank(b));
    }
    if (entry.kind === "forfeit") {
      return this.#parts.filter(
        ({ piece }) => this.#isMarked(piece, entry, entry.source) && findReceiver(piece, entry) !== null,
      );
    }
    const payment = findPaymentOf(entry);
    const own = (payment === null ? undefined : this.#payments.get(payment)) ?? new Set();
    const isOwn = ({ piece }: Part) => own.has(piece.entryId) || own.has(piece.originEntryId);
    return this.#parts.toReversed().sort((a, b) => Number(isOwn(b)) - Number(isOwn(a)));
  }

  /** `caseId`: by this case alone. */
  #isMarked(piece: Piece, { entryId, at }: EntryName, caseId: string | null = null): boolean {
    const { originEntryId, originWalletId, walletId, gainedEntryId } = piece;
    return this.#marks.some(
      (mark) =>
        mark.originEntryId === originEntryId &&
        (caseId === null || mark.caseId === caseId) &&
        (mark.walletId === null ? originWalletId !== walletId : mark.walletId === walletId) &&
        mark.gainedIn?.includes(gainedEntryId) !== false &&
        mark.afterEntryId < entryId &&
        (mark.untilEntryId === null || entryId <= mark.untilEntryId) &&
        at < mark.untilAt,
    );
  }
}

function isHeld({ rank, gainedAt }: Piece, at: Instant): boolean {
  return rank > 0n && gainedAt > at - HOLDING_MS;
}

export function compareAge(a: Piece, b: Piece): number {
  return Number(a.rank - b.rank) || Number(a.id - b.id);
}

/** The newest of the loser's pieces become the winner's; the oldest leave as fee. */
export function splitTaken(taken: readonly Part[], gain: bigint): { readonly won: Part[]; readonly exits: Part[] } {
  let open = gain;
  const split = taken.map(({ piece, coins }) => {
    const won = coins < open ? coins : open;
    open -= won;
    return { piece, won, exit: coins - won };
  });
  return {
    won: split.filter(({ won }) => won > 0n).map(({ piece, won }) => ({ piece, coins: won })),
    exits: split.filter(({ exit }) => exit > 0n).map(({ piece, exit }) => ({ piece, coins: exit })),
  };
}
