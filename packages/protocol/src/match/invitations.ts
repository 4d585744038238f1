import { z } from "zod";
import { gameId } from "../fields.ts";
import { match } from "../game/games.ts";
import type { Route, View } from "../route.ts";

/** Names one game by invitation; anyone with it may sit down (ruling 42). */
export const invitationToken = z.string().regex(/^[\w-]{43}$/);

const invitation = z.strictObject({
  match,
  /** False: the creator has been away for more than a minute, and no one can join (ruling 38). */
  isCreatorHere: z.boolean(),
});
export type InvitationView = View<typeof invitation>;

export const INVITATION_ROUTES = {
  /** The game behind a link, in any status: the page leads on to a game that has begun. */
  invitation: {
    method: "get",
    path: "/api/invitations/{token}",
    access: "anyone",
    refusals: ["unknown_invitation"],
    params: z.strictObject({ token: invitationToken }),
    response: invitation,
  },
  /** The token of the viewer's own game while it waits. No one else ever receives it. */
  ownInvitation: {
    method: "get",
    path: "/api/matches/{id}/invitation",
    access: "player",
    refusals: ["unknown_game"],
    params: z.strictObject({ id: gameId }),
    response: z.strictObject({ token: invitationToken }),
  },
} as const satisfies Record<string, Route>;
