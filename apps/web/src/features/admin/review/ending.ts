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
  if (open === null || reviews === undefined || toDialogKey(open) !== toDialogKey(refused)) return open;
  if (open.type === "left") {
    const wallet = reviews.orphanedBalances.find(({ playerId }) => playerId === open.wallet.playerId);
    return wallet === undefined ? open : { ...open, wallet };
  }
  const review = reviews.payments.find(({ payment }) => payment.id === open.review.payment.id);
  return review === undefined ? open : { ...open, review };
}

/** The same after an earlier refusal gave the dialog new figures. */
export function toDialogKey(ending: Ending): string {
  return ending.type === "left" ? `left ${ending.wallet.playerId}` : `${ending.end} ${ending.review.payment.id}`;
}
