import { z } from "zod";
import { coins, instant, whole } from "../fields.ts";
import { match, openGame, player } from "../game/games.ts";
import { maintenance, settings } from "../platform.ts";
import type { Route, View } from "../route.ts";
import { profileFields } from "./profile.ts";
import { restrictions } from "./restrictions.ts";

/** The signed-in player as only they see themselves. */
export const ownPlayer = player.extend({
  email: z.string(),
  emailVerified: z.boolean(),
  ...profileFields.shape,
});
export type OwnPlayerView = View<typeof ownPlayer>;

/** Roles beyond playing (ruling 25). A CEO has all permissions of an admin. */
export const role = z.enum(["admin", "ceo"]);
export type RoleView = View<typeof role>;

export const session = z.strictObject({
  /** Null for a visitor; then the balance is "0" and a player's fields are null. */
  player: ownPlayer.nullable(),
  /** As of this request; every staff action checks it again. Null for players and visitors. */
  role: role.nullable(),
  balance: coins,
  openGame: openGame.nullable(),
  settings,
  /** End of the cool-down in which this player may neither create nor join (ruling 17). */
  pausedUntil: instant.nullable(),
  limits: restrictions.nullable(),
  maintenance: maintenance.nullable(),
});
export type SessionView = View<typeof session>;

const profile = z.strictObject({
  player: ownPlayer,
  balance: coins,
  games: z.strictObject({
    pending: whole,
    active: whole,
    completed: whole,
    /** Of those completed. Wins, losses and draws are of the others (ruling 41). */
    free: whole,
    wins: whole,
    losses: whole,
    draws: whole,
  }),
  /** The player's games, newest first, at most 100. */
  matches: z.array(match),
});
export type ProfileView = View<typeof profile>;

export const SESSION_ROUTES = {
  session: { method: "get", path: "/api/session", access: "anyone", refusals: [], response: session },
  profile: { method: "get", path: "/api/profile", access: "player", refusals: [], response: profile },
} as const satisfies Record<string, Route>;
