import { z } from "zod";
import type { View } from "../route.ts";

/**
 * What a player sets on their profile: each field is a column of `profiles`, in snake case, with
 * this default. Their session carries it and `updateProfile` changes it.
 */
export const profileFields = z.strictObject({
  /** Chat, offers and notifications of the browser (ruling 29). */
  notificationsEnabled: z.boolean(),
  soundEnabled: z.boolean(),
  /** False: this player grants no takebacks and is not asked (ruling 18). */
  takebacksEnabled: z.boolean(),
});
export type ProfileFields = View<typeof profileFields>;

export const PROFILE_DEFAULTS: ProfileFields = {
  notificationsEnabled: true,
  soundEnabled: true,
  takebacksEnabled: true,
};
