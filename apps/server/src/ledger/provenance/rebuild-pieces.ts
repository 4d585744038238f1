import {
  compareAge,
  type EntryName,
  findPaymentOf,
  findReceiver,
  type Mark,
  type Part,
  type Piece,
  Stack,
  splitTaken,
} from "./stack.ts";

export interface LedgerEntry extends EntryName {
  readonly settledGame: string | null;
  /** Of wallets only. */
  readonly postings: readonly { readonly walletId: bigint; readonly amount: bigint }[];
}

interface Exit {
  readonly pieceId: bigint;
  readonly entryId: bigint;
  readonly coins: bigint;
}

export interface Rebuilt {
  /** With what is left of each. Numbered from 1, in the order of the entries. */
  readonly pieces: readonly (Piece & { readonly left: bigint })[];
  readonly exits: readonly Exit[];
}

/** All pieces and exits that follow from the ledger's entries, in their order, and the marks. */
export function rebuildPieces(entries: readonly LedgerEntry[], marks: readonly Mark[]): Rebuilt {
  const pieces: Piece[] = [];
  const exits: Exit[] = [];
  const stacks = new Map<bigint, Stack>();
  /** Of withdrawals, what was taken and is not back. */
  const out = new Map<string, readonly Part[]>();
  const stakes = new Map<string, LedgerEntry["postings"][number][]>();

  function stackOf(walletId: bigint): Stack {
    const stack = stacks.get(walletId) ?? new Stack(marks);
    stacks.set(walletId, stack);
    return stack;
  }

  /** What the owner had of these coins before they came back. */
  function findBefore({ kind }: LedgerEntry, walletId: bigint, { parent, rank }: Given): Piece | null {
    if (rank === 0n) return parent;
    let before = kind === "forfeit" ? parent : null;
    while (before !== null && before.walletId !== walletId) {
      before = before.parentId === null ? null : pieces[Number(before.parentId) - 1]!;
    }
    return before;
  }

  function gain(entry: LedgerEntry, walletId: bigint, given: readonly Given[]): void {
    const gained = given.map((one): Piece => {
      const { parent, hops, rank, coins } = one;
      const before = findBefore(entry, walletId, one);
      const id = BigInt(pieces.length) + 1n;
      const piece = {
        id,
        walletId,
        entryId: entry.entryId,
        gainedEntryId: before?.gainedEntryId ?? entry.entryId,
        parentId: parent?.id ?? null,
        depositId: parent?.depositId ?? id,
        originEntryId: parent?.originEntryId ?? entry.entryId,
        originWalletId: parent?.originWalletId ?? walletId,
        fromWalletId: before === null ? (parent?.walletId ?? null) : before.fromWalletId,
        hops,
        rank,
        coins,
        gainedAt: entry.at,
      };
      pieces.push(piece);
      return piece;
    });
    stackOf(walletId).add(entry, gained);
  }

  function move(entry: LedgerEntry, changes: ReadonlyMap<bigint, bigint>): void {
    const gains = [...changes].filter(([, coins]) => coins > 0n);
    const losses = [...changes].filter(([, coins]) => coins < 0n);
    const rank = entry.entryId;
    for (const [walletId, coins] of losses) {
      const taken = stackOf(walletId).take(entry, -coins);
      if (entry.kind === "forfeit") {
        for (const { piece, coins } of taken) {
          gain(entry, findReceiver(piece, entry)!, [{ parent: piece, hops: piece.hops, rank, coins }]);
        }
        continue;
      }
      const [winner] = gains;
      const { won, exits: left } = splitTaken(taken, winner?.[1] ?? 0n);
      exits.push(...left.map(({ piece, coins }) => ({ pieceId: piece.id, entryId: entry.entryId, coins })));
      const payment = findPaymentOf(entry);
      if (payment !== null && (entry.kind === "withdrawal" || out.has(payment))) out.set(payment, left);
      if (winner === undefined) continue;
      const given = won.toReversed().map(({ piece, coins }) => ({ parent: piece, hops: piece.hops + 1, rank, coins }));
      gain(entry, winner[0], given);
    }
    if (losses.length > 0) return;
    for (const [walletId, coins] of gains) {
      const payment = findPaymentOf(entry);
      const back = (payment === null ? undefined : out.get(payment)) ?? [];
      if (payment !== null && back.length > 0) out.set(payment, []);
      const rest = back.reduce((sum, part) => sum - part.coins, coins);
      gain(entry, walletId, [
        ...back
          .toSorted((a, b) => compareAge(a.piece, b.piece))
          .map(({ piece, coins }) => ({ parent: piece, hops: piece.hops, rank: 0n, coins })),
        ...(rest > 0n ? [{ parent: null, hops: 0, rank, coins: rest }] : []),
      ]);
    }
  }

  for (const entry of entries) {
    if (entry.kind === "stake") {
      const game = entry.source.split(":")[0]!;
      stakes.set(game, [...(stakes.get(game) ?? []), ...entry.postings]);
      continue;
    }
    const staked = entry.settledGame === null ? [] : (stakes.get(entry.settledGame) ?? []);
    const changes = new Map<bigint, bigint>();
    for (const { walletId, amount } of [...entry.postings, ...staked]) {
      changes.set(walletId, (changes.get(walletId) ?? 0n) + amount);
    }
    move(entry, changes);
  }
  const left = new Map([...stacks.values()].flatMap(({ parts }) => parts.map(({ piece, coins }) => [piece.id, coins])));
  return { pieces: pieces.map((piece) => ({ ...piece, left: left.get(piece.id) ?? 0n })), exits };
}

interface Given {
  readonly parent: Piece | null;
  readonly hops: number;
  readonly rank: bigint;
  readonly coins: bigint;
}
