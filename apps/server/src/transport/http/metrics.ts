import { hash, timingSafeEqual } from "node:crypto";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import { toRefusal } from "./refusal.ts";
import type { HttpApp } from "./routes.ts";

export interface MetricsAccess {
  /** False in production without a token, and where the metrics have their own port. */
  readonly isServed: boolean;
  /** The token of `Authorization: Bearer`; null: none is required. */
  readonly token: string | null;
}

export function mountMetrics(app: HttpApp, metrics: Metrics, { isServed, token }: MetricsAccess): void {
  app.get("/metrics", async (context) => {
    if (!isServed) return toRefusal(context, "not_found");
    if (token !== null && !isBearer(context.req.header("authorization"), token)) {
      return context.text("a token is required", 401, { "www-authenticate": "Bearer" });
    }
    const { contentType, body } = await metrics.toText();
    return context.text(body, 200, { "content-type": contentType });
  });
}

/** Compares hashes in constant time: the time of a refusal reveals nothing about the token. */
function isBearer(authorization: string | undefined, token: string): boolean {
  const sent = /^Bearer (.+)$/i.exec(authorization ?? "")?.[1] ?? "";
  return timingSafeEqual(hash("sha256", sent, "buffer"), hash("sha256", token, "buffer"));
}
