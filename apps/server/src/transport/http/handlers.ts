import type { PlayerId } from "@holo/kernel/ids.ts";
import { ok } from "@holo/kernel/result.ts";
import type { ContactView, MaintenanceView, SettingsView } from "@holo/protocol/platform.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import type { Accounts } from "../../accounts/accounts.ts";
import type { Admin } from "../../admin/admin.ts";
import type { FairPlay } from "../../fairplay/fairplay.ts";
import type { Games } from "../../game/game.ts";
import type { Lobby } from "../../lobby/lobby.ts";
import type { Matches } from "../../match/match.ts";
import type { Notices } from "../../notices/notices.ts";
import type { Payments } from "../../payments/payments.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Time } from "../../platform/time/time.ts";
import type { Players } from "../../players/players.ts";
import type { Releases } from "../../releases/releases.ts";
import { makeAccountDeletionHandlers } from "./accounts/account-deletion.ts";
import { makeAccountHandlers } from "./accounts/accounts.ts";
import { makeOwnAccountHandlers } from "./accounts/own-account.ts";
import { makePushHandlers } from "./accounts/push.ts";
import { makeRestrictionHandlers } from "./accounts/restrictions.ts";
import { makeSecondFactorHandlers } from "./accounts/second-factor.ts";
import { makeFairPlayHandlers } from "./admin/fair-play.ts";
import { makeModerationHandlers } from "./admin/moderation.ts";
import { makeAdminMoneyHandlers } from "./admin/money.ts";
import { makePlatformHandlers } from "./admin/platform.ts";
import { makeLeaderboardHandlers } from "./games/leaderboard.ts";
import { makeMatchHandlers } from "./games/matches.ts";
import { makePlayerHandlers } from "./games/players.ts";
import { makeReleaseHandlers } from "./releases/releases.ts";
import type { Handlers } from "./routes.ts";
import { makeOwnFairPlayHandlers } from "./wallet/fair-play.ts";
import { makePaymentHandlers } from "./wallet/payments.ts";
import { makeStatementHandlers } from "./wallet/statement.ts";

function makeContactHandlers(contact: ContactView): Handlers<"contact"> {
  return { contact: async () => ok({ body: contact }) };
}

interface HandlerDeps {
  readonly accounts: Accounts;
  readonly games: Games;
  readonly matches: Matches;
  readonly lobby: Lobby;
  readonly players: Players;
  readonly payments: Payments;
  readonly fairPlay: FairPlay;
  readonly admin: Admin;
  readonly releases: Releases;
  readonly notices: Notices;
  readonly queries: Queries;
  /** The clock of restrictions, games and payments. */
  readonly time: Time;
  readonly settings: () => SettingsView;
  readonly maintenance: () => MaintenanceView | null;
  readonly contact: ContactView;
  readonly requiresStaffCodes: boolean;
  readonly payerBearsFee: boolean;
  readonly push: (playerId: PlayerId, frame: ServerFrame) => void;
}

export function makeHandlers(deps: HandlerDeps): Handlers {
  return {
    ...makeAccountHandlers(deps),
    ...makeOwnAccountHandlers(deps),
    ...makeSecondFactorHandlers(deps),
    ...makeMatchHandlers(deps),
    ...makePlayerHandlers(deps),
    ...makePushHandlers(deps),
    ...makeRestrictionHandlers(deps),
    ...makeLeaderboardHandlers(deps),
    ...makeContactHandlers(deps.contact),
    ...makeStatementHandlers(deps),
    ...makePaymentHandlers(deps),
    ...makeAccountDeletionHandlers(deps),
    ...makePlatformHandlers(deps),
    ...makeAdminMoneyHandlers(deps),
    ...makeModerationHandlers(deps),
    ...makeFairPlayHandlers(deps),
    ...makeOwnFairPlayHandlers(deps),
    ...makeReleaseHandlers(deps.releases),
  };
}
