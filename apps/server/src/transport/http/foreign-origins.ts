import type { MiddlewareHandler } from "hono";
import { toRefusal } from "./refusal.ts";

/**
 * Refuses changes from other sites by Sec-Fetch-Site, or by Origin for older browsers. Requests
 * without both are refused.
 */
export function refuseForeignOrigins(origins: readonly string[]): MiddlewareHandler {
  return async (context, next) => {
    if (context.req.method === "GET" || context.req.method === "HEAD") return await next();
    const site = context.req.header("sec-fetch-site");
    const origin = context.req.header("origin");
    const isForeign =
      (site === undefined && origin === undefined) ||
      (site !== undefined && site !== "same-origin") ||
      (origin !== undefined && !origins.includes(origin));
    return isForeign ? toRefusal(context, "foreign_origin") : await next();
  };
}
