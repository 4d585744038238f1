import { describe, expect, test } from "vitest";
import { EVERY_MATCH } from "../lobby/lobby.ts";
import { parseFrame } from "./client-frames.ts";

const GAME = "00000000-0000-4000-8000-000000000001";
const ID = "command-1";
const TOKEN = "a-token_of_43_characters_".padEnd(43, "x");
/** Frames are whole without them. */
const OPTIONAL = ["promotion", "chatSince", "invitation"];
const CREATE = {
  type: "create",
  commandId: ID,
  game: "chess",
  stake: 10,
  limitMinutes: 5,
  feeBps: 740,
  byInvitation: false,
  sentAgoMs: 0,
};
const MOVE = { type: "move", commandId: ID, gameId: GAME, atVersion: 2, path: [42, 35] };

const GOOD: readonly object[] = [
  CREATE,
  { ...CREATE, byInvitation: true, sentAgoMs: 86_400_000 },
  { type: "join", commandId: ID, gameId: GAME, sentAgoMs: 0 },
  { type: "join", commandId: ID, gameId: GAME, invitation: TOKEN, sentAgoMs: 1 },
  { type: "cancel", commandId: ID, gameId: GAME, whileWaiting: true },
  { type: "resign", commandId: ID, gameId: GAME },
  MOVE,
  { ...MOVE, path: [8, 0], promotion: "n" },
  { type: "watch", gameId: GAME, since: 0 },
  { type: "watch", gameId: GAME, since: 3, chatSince: 2 },
  { type: "watch", gameId: GAME, since: 3, invitation: TOKEN },
  { type: "offer_draw", commandId: ID, gameId: GAME, opponentMoves: 12 },
  { type: "request_takeback", commandId: ID, gameId: GAME, opponentMoves: 0 },
  { type: "offer_rematch", commandId: ID, gameId: GAME, feeBps: 0, sentAgoMs: 1 },
  { type: "answer_draw", commandId: ID, gameId: GAME, offer: 7, answer: "accept", atVersion: 6 },
  { type: "answer_takeback", commandId: ID, gameId: GAME, offer: 7, answer: "decline_all", atVersion: 6 },
  { type: "answer_rematch", commandId: ID, gameId: GAME, offer: 7, answer: "decline", sentAgoMs: 1 },
  { type: "chat", commandId: ID, gameId: GAME, text: "good game" },
  { type: "unwatch", gameId: GAME },
  { type: "watch_stats" },
  { type: "unwatch_stats" },
  { type: "watch_lobby", filter: { ...EVERY_MATCH, status: "active", search: "5 min" }, count: 60, request: 3 },
  { type: "watch_availability" },
  { type: "unwatch_availability" },
  { type: "probe" },
  { type: "unwatch_lobby" },
];

const WRONG: readonly unknown[] = [null, true, -1, 1.5, "", "x", " ".repeat(40), [], {}, [1, "2"], "NaN"];

describe.each(GOOD)("$type", (frame) => {
  test("is read as it was sent", () => {
    expect(parseFrame(JSON.stringify(frame))).toEqual({ ok: true, value: frame });
  });

  test.each(Object.keys(frame))("is refused without or with a wrong %s", (key) => {
    const { [key as never]: _, ...rest } = frame;
    if (!OPTIONAL.includes(key)) expect(parseFrame(JSON.stringify(rest)).ok).toBe(false);
    const isRight = (wrong: unknown): boolean =>
      (key === "text" && typeof wrong === "string") ||
      ((key === "byInvitation" || key === "whileWaiting") && wrong === true);
    for (const wrong of WRONG.filter((one) => !isRight(one)))
      expect(parseFrame(JSON.stringify({ ...frame, [key]: wrong })).ok).toBe(false);
  });

  // [CLOCK-02 §4,7 r1] The server keeps the time; times sent by a client are refused.
  test.each(["board", "remainingMs", "capturedCount", "balance", "player", "__proto__", "constructor"])(
    "is refused with a forged %s beside it [CLOCK-02 CALL-04]",
    (key) => {
      const text = `${JSON.stringify(frame).slice(0, -1)},"${key}":1}`;
      expect(parseFrame(text)).toEqual({ ok: false, refusal: "bad_request" });
    },
  );
});

test.each([
  "",
  "null",
  '{"type":"watch","gameId":"00000000-0000-4000-8000-000000000001","since":1e309}',
  "[]",
  "7",
  '"move"',
  "{",
  '{"type":"move"',
  '{"type":"constructor"}',
  "\u0000",
  "{}",
])("%j is no frame", (text) => {
  expect(parseFrame(text)).toEqual({ ok: false, refusal: "bad_request" });
});

test.each([
  [[42]],
  [[42, 64]],
  [[42, -1]],
  [Array.from({ length: 14 }, () => 1)],
  [["42", "35"]],
  [[42, null]],
  [{ 0: 42, 1: 35, length: 2 }],
])("%j is no path", (path) => {
  expect(parseFrame(JSON.stringify({ ...MOVE, path })).ok).toBe(false);
});

test.each([3, -1, 12, "5", 5.5])("a stake of %j is refused [WHAT-04]", (stake) => {
  expect(parseFrame(JSON.stringify({ ...CREATE, stake })).ok).toBe(false);
});

test("a rematch is declined once and for all, and not otherwise", () => {
  const answer = { type: "answer_rematch", commandId: ID, gameId: GAME, offer: 7, sentAgoMs: 0 };
  expect(parseFrame(JSON.stringify({ ...answer, answer: "accept" })).ok).toBe(true);
  expect(parseFrame(JSON.stringify({ ...answer, answer: "decline_all" })).ok).toBe(false);
});

test.each([
  { status: "cancelled" },
  { game: "ludo" },
  { stakeMin: 3 },
  { limitMinutes: 7 },
  { search: "a\0" },
  { search: "a".repeat(61) },
  { more: 1 },
])("no list is filtered by %j", (change) => {
  const watch = { type: "watch_lobby", filter: { ...EVERY_MATCH, ...change }, count: 30, request: 1 };
  expect(parseFrame(JSON.stringify(watch)).ok).toBe(false);
});

test.each([0, 15, 330])("a list of %j matches is not whole pages", (count) => {
  const watch = { type: "watch_lobby", filter: EVERY_MATCH, count, request: 1 };
  expect(parseFrame(JSON.stringify(watch)).ok).toBe(false);
});
