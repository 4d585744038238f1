/** What a page tells a worker that waits: it may begin, unless somebody is at a table. */
export const TAKE_OVER = "take over";
