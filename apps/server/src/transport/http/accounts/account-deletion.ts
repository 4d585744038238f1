import type { CommandId, PlayerId } from "@holo/kernel/ids.ts";
import { ok } from "@holo/kernel/result.ts";
import type { ServerFrame } from "@holo/protocol/frames.ts";
import type { RouteResponse } from "@holo/protocol/routes.ts";
import { type Accounts, isEmailVerified, loadOwnLimits } from "../../../accounts/accounts.ts";
import type { ClosingTerms, Payments } from "../../../payments/payments.ts";
import type { Queries } from "../../../platform/database/database.ts";
import type { Time } from "../../../platform/time/time.ts";
import type { Handlers } from "../routes.ts";
import { requireSession } from "../session.ts";
import { toLimitsView } from "./restrictions.ts";

export interface AccountDeletionDeps {
  readonly accounts: Pick<Accounts, "endAllSessions" | "logout">;
  readonly payments: Pick<Payments, "accountClosing" | "accountDeletion" | "bankAccounts">;
  readonly queries: Queries;
  readonly time: Time;
  /** Shows a frame to all connections of a player. */
  readonly push: (playerId: PlayerId, frame: ServerFrame) => void;
}

type AccountDeletionRoute = "closing" | "closeAccount" | "deleteAccount";

/** How players leave, by HTTP. */
export function makeAccountDeletionHandlers(options: AccountDeletionDeps): Handlers<AccountDeletionRoute> {
  const { accounts, payments, queries, time, push } = options;

  async function toBody(playerId: PlayerId, terms: ClosingTerms): Promise<RouteResponse<"closing">> {
    const [emailVerified, saved] = await Promise.all([
      isEmailVerified(queries, playerId),
      payments.bankAccounts.list(playerId),
    ]);
    return {
      closingAt: terms.closingAt,
      balance: String(terms.balance),
      kobo: Number(terms.kobo),
      remainder: String(terms.remainder),
      obstacle: terms.obstacle,
      emailVerified,
      accounts: saved.map(({ bankCode, bankName, accountNumber, accountName }) => ({
        bankCode,
        bankName,
        accountNumber,
        accountName,
      })),
    };
  }

  return {
    async closing(call) {
      const session = await requireSession(call);
      if (!session.ok) return session;
      const { id } = session.value.player;
      return ok({ body: await toBody(id, await payments.accountClosing.load(id)) });
    },

    async closeAccount(call) {
      const session = await requireSession(call);
      if (!session.ok) return session;
      const { id: playerId, username, email } = session.value.player;
      const { commandId, ...asked } = call.body;
      const order = { ...asked, playerId, username, email, commandId: commandId as CommandId };
      const closed = await payments.accountClosing.close(order);
      if (!closed.ok) return closed;
      push(playerId, { type: "limits", limits: toLimitsView(await loadOwnLimits(queries, playerId, time.now())) });
      return ok({ body: await toBody(playerId, closed.value) });
    },

    async deleteAccount(call) {
      const session = await requireSession(call);
      if (!session.ok) return session;
      const { id } = session.value.player;
      const left = await payments.accountDeletion.deleteAccount(id, call.body.password);
      if (!left.ok) return left;
      // There are none any more; their sockets are told.
      await accounts.endAllSessions(id);
      return ok({ body: {}, setCookies: await accounts.logout(call.visitor.cookie) });
    },
  };
}
