import { ok, refuse } from "@holo/kernel/result.ts";
import type { RouteResponse } from "@holo/protocol/routes.ts";
import { toPaymentView } from "../../../payments/payments.ts";
import { ACTION_CODE_LIFE_MS, hasCode } from "../access.ts";
import { type Handlers, replyWith } from "../routes.ts";
import { loadWalletView, type WalletViewDeps } from "./wallet-view.ts";

interface Checkout {
  readonly payment: Parameters<typeof toPaymentView>[0];
  readonly authorizationUrl: string;
}

type PaymentRoute =
  | "wallet"
  | "deposit"
  | "reopenDeposit"
  | "checkDeposit"
  | "banks"
  | "verifyAccount"
  | "withdraw"
  | "refundToCard"
  | "cancelWithdrawal";

export function makePaymentHandlers(deps: WalletViewDeps): Handlers<PaymentRoute> {
  const { payments } = deps;

  return {
    async wallet({ session }) {
      return ok({ body: await loadWalletView(deps, session.player.id) });
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

    async refundToCard({ session, body }) {
      if (!hasCode(session, ACTION_CODE_LIFE_MS)) return refuse("second_factor_required");
      return replyWith(await payments.refundToCard({ ...body, playerId: session.player.id }), toPaymentView);
    },

    async cancelWithdrawal({ session, body }) {
      return replyWith(await payments.cancel(session.player.id, body.reference), toPaymentView);
    },
  };
}

function toCheckoutView({ payment, authorizationUrl }: Checkout): RouteResponse<"deposit"> {
  return { payment: toPaymentView(payment), authorizationUrl };
}
