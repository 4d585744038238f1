/**
 * Why a member of staff may not decide a case: their own (ruling 25), an admin's and so the CEO's
 * to decide, or about the CEO's account. The refusals have the same codes.
 */
export const STAFF_CONFLICTS = ["own_matter", "admin_matter", "ceo_matter"] as const;
export type StaffConflict = (typeof STAFF_CONFLICTS)[number];
