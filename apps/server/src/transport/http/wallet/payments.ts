import type { CommandId, GameId, PlayerId } from "@holo/kernel/ids.ts";
import { type Coins, ZERO_COINS } from "@holo/kernel/money.ts";
import { ok, refuse } from "@holo/kernel/result.ts";
import type { SettingsView } from "@holo/protocol/games.ts";
import { isEmailVerified } from "../../../accounts/accounts.ts";
import type { Arena } from "../../../arena/arena.ts";
import { loadDebt, loadGameEntries } from "../../../ledger/ledger.ts";
import { loadDepositLeft, loadWithdrawable, type Payments, toPaymentView } from "../../../payments/payments.ts";
import type { Queries } from "../../../platform/database/database.ts";
import type { Time } from "../../../platform/time/time.ts";
import type { Handlers } from "../routes.ts";
import { requireSession } from "../session.ts";

export interface PaymentHandlerDeps {
  readonly payments: Payments;
  readonly arena: Pick<Arena, "loadOpenGame">;
  readonly queries: Queries;
  readonly time: Time;
  readonly settings: () => SettingsView;
  /** Whether the provider's fee is added to what a deposit costs. */
  readonly payerBearsFee: boolean;
}

type PaymentRoute = "wallet" | "deposit" | "reopenDeposit" | "checkDeposit" | "banks" | "verifyAccount" | "withdraw";

/** Money in and out by HTTP. */
export function makePaymentHandlers(options: PaymentHandlerDeps): Handlers<PaymentRoute> {
  const { payments, arena, queries, time, settings } = options;

  async function loadInPlay(playerId: PlayerId): Promise<Coins> {
    const openGame = await arena.loadOpenGame(playerId);
    if (openGame === null) return ZERO_COINS;
    const entries = await loadGameEntries(queries, openGame.gameId as GameId);
    const own = entries
      .flatMap(({ postings }) => postings)
      .filter(({ account }) => account.kind === "wallet" && account.owner === playerId);
    // What was staked, and nothing any more once that is settled.
    return -own.reduce((sum, { amount }) => sum + amount, 0n) as Coins;
  }

  return {
    async wallet(call) {
      const session = await requireSession(call);
      if (!session.ok) return session;
      const { id } = session.value.player;
      const [money, inPlay, debts, emailVerified, left, newest, accounts] = await Promise.all([
        loadWithdrawable(queries, id, time.now()),
        loadInPlay(id),
        loadDebt(queries, id),
        isEmailVerified(queries, id),
        loadDepositLeft(queries, id, time.now()),
        payments.listPayments(id),
        payments.bankAccounts.list(id),
      ]);
      return ok({
        body: {
          balance: String(money.balance),
          withdrawable: String(money.withdrawable),
          frees: money.frees.map(({ at, coins }) => ({ at, coins: String(coins) })),
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
          accounts: accounts.map(({ bankCode, bankName, accountNumber, accountName }) => ({
            bankCode,
            bankName,
            accountNumber,
            accountName,
          })),
        },
      });
    },

    async deposit(call) {
      const session = await call.findSession();
      if (session === null) return refuse("deposit_login_required");
      const { id: playerId, email } = session.player;
      const { commandId, ...asked } = call.body;
      const begun = await payments.begin({ ...asked, playerId, email, commandId: commandId as CommandId });
      if (!begun.ok) return begun;
      const { payment, authorizationUrl } = begun.value;
      return ok({ body: { payment: toPaymentView(payment), authorizationUrl } });
    },

    async reopenDeposit(call) {
      const session = await requireSession(call);
      if (!session.ok) return session;
      const open = await payments.reopen(session.value.player.id, call.body.reference);
      if (!open.ok) return open;
      const { payment, authorizationUrl } = open.value;
      return ok({ body: { payment: toPaymentView(payment), authorizationUrl } });
    },

    async checkDeposit(call) {
      const session = await requireSession(call);
      if (!session.ok) return session;
      const payment = await payments.check(session.value.player.id, call.body.reference);
      return payment === null ? refuse("unknown_payment") : ok({ body: toPaymentView(payment) });
    },

    async banks(call) {
      const session = await requireSession(call);
      if (!session.ok) return session;
      return ok({ body: { banks: [...(await payments.banks.list())] } });
    },

    async verifyAccount(call) {
      const session = await requireSession(call);
      if (!session.ok) return session;
      const verified = await payments.bankAccounts.verify({ playerId: session.value.player.id, ...call.body });
      if (!verified.ok) return verified;
      const { accountName, confirmedAt } = verified.value;
      return ok({ body: { accountName, isKnown: confirmedAt !== null } });
    },

    async withdraw(call) {
      const session = await requireSession(call);
      if (!session.ok) return session;
      const { id: playerId, username, email } = session.value.player;
      const { commandId, password, ...asked } = call.body;
      const payment = await payments.withdraw({
        ...asked,
        playerId,
        username,
        email,
        commandId: commandId as CommandId,
        password: password ?? null,
      });
      return payment.ok ? ok({ body: toPaymentView(payment.value) }) : payment;
    },
  };
}
