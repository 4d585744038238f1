import { z } from "zod";
import { ACCOUNT_DELETION_ROUTES, ACCOUNT_FILE_ROUTES } from "./accounts/account-deletion.ts";
import { ACCOUNT_ROUTES } from "./accounts/accounts.ts";
import { PLAYER_ROUTES } from "./accounts/players.ts";
import { PUSH_ROUTES } from "./accounts/push.ts";
import { RESTRICTION_ROUTES } from "./accounts/restrictions.ts";
import { SECOND_FACTOR_ROUTES } from "./accounts/second-factor.ts";
import { SESSION_ROUTES } from "./accounts/session.ts";
import { FAIR_PLAY_CASE_ROUTES } from "./admin/fair-play-cases.ts";
import { MODERATION_ROUTES } from "./admin/moderation.ts";
import { ADMIN_MONEY_ROUTES } from "./admin/money.ts";
import { OVERVIEW_ROUTES } from "./admin/overview.ts";
import { SETTINGS_ROUTES } from "./admin/settings.ts";
import { STAFF_ROUTES } from "./admin/staff.ts";
import { WITHDRAWAL_HOLD_ROUTES } from "./admin/withdrawal-holds.ts";
import { FAIR_PLAY_PLAYER_ROUTES } from "./fair-play.ts";
import { GAME_FILE_ROUTES, GAME_ROUTES } from "./game/games.ts";
import { INVITATION_ROUTES } from "./match/invitations.ts";
import { PAYMENT_ROUTES } from "./payments/payments.ts";
import { WALLET_FILE_ROUTES, WALLET_ROUTES } from "./payments/wallet.ts";
import { PLATFORM_ROUTES } from "./platform.ts";
import type { RefusalCode } from "./refusals/refusals.ts";
import { RELEASE_FILE_ROUTES, RELEASE_ROUTES } from "./releases.ts";
import type { FileRoute, RefusalOf, View } from "./route.ts";

/**
 * Every HTTP route with JSON. The server registers handlers from this table and describes them in
 * /openapi.json; the page's calls are typed by it.
 */
export const ROUTES = {
  ...ACCOUNT_ROUTES,
  ...SECOND_FACTOR_ROUTES,
  ...PUSH_ROUTES,
  ...SESSION_ROUTES,
  ...RESTRICTION_ROUTES,
  ...ACCOUNT_DELETION_ROUTES,
  ...GAME_ROUTES,
  ...INVITATION_ROUTES,
  ...PLAYER_ROUTES,
  ...PLATFORM_ROUTES,
  ...WALLET_ROUTES,
  ...PAYMENT_ROUTES,
  ...OVERVIEW_ROUTES,
  ...STAFF_ROUTES,
  ...SETTINGS_ROUTES,
  ...ADMIN_MONEY_ROUTES,
  ...MODERATION_ROUTES,
  ...WITHDRAWAL_HOLD_ROUTES,
  ...FAIR_PLAY_CASE_ROUTES,
  ...FAIR_PLAY_PLAYER_ROUTES,
  ...RELEASE_ROUTES,
} as const;

export const FILE_ROUTES = {
  ...ACCOUNT_FILE_ROUTES,
  ...GAME_FILE_ROUTES,
  ...WALLET_FILE_ROUTES,
  ...RELEASE_FILE_ROUTES,
} as const satisfies Record<string, FileRoute>;

type Routes = typeof ROUTES;
export type RouteName = keyof Routes;
export type FileRouteName = keyof typeof FILE_ROUTES;

type Part = "params" | "query" | "body";
type SchemaOf<Name extends RouteName, Key extends Part> =
  Routes[Name] extends Readonly<Record<Key, infer Schema extends z.ZodType>> ? Schema : z.ZodUndefined;

export type RouteAccess<Name extends RouteName> = Routes[Name]["access"];
export type RequestPart<Name extends RouteName, Key extends Part> = View<SchemaOf<Name, Key>>;
export type RequestInput<Name extends RouteName, Key extends Part> = z.input<SchemaOf<Name, Key>>;
export type RouteResponse<Name extends RouteName> = View<Routes[Name]["response"]>;

export type RouteRefusal<Name extends RouteName> = RefusalOf<Routes[Name]>;
export type FileRouteRefusal<Name extends FileRouteName> = RefusalOf<(typeof FILE_ROUTES)[Name]>;

export function toRefusalSchema(codes: readonly RefusalCode[]) {
  // Only faults name their request.
  return z.strictObject({ code: z.enum(codes), title: z.string(), text: z.string(), requestId: z.string().optional() });
}
