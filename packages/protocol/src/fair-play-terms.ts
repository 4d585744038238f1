/** How long a player may appeal. */
export const APPEAL_DAYS = 14;
/** Of each text; the audit log holds 1,000 characters, with what was decided. */
export const FAIR_PLAY_TEXT_MAX = 900;
