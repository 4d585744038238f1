import { z } from "zod";
import { FAIR_PLAY_TEXT_MAX } from "./fair-play-terms.ts";
import { coins, gameId, instant, kobo, paymentId, text, whole } from "./fields.ts";
import type { Route, View } from "./route.ts";

export const fairPlayText = text(FAIR_PLAY_TEXT_MAX);

const message = z.strictObject({ at: instant, text: z.string() });

const appeal = z.strictObject({
  at: instant,
  text: z.string(),
  answer: z.strictObject({ at: instant, isAccepted: z.boolean(), text: z.string() }).nullable(),
});

/** Never signals, thresholds or other players. */
const ownCase = z.strictObject({
  id: z.string(),
  /** `released`: its time was over; `cleared`: all was in order. */
  state: z.enum(["open", "released", "cleared", "forfeited"]),
  openedAt: instant,
  /** Until when coins are held at most. */
  untilAt: instant,
  endedAt: instant.nullable(),
  /** What went back to those who lost it; null: nothing did. */
  forfeitedCoins: coins.nullable(),
  /** Of a forfeit: the games that were not played fairly. */
  gameIds: z.array(gameId),
  /** By the player, oldest first. */
  messages: z.array(message),
  /** Until when the player may appeal; null: never, or not any more. */
  appealUntilAt: instant.nullable(),
  appeal: appeal.nullable(),
});
export type OwnFairPlayCaseView = View<typeof ownCase>;

const ownFairPlay = z.strictObject({
  /** Withdrawals that wait; the player writes to the case of one. */
  held: z.array(
    z.strictObject({ paymentId, kobo, coins, untilAt: instant, messages: z.array(message), canWrite: z.boolean() }),
  ),
  /** Newest first: those that hold or held coins of the player. */
  cases: z.array(ownCase),
});
export type OwnFairPlayView = View<typeof ownFairPlay>;

const year = z.strictObject({
  year: whole,
  withdrawals: whole,
  /** Cases that held coins. */
  held: whole,
  released: whole,
  cleared: whole,
  forfeited: whole,
  appeals: whole,
  accepted: whole,
  /** From the hold to its end; null without any that ended. */
  meanHours: z.number().nullable(),
});
export type FairPlayYearView = View<typeof year>;

export const FAIR_PLAY_PLAYER_ROUTES = {
  ownFairPlay: {
    method: "get",
    path: "/api/fair-play",
    access: "player",
    refusals: [],
    response: ownFairPlay,
  },
  /** What the player adds to the check of a withdrawal. */
  writeToFairPlay: {
    method: "post",
    path: "/api/fair-play/messages",
    access: "player",
    refusals: ["fair_play_text_missing", "unknown_payment", "fair_play_over", "fair_play_messages_full"],
    body: z.strictObject({ paymentId, text: fairPlayText }),
    response: ownFairPlay,
  },
  /** Once for each forfeit. */
  appealForfeit: {
    method: "post",
    path: "/api/fair-play/appeals",
    access: "player",
    refusals: ["fair_play_text_missing", "unknown_case", "appeal_made", "appeal_over"],
    body: z.strictObject({ id: z.uuid(), text: fairPlayText }),
    response: ownFairPlay,
  },
  /** For everyone, newest first, by the year in which they began. */
  fairPlayYears: {
    method: "get",
    path: "/api/fair-play/years",
    access: "anyone",
    refusals: [],
    response: z.strictObject({ years: z.array(year) }),
  },
} as const satisfies Record<string, Route>;
