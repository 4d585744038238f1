import { assert } from "@holo/kernel/assert.ts";
import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { addCoins, type Coins, subtractCoins, toCoins, ZERO_COINS } from "@holo/kernel/money.ts";
import type { Seat } from "@holo/rules/rules.ts";
import { escrowOf, type JournalEntry, makeJournalEntry, platformAccount, walletOf } from "../journal/journal-entry.ts";

export interface PaidStake {
  readonly playerId: PlayerId;
  readonly amount: Coins;
}

export interface StakeOrder {
  readonly gameId: GameId;
  readonly seat: Seat;
  readonly playerId: PlayerId;
  /** The buy-in: stake total and platform fee (ruling 4). */
  readonly amount: Coins;
}

export interface WinOrder {
  readonly gameId: GameId;
  readonly winnerId: PlayerId;
  /** What the winner receives: twice the stake total (ruling 4). */
  readonly winnings: Coins;
  readonly platformFee: Coins;
  /** Last hash of the game's log, which ties the money to the result. */
  readonly finalHash: string;
}

export interface DrawOrder {
  readonly gameId: GameId;
  /** What each player receives: the stake total (ruling 4). */
  readonly drawReturn: Coins;
  readonly platformFee: Coins;
  readonly finalHash: string;
}

export interface OpeningOrder {
  readonly playerId: PlayerId;
  readonly amount: Coins;
}

export function sumStakes(stakes: readonly PaidStake[]): Coins {
  return stakes.reduce((sum, { amount }) => addCoins(sum, amount), ZERO_COINS);
}

export function decideStakeEntry(order: StakeOrder): JournalEntry {
  const { gameId, seat, playerId, amount } = order;
  assert(amount > ZERO_COINS, `stake of ${amount}`);
  return makeJournalEntry({
    kind: "stake",
    source: `${gameId}:${seat}`,
    settledGame: null,
    details: { gameId, seat },
    postings: [
      { account: walletOf(playerId), amount: toCoins(-amount) },
      { account: escrowOf(gameId), amount },
    ],
  });
}

export function decideRefundEntry(gameId: GameId, stakes: readonly PaidStake[]): JournalEntry {
  return makeJournalEntry({
    kind: "refund",
    source: gameId,
    settledGame: gameId,
    details: { gameId },
    postings: [
      { account: escrowOf(gameId), amount: subtractCoins(ZERO_COINS, sumStakes(stakes)) },
      ...stakes.map(({ playerId, amount }) => ({ account: walletOf(playerId), amount })),
    ],
  });
}

export function decideWinEntry(order: WinOrder, stakes: readonly PaidStake[]): JournalEntry {
  const { gameId, winnerId, winnings, platformFee, finalHash } = order;
  assert(winnings > ZERO_COINS && platformFee >= ZERO_COINS, `win of ${winnings} with fee ${platformFee}`);
  const loser = stakes.find(({ playerId }) => playerId !== winnerId);
  assert(loser !== undefined, `a win of game ${gameId} without a loser`);
  return makeJournalEntry({
    kind: "win",
    source: gameId,
    settledGame: gameId,
    loserId: loser.playerId,
    details: { gameId, finalHash },
    postings: [
      { account: escrowOf(gameId), amount: toCoins(-winnings - platformFee) },
      { account: walletOf(winnerId), amount: winnings },
      { account: platformAccount("revenue"), amount: platformFee },
    ],
  });
}

export function decideDrawEntry(order: DrawOrder, stakes: readonly PaidStake[]): JournalEntry {
  const { gameId, drawReturn, platformFee, finalHash } = order;
  assert(drawReturn > ZERO_COINS && platformFee >= ZERO_COINS, `draw of ${drawReturn} with fee ${platformFee}`);
  const paid = toCoins(drawReturn * BigInt(stakes.length));
  return makeJournalEntry({
    kind: "draw",
    source: gameId,
    settledGame: gameId,
    details: { gameId, finalHash },
    postings: [
      { account: escrowOf(gameId), amount: toCoins(-paid - platformFee) },
      ...stakes.map(({ playerId }) => ({ account: walletOf(playerId), amount: drawReturn })),
      { account: platformAccount("revenue"), amount: platformFee },
    ],
  });
}

/** Coins without a deposit, for development only. */
export function decideOpeningEntry({ playerId, amount }: OpeningOrder): JournalEntry {
  assert(amount > ZERO_COINS, `opening of ${amount}`);
  return makeJournalEntry({
    kind: "opening",
    source: playerId,
    settledGame: null,
    details: {},
    postings: [
      { account: walletOf(playerId), amount },
      { account: platformAccount("opening"), amount: toCoins(-amount) },
    ],
  });
}
