/** A page's message to a waiting worker: take over unless a page is at a table. */
export const TAKE_OVER = "take over";
