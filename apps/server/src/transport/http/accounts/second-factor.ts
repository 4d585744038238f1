import type { PlayerId } from "@holo/kernel/ids.ts";
import { ok } from "@holo/kernel/result.ts";
import type { SecondFactorView } from "@holo/protocol/accounts/second-factor.ts";
import type { Accounts, Role } from "../../../accounts/accounts.ts";
import { type Handlers, replyWith, toEmpty } from "../routes.ts";

interface SecondFactorDeps {
  readonly accounts: Accounts;
  readonly requiresStaffCodes: boolean;
}

type SecondFactorRoute =
  | "secondFactor"
  | "beginSecondFactor"
  | "enableSecondFactor"
  | "disableSecondFactor"
  | "confirmSecondFactor";

export function makeSecondFactorHandlers(deps: SecondFactorDeps): Handlers<SecondFactorRoute> {
  const { accounts, requiresStaffCodes } = deps;

  async function loadView(playerId: PlayerId, role: Role | null): Promise<SecondFactorView> {
    return { ...(await accounts.loadSecondFactor(playerId)), isRequired: requiresStaffCodes && role !== null };
  }

  return {
    async secondFactor({ session: { player, role } }) {
      return ok({ body: await loadView(player.id, role) });
    },

    async beginSecondFactor({ session: { player }, body }) {
      const begun = await accounts.beginSecondFactor({ playerId: player.id, password: body.password });
      return replyWith(begun, ({ secret }) => ({ secret, uri: toUri(player.username, secret) }));
    },

    async enableSecondFactor({ session: { player, token }, body }) {
      return replyWith(await accounts.enableSecondFactor({ ...body, playerId: player.id, token }), (value) => value);
    },

    async disableSecondFactor({ session: { player, role, token }, body }) {
      const disabled = await accounts.disableSecondFactor({ ...body, playerId: player.id, token });
      return disabled.ok ? ok({ body: await loadView(player.id, role) }) : disabled;
    },

    async confirmSecondFactor({ session: { player, token }, body }) {
      return replyWith(await accounts.confirmSecondFactor({ ...body, playerId: player.id, token }), toEmpty);
    },
  };
}

const ISSUER = "Holo Arena";

/** The Key URI format of authenticator apps. */
function toUri(username: string, secret: string): string {
  const issuer = encodeURIComponent(ISSUER);
  return `otpauth://totp/${issuer}:${encodeURIComponent(username)}?secret=${secret}&issuer=${issuer}`;
}
