import type { CommandId, PlayerId } from "@holo/kernel/ids.ts";
import { ok } from "@holo/kernel/result.ts";
import type { ServerFrame } from "@holo/protocol/frames.ts";
import type { RouteResponse } from "@holo/protocol/routes.ts";
import { isEmailVerified, loadOwnLimits } from "../accounts/accounts.ts";
import type { ClosingTerms, Payments } from "../payments/payments.ts";
import type { Queries } from "../platform/database.ts";
import type { Time } from "../platform/time.ts";
import { toLimitsView } from "./http-limits.ts";
import type { Handlers } from "./http-routes.ts";
import { requireSession } from "./http-session.ts";

export interface ClosingHandlersOptions {
  readonly payments: Pick<Payments, "closings" | "bankAccounts">;
  readonly queries: Queries;
  readonly time: Time;
  /** Shows a frame to all connections of a player. */
  readonly push: (playerId: PlayerId, frame: ServerFrame) => void;
}

/** How players leave, by HTTP. */
export function makeClosingHandlers(options: ClosingHandlersOptions): Handlers<"closing" | "closeAccount"> {
  const { payments, queries, time, push } = options;

  async function toBody(playerId: PlayerId, terms: ClosingTerms): Promise<RouteResponse<"closing">> {
    const [emailVerified, accounts] = await Promise.all([
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
      accounts: accounts.map(({ bankCode, bankName, accountNumber, accountName }) => ({
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
      return ok({ body: await toBody(id, await payments.closings.load(id)) });
    },

    async closeAccount(call) {
      const session = await requireSession(call);
      if (!session.ok) return session;
      const { id: playerId, username, email } = session.value.player;
      const { commandId, ...asked } = call.body;
      const order = { ...asked, playerId, username, email, commandId: commandId as CommandId };
      const closed = await payments.closings.close(order);
      if (!closed.ok) return closed;
      push(playerId, { type: "limits", limits: toLimitsView(await loadOwnLimits(queries, playerId, time.now())) });
      return ok({ body: await toBody(playerId, closed.value) });
    },
  };
}
