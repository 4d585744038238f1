import { REFUSALS, type RefusalCode, type RefusalFigures, toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

/** A refusal as a handler gives it: its code, and the figures its words have places for. */
export type HttpRefusal<Code extends RefusalCode = RefusalCode> =
  | Code
  | { readonly code: Code; readonly figures?: RefusalFigures };

/** The one way a refusal leaves by HTTP: status and words from the map of all refusals. */
export function toRefusal(context: Context, refusal: HttpRefusal): Response {
  const { code, figures = {} } = typeof refusal === "string" ? { code: refusal } : refusal;
  return context.json(toRefusalView(code, figures), REFUSALS[code].status as ContentfulStatusCode, {
    "cache-control": "no-store",
  });
}
