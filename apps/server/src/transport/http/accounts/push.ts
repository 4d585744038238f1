import { ok } from "@holo/kernel/result.ts";
import type { Notices } from "../../../notices/notices.ts";
import { type Handlers, replyWith, toEmpty } from "../routes.ts";

type PushRoute = "pushKey" | "subscribePush" | "unsubscribePush";

export function makePushHandlers({ notices }: { readonly notices: Notices }): Handlers<PushRoute> {
  return {
    async pushKey() {
      return ok({ body: { publicKey: notices.publicKey } });
    },

    async subscribePush({ session: { token, player }, body }) {
      return replyWith(await notices.subscribe(player.id, token, body), toEmpty);
    },

    async unsubscribePush({ session: { player }, body }) {
      await notices.unsubscribe(player.id, body.endpoint);
      return ok({ body: {} });
    },
  };
}
