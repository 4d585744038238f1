import { ok } from "@holo/kernel/result.ts";
import type { FairPlay } from "../../../fairplay/fairplay.ts";
import { type Handlers, replyWith } from "../routes.ts";

type OwnFairPlayRoute = "ownFairPlay" | "writeToFairPlay" | "appealForfeit" | "fairPlayYears";

export function makeOwnFairPlayHandlers({
  fairPlay,
}: {
  readonly fairPlay: Pick<FairPlay, "player" | "loadYears">;
}): Handlers<OwnFairPlayRoute> {
  const { player, loadYears } = fairPlay;
  return {
    async ownFairPlay({ session }) {
      return ok({ body: await player.loadOwn(session.player.id) });
    },

    async writeToFairPlay({ session, body }) {
      return replyWith(await player.write({ ...body, playerId: session.player.id }), (view) => view);
    },

    async appealForfeit({ session, body }) {
      return replyWith(await player.appeal({ ...body, playerId: session.player.id }), (view) => view);
    },

    async fairPlayYears() {
      return ok({ body: { years: [...(await loadYears())] }, cacheControl: "public, max-age=3600" });
    },
  };
}
