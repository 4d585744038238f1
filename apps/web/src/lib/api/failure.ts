import type { RefusalView } from "@holo/protocol/refusals/refusals.ts";

type Failure = Pick<RefusalView, "title" | "text">;

/** The specification's text (section 8) for a request that failed; a refusal keeps its own. */
export function toSpecified(refusal: RefusalView, specified: Failure): Failure {
  return refusal.code === "unavailable" || refusal.code === "something_went_wrong" ? specified : refusal;
}

/**
 * What a page shows after a refused action, under the refusal's own title or another. Null if the
 * player closed the dialog that asks for a code: then nothing failed.
 */
export function toFailure({ code, title, text }: RefusalView, ownTitle: string = title): Failure | null {
  return code === "second_factor_required" ? null : { title: ownTitle, text };
}

/** Nothing is known of a request that failed: the same command may be sent again. */
export function toWithdrawalFailure(refusal: RefusalView): Failure | null {
  const { title, text } = refusal;
  return toFailure({ ...refusal, ...toSpecified(refusal, { title, text: `Failed to process withdrawal: ${text}` }) });
}
