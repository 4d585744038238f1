/** How long a player may appeal. */
export const APPEAL_DAYS = 14;
/** Characters of a message, a note, a reason, an appeal and its answer. */
export const FAIR_PLAY_TEXT_MAX = 1_000;
