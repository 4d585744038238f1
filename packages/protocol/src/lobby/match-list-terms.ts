/** Matches on the first page of a list (specification 9); "Show more" adds as many. */
export const MATCHES_PER_PAGE = 30;
export const MATCHES_MAX = 300;
export const SEARCH_MAX = 60;
