import { ok, refuse } from "@holo/kernel/result.ts";
import type { Accounts, LockConfirmed } from "../../../accounts/accounts.ts";
import type { Admin } from "../../../admin/admin.ts";
import { type Handlers, replyWith } from "../routes.ts";

interface AdminMoneyDeps {
  readonly admin: Pick<Admin, "paymentCases" | "reconciliation" | "revenue">;
  readonly accounts: Pick<Accounts, "confirmPassword">;
}

type AdminMoneyRoute =
  | "paymentCases"
  | "correctPayment"
  | "confirmCorrection"
  | "answerDispute"
  | "sendOrphanedBalance"
  | "reconcile"
  | "releasePayouts"
  | "revenue"
  | "withdrawRevenue";

export function makeAdminMoneyHandlers({ admin, accounts }: AdminMoneyDeps): Handlers<AdminMoneyRoute> {
  const { paymentCases, reconciliation, revenue } = admin;

  return {
    async paymentCases({ staff }) {
      return ok({ body: await paymentCases.load(staff) });
    },

    async correctPayment({ staff, body }) {
      return replyWith(await paymentCases.correct(staff, body), (value) => value);
    },

    async confirmCorrection({ staff, body }) {
      return replyWith(await paymentCases.confirm(staff, body.id), (value) => value);
    },

    async answerDispute({ staff, body }) {
      return replyWith(await paymentCases.answerDispute(staff, body), (value) => value);
    },

    async sendOrphanedBalance({ session, staff, body }) {
      const { password = "", ...order } = body;
      let lockConfirmed: LockConfirmed | null = null;
      if (order.account !== null) {
        if (staff.role !== "ceo") return refuse("access_denied");
        const confirmed = await accounts.confirmPassword(session.player.id, password);
        if (!confirmed.ok) return confirmed;
        lockConfirmed = confirmed.value;
      }
      return replyWith(await paymentCases.sendOrphanedBalance(staff, order, lockConfirmed), (value) => value);
    },

    async reconcile({ session }) {
      return replyWith(await reconciliation.reconcile(session.player), (value) => value);
    },

    async releasePayouts({ session, body }) {
      return replyWith(await reconciliation.releasePayouts(session.player, body), () => ({}));
    },

    async revenue({ staff }) {
      return ok({ body: await revenue.load(staff.id) });
    },

    async withdrawRevenue({ session, body }) {
      const { password, ...form } = body;
      const confirmed = await accounts.confirmPassword(session.player.id, password);
      if (!confirmed.ok) return confirmed;
      return replyWith(
        await revenue.withdraw({ ...form, playerId: session.player.id }, confirmed.value),
        (payment) => payment,
      );
    },
  };
}
