import type { PlayerId } from "@holo/kernel/ids.ts";
import { type Coins, ZERO_COINS } from "@holo/kernel/money.ts";
import { ok, refuse } from "@holo/kernel/result.ts";
import type { SavedAccountView } from "@holo/protocol/payments.ts";
import type { SettingsView } from "@holo/protocol/platform.ts";
import type { RouteResponse } from "@holo/protocol/routes.ts";
import { isEmailVerified } from "../../../accounts/accounts.ts";
import type { Arena } from "../../../arena/arena.ts";
import { loadDebt, loadGameEntries, loadUnplayed } from "../../../ledger/ledger.ts";
import { loadDepositLeft, loadWithdrawable, type Payments, toPaymentView } from "../../../payments/payments.ts";
import type { Queries } from "../../../platform/database/database.ts";
import type { Time } from "../../../platform/time/time.ts";
import { ACTION_CODE_LIFE_MS, hasCode } from "../access.ts";
import { type Handlers, replyWith } from "../routes.ts";

interface Checkout {
  readonly payment: Parameters<typeof toPaymentView>[0];
  readonly authorizationUrl: string;
}

interface PaymentHandlerDeps {
  readonly payments: Payments;
  readonly arena: Pick<Arena, "loadOpenGame">;
  readonly queries: Queries;
  readonly time: Time;
  readonly settings: () => SettingsView;
  readonly payerBearsFee: boolean;
}

type PaymentRoute =
  | "wallet"
  | "deposit"
  | "reopenDeposit"
  | "checkDeposit"
  | "banks"
  | "verifyAccount"
  | "withdraw"
  | "cancelWithdrawal";

export function makePaymentHandlers(options: PaymentHandlerDeps): Handlers<PaymentRoute> {
  const { payments, arena, queries, time, settings } = options;

  async function loadInPlay(playerId: PlayerId): Promise<Coins> {
    const openGame = await arena.loadOpenGame(playerId);
    if (openGame === null) return ZERO_COINS;
    const entries = await loadGameEntries(queries, openGame.gameId);
    const own = entries
      .flatMap(({ postings }) => postings)
      .filter(({ account }) => account.kind === "wallet" && account.owner === playerId);
    // Once the game is settled the sum is 0.
    return -own.reduce((sum, { amount }) => sum + amount, 0n) as Coins;
  }

  return {
    async wallet({ session }) {
      const { id } = session.player;
      const [money, inPlay, debts, emailVerified, left, newest, accounts] = await Promise.all([
        loadWithdrawable(queries, id, time.now()),
        loadInPlay(id),
        loadDebt(queries, id),
        isEmailVerified(queries, id),
        loadDepositLeft(queries, id, time.now()),
        payments.listPayments(id),
        payments.bankAccounts.list(id),
      ]);
      const unplayed = await loadUnplayed(queries, id, money.balance);
      return ok({
        body: {
          balance: String(money.balance),
          withdrawable: String(money.withdrawable),
          frees: money.frees.map(({ at, coins }) => ({ at, coins: String(coins) })),
          unplayed: unplayed.map(({ coins, creditedCoins, feeKobo }) => ({
            coins: String(coins),
            creditedCoins: String(creditedCoins),
            feeKobo: Number(feeKobo),
          })),
          inPlay: String(inPlay),
          debts: String(debts),
          ...settings(),
          payerBearsFee: options.payerBearsFee,
          emailVerified,
          depositLeft: left && {
            period: left.period,
            limitKobo: Number(left.limitKobo),
            leftKobo: Number(left.leftKobo),
          },
          payments: newest.map(toPaymentView),
          accounts: accounts.map(toSavedAccountView),
        },
      });
    },

    async deposit({ session, body }) {
      const { id: playerId, email } = session.player;
      return replyWith(await payments.begin({ ...body, playerId, email }), toCheckoutView);
    },

    async reopenDeposit({ session, body }) {
      return replyWith(await payments.reopen({ ...body, playerId: session.player.id }), toCheckoutView);
    },

    async checkDeposit({ session, body }) {
      const payment = await payments.check(session.player.id, body.reference);
      return payment === null ? refuse("unknown_payment") : ok({ body: toPaymentView(payment) });
    },

    async banks() {
      return ok({ body: { banks: await payments.banks.list() } });
    },

    async verifyAccount({ session, body }) {
      const verified = await payments.bankAccounts.verify({ playerId: session.player.id, ...body });
      return replyWith(verified, ({ accountName, confirmedAt }) => ({ accountName, isKnown: confirmedAt !== null }));
    },

    async withdraw({ session, body }) {
      if (!hasCode(session, ACTION_CODE_LIFE_MS)) return refuse("second_factor_required");
      const { id: playerId, username, email } = session.player;
      const { password = null, ...form } = body;
      return replyWith(await payments.withdraw({ ...form, playerId, username, email, password }), toPaymentView);
    },

    async cancelWithdrawal({ session, body }) {
      return replyWith(await payments.cancel(session.player.id, body.reference), toPaymentView);
    },
  };
}

function toCheckoutView({ payment, authorizationUrl }: Checkout): RouteResponse<"deposit"> {
  return { payment: toPaymentView(payment), authorizationUrl };
}

export function toSavedAccountView({
  bankCode,
  bankName,
  accountNumber,
  accountName,
}: SavedAccountView): SavedAccountView {
  return { bankCode, bankName, accountNumber, accountName };
}
