import { REFUSALS, type RefusalCode, toRefusalView } from "@holo/protocol/refusals.ts";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

/** The one way a refusal leaves by HTTP: status and words from the map of all refusals. */
export function toRefusal(context: Context, code: RefusalCode): Response {
  return context.json(toRefusalView(code), REFUSALS[code].status as ContentfulStatusCode, {
    "cache-control": "no-store",
  });
}
