import type { Instant } from "@holo/kernel/instant.ts";
import { SECOND_MS } from "@holo/kernel/instant.ts";
import type { VapidKeys } from "./vapid.ts";

/** What a browser gives a page that subscribes: where to send, and the keys to encrypt with. */
export interface PushSubscription {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

interface Push {
  readonly subscription: PushSubscription;
  readonly text: string;
  /** The push service drops it after this. */
  readonly expiresAt: Instant;
}

/** `gone`: the subscription has ended or is of another key. `refused`: a retry changes nothing. */
export type PushDelivery = "delivered" | "refused" | "gone";

export interface Pusher {
  /** Rejects if a retry may succeed; the message may have been sent nevertheless. */
  send(push: Push, now: Instant, signal: AbortSignal): Promise<PushDelivery>;
}

interface PusherDeps {
  readonly keys: VapidKeys;
  /** For the operator of the push service: `mailto:` or `https:`. */
  readonly contact: string;
}

const ENDED: ReadonlySet<number> = new Set([401, 403, 404, 410]);

/** Sends messages of Web Push (RFC 8030), encrypted for one browser (RFC 8291). */
export function openPusher({ keys, contact }: PusherDeps): Pusher {
  return {
    async send({ subscription, text, expiresAt }, now, signal) {
      // Loaded only where a browser has subscribed.
      const { default: webPush } = await import("web-push");
      const { headers, body, endpoint } = webPush.generateRequestDetails(subscription, text, {
        vapidDetails: { subject: contact, ...keys },
        TTL: Math.max(0, Math.floor((expiresAt - now) / SECOND_MS)),
        urgency: "high",
        contentEncoding: "aes128gcm",
      });
      const { status } = await fetch(endpoint, {
        method: "POST",
        headers: headers as Record<string, string>,
        body: new Uint8Array(body),
        redirect: "error",
        signal,
      });
      if (status >= 200 && status < 300) return "delivered";
      if (ENDED.has(status)) return "gone";
      if (status === 429 || status >= 500) throw new Error(`the push service answered ${status}`);
      return "refused";
    },
  };
}
