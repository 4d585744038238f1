import { ok } from "@holo/kernel/result.ts";
import type { OwnSessionView } from "@holo/protocol/games.ts";
import { type Accounts, type SessionRecord, toDevice } from "../../../accounts/accounts.ts";
import type { Handlers } from "../routes.ts";
import { requireSession } from "../session.ts";

type OwnAccountRoute =
  | "forgotPassword"
  | "resetPassword"
  | "changePassword"
  | "changeEmail"
  | "sessions"
  | "endSession"
  | "endAllSessions";

/** What players do to their own account, by HTTP. */
export function makeOwnAccountHandlers({ accounts }: { readonly accounts: Accounts }): Handlers<OwnAccountRoute> {
  return {
    async forgotPassword({ body, visitor }) {
      const sent = await accounts.sendResetLink(body.email, visitor);
      return sent.ok ? ok({ body: {} }) : sent;
    },

    async resetPassword({ body, visitor }) {
      const reset = await accounts.resetPassword(body, visitor);
      return reset.ok ? ok({ body: {} }) : reset;
    },

    async changePassword(call) {
      const session = await requireSession(call);
      if (!session.ok) return session;
      const { token, player } = session.value;
      const changed = await accounts.changePassword({ ...call.body, playerId: player.id, token });
      return changed.ok ? ok({ body: {} }) : changed;
    },

    async changeEmail(call) {
      const session = await requireSession(call);
      if (!session.ok) return session;
      const asked = await accounts.requestEmailChange(
        { ...call.body, playerId: session.value.player.id },
        call.visitor,
      );
      return asked.ok ? ok({ body: {} }) : asked;
    },

    async sessions(call) {
      const session = await requireSession(call);
      if (!session.ok) return session;
      const { token, player } = session.value;
      const sessions = await accounts.listSessions({ playerId: player.id, token });
      return ok({ body: { sessions: sessions.map(toView) } });
    },

    async endSession(call) {
      const session = await requireSession(call);
      if (!session.ok) return session;
      const { token, player } = session.value;
      await accounts.endSession(player.id, call.body.id);
      const sessions = await accounts.listSessions({ playerId: player.id, token });
      return ok({ body: { sessions: sessions.map(toView) } });
    },

    async endAllSessions(call) {
      const session = await requireSession(call);
      if (!session.ok) return session;
      await accounts.endAllSessions(session.value.player.id);
      return ok({ body: {}, setCookies: await accounts.logout(call.visitor.cookie) });
    },
  };
}

/** Addresses on the network are for the export alone. */
function toView({ id, userAgent, startedAt, seenAt, isCurrent }: SessionRecord): OwnSessionView {
  return { id, device: toDevice(userAgent), startedAt, seenAt, isCurrent };
}
