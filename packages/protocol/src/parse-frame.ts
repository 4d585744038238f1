import { isCommandId, isGameId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { GAME_TYPES, type GameType, PROMOTIONS, type Promotion } from "@holo/rules/rules.ts";
import { isSquare } from "@holo/rules/square.ts";
import { OFFER_ANSWERS, type OfferAnswer } from "@holo/table/log-record.ts";
import { isLimitMinutes, isStake } from "@holo/table/stakes.ts";
import { type ClientFrame, PATH_SQUARES_MAX } from "./frames.ts";

/** Versions are PostgreSQL integers. */
const VERSION_MAX = 2_147_483_647;
const BASIS_POINTS_MAX = 10_000;
/** So much text is read at all; what is too long for chat is refused with its own words. */
const TEXT_UNITS_MAX = 1_000;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads one frame from a client. Written by hand, since it runs for every move: exact fields and nothing more, so that a board, a time
 * or a balance that a client adds is refused as an unknown field (ruling 1).
 */
export function parseFrame(text: string): Result<ClientFrame, "bad_request"> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse("bad_request");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return refuse("bad_request");
  const frame = toFrame(value as Fields);
  return frame === null ? refuse("bad_request") : ok(frame);
}

function toFrame(fields: Fields): ClientFrame | null {
  switch (fields.type) {
    case "move":
      return isMove(fields) ? (fields as unknown as ClientFrame) : null;
    case "watch":
      return isWatch(fields) ? (fields as unknown as ClientFrame) : null;
    case "unwatch":
      return hasFields(fields, 2) && isGameId(fields.gameId) ? (fields as unknown as ClientFrame) : null;
    case "watch_stats":
    case "unwatch_stats":
    case "watch_lobby":
    case "unwatch_lobby":
      return hasFields(fields, 1) ? (fields as unknown as ClientFrame) : null;
    case "join":
    case "cancel":
    case "resign":
    case "offer_draw":
    case "request_takeback":
      return hasFields(fields, 3) && isCommandId(fields.commandId) && isGameId(fields.gameId)
        ? (fields as unknown as ClientFrame)
        : null;
    case "offer_rematch":
      return hasFields(fields, 4) &&
        isCommandId(fields.commandId) &&
        isGameId(fields.gameId) &&
        isBasisPoints(fields.feeBps)
        ? (fields as unknown as ClientFrame)
        : null;
    case "answer_draw":
    case "answer_takeback":
      return isAnswer(fields, 6) && isVersion(fields.atVersion) ? (fields as unknown as ClientFrame) : null;
    case "answer_rematch":
      return isAnswer(fields, 5) && fields.answer !== "decline_all" ? (fields as unknown as ClientFrame) : null;
    case "chat":
      return hasFields(fields, 4) &&
        isCommandId(fields.commandId) &&
        isGameId(fields.gameId) &&
        typeof fields.text === "string" &&
        fields.text.length <= TEXT_UNITS_MAX
        ? (fields as unknown as ClientFrame)
        : null;
    case "create":
      return hasFields(fields, 6) &&
        isCommandId(fields.commandId) &&
        GAME_TYPES.includes(fields.game as GameType) &&
        isStake(fields.stake) &&
        isLimitMinutes(fields.limitMinutes) &&
        isBasisPoints(fields.feeBps)
        ? (fields as unknown as ClientFrame)
        : null;
    default:
      return null;
  }
}

function isMove(fields: Fields): boolean {
  const hasPromotion = fields.promotion !== undefined;
  return (
    hasFields(fields, hasPromotion ? 6 : 5) &&
    isCommandId(fields.moveId) &&
    isGameId(fields.gameId) &&
    isVersion(fields.atVersion) &&
    isPath(fields.path) &&
    (!hasPromotion || PROMOTIONS.includes(fields.promotion as Promotion))
  );
}

function isWatch(fields: Fields): boolean {
  const hasChat = fields.chatSince !== undefined;
  return (
    hasFields(fields, hasChat ? 4 : 3) &&
    isGameId(fields.gameId) &&
    isVersion(fields.since) &&
    (!hasChat || isVersion(fields.chatSince))
  );
}

function isAnswer(fields: Fields, count: number): boolean {
  return (
    hasFields(fields, count) &&
    isCommandId(fields.commandId) &&
    isGameId(fields.gameId) &&
    isVersion(fields.offer) &&
    OFFER_ANSWERS.includes(fields.answer as OfferAnswer)
  );
}

function isPath(value: unknown): boolean {
  return Array.isArray(value) && value.length >= 2 && value.length <= PATH_SQUARES_MAX && value.every(isSquare);
}

function isVersion(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= VERSION_MAX;
}

function isBasisPoints(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= BASIS_POINTS_MAX;
}

/** With every known field checked by name, a right count leaves no room for an unknown one. */
function hasFields(fields: Fields, count: number): boolean {
  let found = 0;
  for (const _ in fields) found += 1;
  return found === count;
}
