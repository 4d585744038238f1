import type { CommandId, PlayerId } from "@holo/kernel/ids.ts";
import { ok } from "@holo/kernel/result.ts";
import type { ReviewsView } from "@holo/protocol/admin/money.ts";
import type { RouteResponse } from "@holo/protocol/routes.ts";
import type { Accounts } from "../../../accounts/accounts.ts";
import type { Admin } from "../../../admin/admin.ts";
import type { Handlers } from "../routes.ts";
import { requireConfirmed, requireRole, toRanked } from "../session.ts";

export interface AdminMoneyDeps {
  readonly admin: Pick<Admin, "reviews" | "reconciliation" | "revenue">;
  readonly accounts: Pick<Accounts, "checkPassword">;
}

type AdminMoneyRoute = "reviews" | "endReview" | "sendLeftCoins" | "adminReconcile" | "revenue" | "withdrawRevenue";

/** What people of the house do with money that is not theirs, and with the platform's own, by HTTP. */
export function makeAdminMoneyHandlers({ admin, accounts }: AdminMoneyDeps): Handlers<AdminMoneyRoute> {
  const { reviews, reconciliation, revenue } = admin;

  return {
    async reviews(call) {
      const session = await requireRole(call, "admin");
      return session.ok ? ok({ body: toReviewsBody(await reviews.load(toRanked(session.value))) }) : session;
    },

    async endReview(call) {
      const session = await requireRole(call, "admin");
      if (!session.ok) return session;
      const ended = await reviews.end(toRanked(session.value), call.body);
      return ended.ok ? ok({ body: toReviewsBody(ended.value) }) : ended;
    },

    async sendLeftCoins(call) {
      const { password = "", commandId, playerId, ...order } = call.body;
      const session =
        order.account === null
          ? await requireRole(call, "admin")
          : await requireConfirmed(call, "ceo", password, accounts.checkPassword);
      if (!session.ok) return session;
      const sent = await reviews.sendOrphanedBalance(toRanked(session.value), {
        ...order,
        playerId: playerId as PlayerId,
        commandId: commandId as CommandId,
      });
      return sent.ok ? ok({ body: toReviewsBody(sent.value) }) : sent;
    },

    async adminReconcile(call) {
      const session = await requireRole(call, "admin");
      if (!session.ok) return session;
      const compared = await reconciliation.reconcile(session.value.player);
      return compared.ok ? ok({ body: { ...compared.value, differences: [...compared.value.differences] } }) : compared;
    },

    async revenue(call) {
      const session = await requireRole(call, "ceo");
      if (!session.ok) return session;
      const { payments, accounts: saved, ...figures } = await revenue.load(session.value.player.id);
      return ok({ body: { ...figures, payments: [...payments], accounts: [...saved] } });
    },

    async withdrawRevenue(call) {
      const { password, commandId, ...form } = call.body;
      const session = await requireConfirmed(call, "ceo", password, accounts.checkPassword);
      if (!session.ok) return session;
      const playerId = session.value.player.id;
      const payment = await revenue.withdraw({ ...form, playerId, commandId: commandId as CommandId });
      return payment.ok ? ok({ body: payment.value }) : payment;
    },
  };
}

function toReviewsBody({ payments, leftWallets }: ReviewsView): RouteResponse<"reviews"> {
  return {
    payments: payments.map(({ ends, ...review }) => ({ ...review, ends: [...ends] })),
    leftWallets: [...leftWallets],
  };
}
