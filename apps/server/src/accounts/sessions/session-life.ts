/** A session ends this long after it was last renewed. */
export const SESSION_LIFE_SECONDS = 7 * 24 * 60 * 60;
/** A session in use is renewed when it was not for this long. */
export const SESSION_RENEWAL_SECONDS = 24 * 60 * 60;
