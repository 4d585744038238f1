import type { PlayerId } from "@holo/kernel/ids.ts";
import { type Coins, ZERO_COINS } from "@holo/kernel/money.ts";
import type { SavedAccountView } from "@holo/protocol/payments/payments.ts";
import type { SettingsView } from "@holo/protocol/platform.ts";
import type { RouteResponse } from "@holo/protocol/routes.ts";
import { isEmailVerified } from "../../../accounts/accounts.ts";
import type { Games } from "../../../game/game.ts";
import { loadDebt, loadGameEntries, loadUnplayed } from "../../../ledger/ledger.ts";
import {
  isFirstFromCard,
  loadDepositLeft,
  loadWithdrawable,
  type Payments,
  toPaymentView,
} from "../../../payments/payments.ts";
import type { Queries } from "../../../platform/database/database.ts";
import type { Time } from "../../../platform/time/time.ts";

export interface WalletViewDeps {
  readonly payments: Payments;
  readonly games: Pick<Games, "loadOpenGame">;
  readonly queries: Queries;
  readonly time: Time;
  readonly settings: () => SettingsView;
  readonly payerBearsFee: boolean;
}

export async function loadWalletView(deps: WalletViewDeps, id: PlayerId): Promise<RouteResponse<"wallet">> {
  const { payments, queries, time, settings, payerBearsFee } = deps;
  const [money, inPlay, debts, emailVerified, left, newest, accounts, isFirst] = await Promise.all([
    loadWithdrawable(queries, id, time.now()),
    loadInPlay(deps, id),
    loadDebt(queries, id),
    isEmailVerified(queries, id),
    loadDepositLeft(queries, id, time.now()),
    payments.listPayments(id),
    payments.bankAccounts.list(id),
    isFirstFromCard(queries, id),
  ]);
  const unplayed = await loadUnplayed(queries, id, money.balance);
  return {
    balance: String(money.balance),
    withdrawable: String(money.withdrawable),
    frees: money.frees.map(({ at, coins }) => ({ at, coins: String(coins) })),
    unplayed: unplayed.map(({ coins, creditedCoins, feeKobo, paymentId, rateKobo, isCard }) => ({
      paymentId,
      rateKobo,
      isCard,
      coins: String(coins),
      creditedCoins: String(creditedCoins),
      feeKobo: Number(feeKobo),
    })),
    isFirstFromCard: isFirst,
    inPlay: String(inPlay),
    debts: String(debts),
    ...settings(),
    payerBearsFee,
    emailVerified,
    depositLeft: left && {
      period: left.period,
      limitKobo: Number(left.limitKobo),
      leftKobo: Number(left.leftKobo),
    },
    payments: newest.map(toPaymentView),
    accounts: accounts.map(toSavedAccountView),
  };
}

async function loadInPlay({ games, queries }: WalletViewDeps, playerId: PlayerId): Promise<Coins> {
  const openGame = await games.loadOpenGame(playerId);
  if (openGame === null) return ZERO_COINS;
  const entries = await loadGameEntries(queries, openGame.gameId);
  const own = entries
    .flatMap(({ postings }) => postings)
    .filter(({ account }) => account.kind === "wallet" && account.owner === playerId);
  // Once the game is settled the sum is 0.
  return -own.reduce((sum, { amount }) => sum + amount, 0n) as Coins;
}

export function toSavedAccountView({
  bankCode,
  bankName,
  accountNumber,
  accountName,
}: SavedAccountView): SavedAccountView {
  return { bankCode, bankName, accountNumber, accountName };
}
