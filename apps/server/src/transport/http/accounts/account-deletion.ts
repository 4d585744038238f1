import type { PlayerId } from "@holo/kernel/ids.ts";
import { ok, refuse } from "@holo/kernel/result.ts";
import type { RouteResponse } from "@holo/protocol/routes.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import { type Accounts, isEmailVerified } from "../../../accounts/accounts.ts";
import type { ClosingTerms, Payments } from "../../../payments/payments.ts";
import type { Queries } from "../../../platform/database/database.ts";
import type { Time } from "../../../platform/time/time.ts";
import { ACTION_CODE_LIFE_MS, hasCode } from "../access.ts";
import type { Handlers } from "../routes.ts";
import { toSavedAccountView } from "../wallet/wallet-view.ts";
import { loadLimitsView } from "./restrictions.ts";

interface AccountDeletionDeps {
  readonly accounts: Pick<Accounts, "logout">;
  readonly payments: Pick<Payments, "accountClosing" | "accountDeletion" | "bankAccounts">;
  readonly queries: Queries;
  readonly time: Time;
  readonly push: (playerId: PlayerId, frame: ServerFrame) => void;
}

type AccountDeletionRoute = "closing" | "closeAccount" | "deleteAccount";

export function makeAccountDeletionHandlers(deps: AccountDeletionDeps): Handlers<AccountDeletionRoute> {
  const { accounts, payments, queries, time, push } = deps;

  async function loadBody(playerId: PlayerId, terms: ClosingTerms): Promise<RouteResponse<"closing">> {
    const [emailVerified, saved] = await Promise.all([
      isEmailVerified(queries, playerId),
      payments.bankAccounts.list(playerId),
    ]);
    return {
      closingAt: terms.closingAt,
      balance: String(terms.balance),
      kobo: Number(terms.kobo),
      feeKobo: Number(terms.feeKobo),
      isFirstFromCard: terms.isFirstFromCard,
      remainder: String(terms.remainder),
      obstacle: terms.obstacle,
      emailVerified,
      accounts: saved.map(toSavedAccountView),
    };
  }

  return {
    async closing({ session }) {
      const { id } = session.player;
      return ok({ body: await loadBody(id, await payments.accountClosing.load(id)) });
    },

    async closeAccount({ session, body }) {
      if (!hasCode(session, ACTION_CODE_LIFE_MS)) return refuse("second_factor_required");
      const { id: playerId, username, email } = session.player;
      const closed = await payments.accountClosing.close({ ...body, playerId, username, email });
      if (!closed.ok) return closed;
      push(playerId, { type: "limits", limits: await loadLimitsView(queries, playerId, time.now()) });
      return ok({ body: await loadBody(playerId, closed.value) });
    },

    async deleteAccount({ session, body, client }) {
      const { id } = session.player;
      const deleted = await payments.accountDeletion.deleteAccount(id, body.password);
      if (!deleted.ok) return deleted;
      return ok({ body: {}, setCookies: await accounts.logout(client.cookie) });
    },
  };
}
