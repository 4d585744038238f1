import { assert } from "@holo/kernel/assert.ts";
import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { addCoins, type Coins, subtractCoins, toCoins, ZERO_COINS } from "@holo/kernel/money.ts";
import type { Seat } from "@holo/rules/rules.ts";
import { type Entry, escrowOf, platformAccount, toEntry, walletOf } from "./entry.ts";

/** What a player put into a game's escrow. */
export interface PaidStake {
  readonly playerId: PlayerId;
  readonly amount: Coins;
}

export interface StakeOrder {
  readonly gameId: GameId;
  readonly seat: Seat;
  readonly playerId: PlayerId;
  /** The whole entry: stake total and fee (ruling 4). */
  readonly amount: Coins;
}

export interface WinOrder {
  readonly gameId: GameId;
  readonly winnerId: PlayerId;
  /** What the winner receives: twice the stake total (ruling 4). */
  readonly winnings: Coins;
  /** The platform fee kept on the game, of both players. */
  readonly platformFee: Coins;
  /** Last hash of the game's log, so that a result cannot be changed apart from its money. */
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

export function decideStake(order: StakeOrder): Entry {
  const { gameId, seat, playerId, amount } = order;
  assert(amount > ZERO_COINS, `stake of ${amount}`);
  return toEntry({
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

/** Gives every player of the game back exactly what they put in. */
export function decideRefund(gameId: GameId, stakes: readonly PaidStake[]): Entry {
  return toEntry({
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

export function decideWin(order: WinOrder): Entry {
  const { gameId, winnerId, winnings, platformFee, finalHash } = order;
  assert(winnings > ZERO_COINS && platformFee >= ZERO_COINS, `win of ${winnings} with fee ${platformFee}`);
  return toEntry({
    kind: "win",
    source: gameId,
    settledGame: gameId,
    details: { gameId, finalHash },
    postings: [
      { account: escrowOf(gameId), amount: toCoins(-winnings - platformFee) },
      { account: walletOf(winnerId), amount: winnings },
      { account: platformAccount("revenue"), amount: platformFee },
    ],
  });
}

export function decideDraw(order: DrawOrder, stakes: readonly PaidStake[]): Entry {
  const { gameId, drawReturn, platformFee, finalHash } = order;
  assert(drawReturn > ZERO_COINS && platformFee >= ZERO_COINS, `draw of ${drawReturn} with fee ${platformFee}`);
  const paid = toCoins(drawReturn * BigInt(stakes.length));
  return toEntry({
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

/** Coins out of nothing, for development only: a real coin comes into being against clearing. */
export function decideOpening({ playerId, amount }: OpeningOrder): Entry {
  assert(amount > ZERO_COINS, `opening of ${amount}`);
  return toEntry({
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
