import type { RefusalView } from "@holo/protocol/refusals/refusals.ts";

type Failure = Pick<RefusalView, "title" | "text">;

/**
 * What a page shows after a refused action, under the refusal's own title or another. Null if the
 * player closed the dialog that asks for a code: then nothing failed.
 */
export function toFailure({ code, title, text }: RefusalView, ownTitle: string = title): Failure | null {
  return code === "second_factor_required" ? null : { title: ownTitle, text };
}
