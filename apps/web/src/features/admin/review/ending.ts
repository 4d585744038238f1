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
export function updateRefused(open: Ending | null, refused: Ending, reviews: ReviewsView | undefined): Ending | null {
  if (open !== refused || reviews === undefined) return open;
  if (refused.type === "left") {
    const wallet = reviews.orphanedBalances.find(({ playerId }) => playerId === refused.wallet.playerId);
    return wallet === undefined ? open : { ...refused, wallet };
  }
  const review = reviews.payments.find(({ payment }) => payment.id === refused.review.payment.id);
  return review === undefined ? open : { ...refused, review };
}
