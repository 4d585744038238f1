import type { OrphanedBalanceView, ReviewEnd, ReviewsView, ReviewView } from "@holo/protocol/admin/money.ts";

export interface EndingReview {
  readonly type: "review";
  readonly review: ReviewView;
  readonly end: ReviewEnd;
}

/** What the open dialog ends. */
export type Ending = EndingReview | { readonly type: "left"; readonly wallet: OrphanedBalanceView };

/**
 * The open dialog after the reviews were loaded again because of a refusal. Only the refused dialog
 * gets new figures: staff may have closed it meanwhile and opened another.
 */
export function updateRefused(
  open: Ending | null,
  refused: EndingReview,
  reviews: ReviewsView | undefined,
): Ending | null {
  const latest = reviews?.payments.find(({ payment }) => payment.id === refused.review.payment.id);
  return open === refused && latest !== undefined ? { ...refused, review: latest } : open;
}
