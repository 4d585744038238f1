import type { PlayerId } from "@holo/kernel/ids.ts";
import {
  addCoins,
  type Coins,
  type Kobo,
  subtractCoins,
  toCoins,
  toCoinsIn,
  toCoinsOut,
  toKobo,
  ZERO_COINS,
} from "@holo/kernel/money.ts";
import { toFeeCoins } from "@holo/protocol/payments/withdrawal-terms.ts";
import { type AccountKey, type Posting, platformAccount, walletOf } from "../journal/journal-entry.ts";

/** What is booked for one payment in total. The player's part may be in the wallet or in debts. */
export type Position = readonly Posting[];

/**
 * The player has the coins of `keptKobo`, rounded up; the platform pays for the rounding (ruling
 * 3). `borneFeeKobo` of it stays with the platform, which was charged the provider's fee.
 */
export function toDepositPosition({
  playerId,
  keptKobo,
  borneFeeKobo = toKobo(0n),
  rateKobo,
}: {
  readonly playerId: PlayerId;
  readonly keptKobo: Kobo;
  readonly borneFeeKobo?: Kobo;
  readonly rateKobo: number;
}): Position {
  const [kept, worth] = [toCoinsIn(keptKobo, rateKobo), toCoinsOut(keptKobo, rateKobo)];
  const fee = toFeeCoins({ kobo: keptKobo, feeKobo: borneFeeKobo, rateKobo });
  return [
    { account: walletOf(playerId), amount: kept },
    { account: platformAccount("deposit_clearing"), amount: toCoins(-addCoins(worth, fee)) },
    { account: platformAccount("provider_fees"), amount: fee },
    { account: platformAccount("rounding"), amount: subtractCoins(worth, kept) },
  ];
}

export interface WithdrawalFacts {
  /** Null: the platform's revenue. */
  readonly playerId: PlayerId | null;
  readonly kobo: Kobo;
  /** The player's part of the provider's fees, besides `kobo` (ruling 37). */
  readonly payerFeeKobo: Kobo;
  readonly rateKobo: number;
  /** Whether the coins are back with their owner. */
  readonly isBack: boolean;
  /** What left the provider. */
  readonly sentKobo: Kobo;
}

/**
 * What was sent and taken from no one is the platform's loss; what was taken and not sent is on
 * its way.
 */
export function toWithdrawalPosition(facts: WithdrawalFacts): Position {
  const { playerId, kobo, payerFeeKobo: feeKobo, rateKobo, isBack } = facts;
  const ordered = toCoinsOut(kobo, rateKobo);
  const taken = isBack ? ZERO_COINS : ordered;
  const fee = isBack ? ZERO_COINS : toFeeCoins({ kobo, feeKobo, rateKobo });
  const sent = toSentCoins(facts, ordered);
  const [waiting, lost] =
    taken > sent ? [subtractCoins(taken, sent), ZERO_COINS] : [ZERO_COINS, subtractCoins(sent, taken)];
  return [
    { account: toSource(playerId), amount: toCoins(-addCoins(taken, fee)) },
    { account: platformAccount("provider_fees"), amount: fee },
    { account: platformAccount("withdrawal_clearing"), amount: waiting },
    { account: platformAccount("deposit_clearing"), amount: sent },
    { account: platformAccount("provider_loss"), amount: toCoins(-lost) },
  ];
}

function toSource(playerId: PlayerId | null): AccountKey {
  return playerId === null ? platformAccount("revenue") : walletOf(playerId);
}

/** The ordered sum is what was taken for it. A loss is rounded up. */
function toSentCoins({ kobo, sentKobo, rateKobo }: WithdrawalFacts, ordered: Coins): Coins {
  if (sentKobo === kobo) return ordered;
  if (sentKobo > kobo) return addCoins(ordered, toCoinsIn(toKobo(sentKobo - kobo), rateKobo));
  const sent = toCoinsIn(sentKobo, rateKobo);
  return sent < ordered ? sent : ordered;
}

/**
 * What is still to be posted, without empty lines. `booked` has the player's wallet and debts
 * together.
 */
export function toDifference(target: Position, booked: Position): Position {
  const posted = new Map(booked.map(({ account, amount }) => [toName(account), amount]));
  const named = new Set(target.map(({ account }) => toName(account)));
  const others = booked.filter(({ account }) => !named.has(toName(account)));
  return [
    ...target.map(({ account, amount }) => ({
      account,
      amount: subtractCoins(amount, posted.get(toName(account)) ?? ZERO_COINS),
    })),
    ...others.map(({ account, amount }) => ({ account, amount: toCoins(-amount) })),
  ].filter(({ amount }) => amount !== ZERO_COINS);
}

function toName({ kind, owner }: AccountKey): string {
  return `${kind}:${owner}`;
}
