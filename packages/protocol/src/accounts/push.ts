import { z } from "zod";
import { empty, text } from "../fields.ts";
import type { Route } from "../route.ts";

/** A browser's PushSubscription, as its `toJSON` gives it. Keys in base64url (RFC 8291). */
const subscription = z.strictObject({
  endpoint: text(1000),
  keys: z.strictObject({
    p256dh: z.string().regex(/^[\w-]{87}=?$/),
    auth: z.string().regex(/^[\w-]{22}(==)?$/),
  }),
});

export const PUSH_ROUTES = {
  /** The key that browsers subscribe to. */
  pushKey: {
    method: "get",
    path: "/api/push",
    access: "player",
    refusals: [],
    response: z.strictObject({ publicKey: z.string() }),
  },
  /** Tells that browser what happens while no page is open (ruling 45), until its login ends. */
  subscribePush: {
    method: "post",
    path: "/api/push",
    access: "player",
    refusals: ["unknown_push_service"],
    body: subscription,
    response: empty,
  },
  unsubscribePush: {
    method: "post",
    path: "/api/push/end",
    access: "player",
    refusals: [],
    body: subscription.pick({ endpoint: true }),
    response: empty,
  },
} as const satisfies Record<string, Route>;
