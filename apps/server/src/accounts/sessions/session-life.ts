/** Since the last renewal. */
export const SESSION_LIFE_SECONDS = 7 * 24 * 60 * 60;
/** A session in use is renewed after this time. */
export const SESSION_RENEWAL_SECONDS = 24 * 60 * 60;
