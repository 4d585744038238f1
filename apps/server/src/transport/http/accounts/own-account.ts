import { ok } from "@holo/kernel/result.ts";
import type { OwnSessionView } from "@holo/protocol/accounts/accounts.ts";
import { type Accounts, type SessionRecord, toDevice } from "../../../accounts/accounts.ts";
import { type Handlers, replyWith, toEmpty } from "../routes.ts";

type OwnAccountRoute =
  | "forgotPassword"
  | "resetPassword"
  | "changePassword"
  | "changeEmail"
  | "sessions"
  | "endSession"
  | "endAllSessions";

export function makeOwnAccountHandlers({ accounts }: { readonly accounts: Accounts }): Handlers<OwnAccountRoute> {
  return {
    async forgotPassword({ body, client }) {
      return replyWith(await accounts.sendResetLink(body.email, client), toEmpty);
    },

    async resetPassword({ body, client }) {
      const reset = await accounts.resetPassword(body, client);
      return reset.ok ? ok({ body: {}, setCookies: reset.value }) : reset;
    },

    async changePassword({ session: { token, player }, body, client: { cookie } }) {
      return replyWith(await accounts.changePassword({ ...body, playerId: player.id, token, cookie }), toEmpty);
    },

    async changeEmail({ session, body }) {
      return replyWith(await accounts.requestEmailChange({ ...body, playerId: session.player.id }), toEmpty);
    },

    async sessions({ session: { token, player } }) {
      const sessions = await accounts.listSessions({ playerId: player.id, token });
      return ok({ body: { sessions: sessions.map(toView) } });
    },

    async endSession({ session: { token, player }, body }) {
      await accounts.endSession(player.id, body.id);
      const sessions = await accounts.listSessions({ playerId: player.id, token });
      return ok({ body: { sessions: sessions.map(toView) } });
    },

    async endAllSessions({ session, client }) {
      await accounts.endAllSessions(session.player.id);
      return ok({ body: {}, setCookies: await accounts.logout(client.cookie) });
    },
  };
}

/** Omits the network address, which only the account export shows. */
function toView({ id, userAgent, startedAt, seenAt, isCurrent }: SessionRecord): OwnSessionView {
  return { id, device: toDevice(userAgent), startedAt, seenAt, isCurrent };
}
