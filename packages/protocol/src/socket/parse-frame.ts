import { isCommandId, isGameId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { GAME_TYPES, type GameType, PROMOTIONS, type Promotion } from "@holo/rules/rules.ts";
import { isSquare } from "@holo/rules/square.ts";
import { OFFER_ANSWERS, type OfferAnswer } from "@holo/table/log-record.ts";
import { isLimitMinutes, isStake } from "@holo/table/stakes.ts";
import { INVITATION_TOKEN } from "../arena/invitations.ts";
import { isLobbyFilter } from "../arena/lobby.ts";
import { isMatchCount } from "../arena/match-list-terms.ts";
import { type ClientFrame, PATH_SQUARES_MAX } from "./frames.ts";

const WHOLE_NUMBER_MAX = 2_147_483_647;
const BASIS_POINTS_MAX = 10_000;
/** A frame with a longer text is malformed; a text too long for chat has its own refusal. */
const TEXT_UNITS_MAX = 1_000;

type Fields = Readonly<Record<string, unknown>>;
type Check = (fields: Fields) => boolean;

const CHECKS: Readonly<Record<ClientFrame["type"], Check>> = {
  move: isMove,
  watch: isWatch,
  unwatch: (fields) => hasFields(fields, 2) && isGameId(fields.gameId),
  watch_stats: hasTypeOnly,
  unwatch_stats: hasTypeOnly,
  watch_lobby: (fields) =>
    hasFields(fields, 4) && isLobbyFilter(fields.filter) && isMatchCount(fields.count) && isWholeNumber(fields.request),
  unwatch_lobby: hasTypeOnly,
  watch_availability: hasTypeOnly,
  unwatch_availability: hasTypeOnly,
  probe: hasTypeOnly,
  join: (fields) => isGameCommand(fields, 3 + countInvitation(fields) + countSentAgo(fields)),
  cancel: (fields) => isGameCommand(fields, fields.whileWaiting === true ? 4 : 3),
  resign: isPlainCommand,
  offer_draw: isOffer,
  request_takeback: isOffer,
  offer_rematch: (fields) => isGameCommand(fields, 4 + countSentAgo(fields)) && isBasisPoints(fields.feeBps),
  answer_draw: (fields) => isOfferAnswer(fields, 6) && isWholeNumber(fields.atVersion),
  answer_takeback: (fields) => isOfferAnswer(fields, 6) && isWholeNumber(fields.atVersion),
  answer_rematch: (fields) => isOfferAnswer(fields, 5 + countSentAgo(fields)) && fields.answer !== "decline_all",
  chat: (fields) => isGameCommand(fields, 4) && typeof fields.text === "string" && fields.text.length <= TEXT_UNITS_MAX,
  create: (fields) =>
    hasFields(fields, (fields.byInvitation === true ? 7 : 6) + countSentAgo(fields)) &&
    isCommandId(fields.commandId) &&
    GAME_TYPES.includes(fields.game as GameType) &&
    isStake(fields.stake) &&
    isLimitMinutes(fields.limitMinutes) &&
    isBasisPoints(fields.feeBps),
};

/**
 * Reads one frame from a client. Handwritten because it runs for every move. Refuses unknown
 * fields, so that a client cannot add a board, a time or a balance (ruling 1).
 */
export function parseFrame(text: string): Result<ClientFrame, "bad_request"> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse("bad_request");
  }
  return isClientFrame(value) ? ok(value) : refuse("bad_request");
}

function isClientFrame(value: unknown): value is ClientFrame {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const fields = value as Fields;
  return isMessageType(fields.type) && CHECKS[fields.type](fields);
}

function isMessageType(type: unknown): type is ClientFrame["type"] {
  return typeof type === "string" && Object.hasOwn(CHECKS, type);
}

function isGameCommand(fields: Fields, count: number): boolean {
  return hasFields(fields, count) && isCommandId(fields.commandId) && isGameId(fields.gameId);
}

function isPlainCommand(fields: Fields): boolean {
  return isGameCommand(fields, 3);
}

function isOffer(fields: Fields): boolean {
  return isGameCommand(fields, isWholeNumber(fields.opponentMoves) ? 4 : 3);
}

function isMove(fields: Fields): boolean {
  const hasPromotion = fields.promotion !== undefined;
  return (
    isGameCommand(fields, hasPromotion ? 6 : 5) &&
    isWholeNumber(fields.atVersion) &&
    isPath(fields.path) &&
    (!hasPromotion || PROMOTIONS.includes(fields.promotion as Promotion))
  );
}

function isWatch(fields: Fields): boolean {
  const hasChat = fields.chatSince !== undefined;
  return (
    hasFields(fields, (hasChat ? 4 : 3) + countInvitation(fields)) &&
    isGameId(fields.gameId) &&
    isWholeNumber(fields.since) &&
    (!hasChat || isWholeNumber(fields.chatSince))
  );
}

/** 1 with a token: the arena decides whether it is valid. */
function countInvitation({ invitation }: Fields): 0 | 1 {
  return typeof invitation === "string" && INVITATION_TOKEN.test(invitation) ? 1 : 0;
}

function countSentAgo({ sentAgoMs }: Fields): 0 | 1 {
  return isWholeNumber(sentAgoMs) ? 1 : 0;
}

function isOfferAnswer(fields: Fields, count: number): boolean {
  return (
    isGameCommand(fields, count) && isWholeNumber(fields.offer) && OFFER_ANSWERS.includes(fields.answer as OfferAnswer)
  );
}

function hasTypeOnly(fields: Fields): boolean {
  return hasFields(fields, 1);
}

function isPath(value: unknown): boolean {
  return Array.isArray(value) && value.length >= 2 && value.length <= PATH_SQUARES_MAX && value.every(isSquare);
}

function isWholeNumber(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= WHOLE_NUMBER_MAX;
}

function isBasisPoints(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= BASIS_POINTS_MAX;
}

/** Every known field is checked by name, so the right count excludes unknown ones. */
function hasFields(fields: Fields, count: number): boolean {
  let found = 0;
  for (const _ in fields) found += 1;
  return found === count;
}
