import { z } from "zod";
import { ACCOUNT_ROUTES } from "./account-routes.ts";
import { ADMIN_ROUTES } from "./admin-routes.ts";
import { GAME_ROUTES } from "./game-routes.ts";
import { MODERATION_ROUTES } from "./moderation-routes.ts";
import { PLAYER_ROUTES } from "./player-routes.ts";
import { RELEASE_ROUTES } from "./release-routes.ts";
import { WALLET_ROUTES } from "./wallet-routes.ts";

/**
 * Every HTTP route, once: the server registers its handlers from here, the OpenAPI page is made from here, and the page's fetch takes
 * its types from here (types only: no schema is loaded in the browser).
 */
export const ROUTES = {
  ...ACCOUNT_ROUTES,
  ...GAME_ROUTES,
  ...PLAYER_ROUTES,
  ...WALLET_ROUTES,
  ...ADMIN_ROUTES,
  ...MODERATION_ROUTES,
  ...RELEASE_ROUTES,
} as const;

export type RouteName = keyof typeof ROUTES;
type Part<Name extends RouteName, Key extends string> =
  (typeof ROUTES)[Name] extends Record<Key, infer Schema>
    ? Schema extends z.ZodType
      ? z.infer<Schema>
      : undefined
    : undefined;

export type RouteBody<Name extends RouteName> = Part<Name, "body">;
export type RouteQuery<Name extends RouteName> = Part<Name, "query">;
export type RouteParams<Name extends RouteName> = Part<Name, "params">;
export type RouteResponse<Name extends RouteName> = Part<Name, "response">;

/** What answers a request that was refused: status by the map in refusals.ts. */
export const refusalSchema = z.strictObject({ code: z.string(), title: z.string(), text: z.string() });
