import { assertNever } from "@holo/kernel/assert.ts";
import type { Payments } from "../../../payments/payments.ts";
import { readBytes } from "../read-body.ts";
import { toRefusal } from "../refusal.ts";
import type { HttpApp } from "../routes.ts";

export const WEBHOOK_PATH = "/api/paystack/webhook";
const BODY_BYTES_MAX = 64 * 1024;

/**
 * The payment provider's webhook, authenticated by its signature over the raw bytes. Answers 200
 * after the effect is committed; the provider repeats it after a 500.
 */
export function mountWebhook(app: HttpApp, payments: Pick<Payments, "receive">): void {
  app.post(WEBHOOK_PATH, async (context) => {
    const bytes = await readBytes(context, BODY_BYTES_MAX);
    if (bytes === null) return toRefusal(context, "too_large");
    const received = await payments.receive(bytes, context.req.header("x-paystack-signature") ?? null);
    if (received.ok) return context.body("", 200, { "cache-control": "no-store" });
    switch (received.refusal) {
      case "bad_signature":
        return toRefusal(context, "bad_signature");
      case "unreadable":
        return toRefusal(context, "bad_request");
      default:
        return assertNever(received.refusal);
    }
  });
}
