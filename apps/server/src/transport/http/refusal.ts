import { REFUSALS, type RefusalCode, type RefusalFigures, toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

/** A refusal's code, and the figures for the placeholders of its text. */
export type HttpRefusal<Code extends RefusalCode = RefusalCode> =
  | Code
  | { readonly code: Code; readonly figures?: RefusalFigures };

/** The answer to a fault names the request, by which its log lines are found. */
export function toFault(context: Context, requestId: string | undefined): Response {
  const code = "something_went_wrong";
  return context.json({ ...toRefusalView(code), requestId }, REFUSALS[code].status, { "cache-control": "no-store" });
}

/** The only way to refuse an HTTP request: status and text come from the map of all refusals. */
export function toRefusal(context: Context, refusal: HttpRefusal): Response {
  const { code, figures = {} } = typeof refusal === "string" ? { code: refusal } : refusal;
  return context.json(toRefusalView(code, figures), REFUSALS[code].status as ContentfulStatusCode, {
    "cache-control": "no-store",
  });
}
