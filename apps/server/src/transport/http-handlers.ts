import type { PlayerId } from "@holo/kernel/ids.ts";
import type { ServerFrame } from "@holo/protocol/frames.ts";
import type { ContactView, MaintenanceView, SettingsView } from "@holo/protocol/views.ts";
import type { Accounts } from "../accounts/accounts.ts";
import type { Admin } from "../admin/admin.ts";
import type { Arena } from "../arena/arena.ts";
import type { Payments } from "../payments/payments.ts";
import type { Queries } from "../platform/database.ts";
import type { Time } from "../platform/time.ts";
import type { Releases } from "../releases/releases.ts";
import { makeAccountHandlers } from "./http-accounts.ts";
import { makeAdminHandlers } from "./http-admin.ts";
import { makeHouseHandlers } from "./http-admin-house.ts";
import { makeAdminMoneyHandlers } from "./http-admin-money.ts";
import { makeArenaHandlers } from "./http-arena.ts";
import { makeClosingHandlers } from "./http-closing.ts";
import { makeContactHandlers } from "./http-contact.ts";
import { makeLimitHandlers } from "./http-limits.ts";
import { makeOwnAccountHandlers } from "./http-own-account.ts";
import { makePaymentHandlers } from "./http-payments.ts";
import { makePeopleHandlers } from "./http-people.ts";
import { makeReleaseHandlers } from "./http-releases.ts";
import type { Handlers } from "./http-routes.ts";
import { makeStandingHandlers } from "./http-standings.ts";
import { makeStatementHandlers } from "./http-statement.ts";

export interface HandlersOptions {
  readonly accounts: Accounts;
  readonly arena: Arena;
  readonly payments: Payments;
  readonly admin: Admin;
  readonly releases: Releases;
  readonly queries: Queries;
  /** What limits and closings go by, as games and payments do. */
  readonly time: Time;
  /** In force now. */
  readonly settings: () => SettingsView;
  readonly maintenance: () => MaintenanceView | null;
  readonly contact: ContactView;
  /** Whether the provider's fee is added to what a deposit costs. */
  readonly payerBearsFee: boolean;
  /** Shows a frame to all connections of a player. */
  readonly push: (playerId: PlayerId, frame: ServerFrame) => void;
}

/** What answers the protocol's routes, all of them. */
export function makeHandlers(options: HandlersOptions): Handlers {
  return {
    ...makeAccountHandlers(options),
    ...makeOwnAccountHandlers(options),
    ...makeArenaHandlers(options.arena),
    ...makePeopleHandlers(options),
    ...makeLimitHandlers(options),
    ...makeStandingHandlers(options),
    ...makeContactHandlers(options.contact),
    ...makeStatementHandlers(options),
    ...makePaymentHandlers(options),
    ...makeClosingHandlers(options),
    ...makeAdminHandlers(options),
    ...makeAdminMoneyHandlers(options),
    ...makeHouseHandlers(options),
    ...makeReleaseHandlers(options.releases),
  };
}
