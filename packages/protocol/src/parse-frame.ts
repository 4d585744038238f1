import { isCommandId, isGameId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { GAME_TYPES, type GameType, PROMOTIONS, type Promotion } from "@holo/rules/rules.ts";
import { isSquare } from "@holo/rules/square.ts";
import { isLimitMinutes, isStake } from "@holo/table/stakes.ts";
import { type ClientFrame, PATH_SQUARES_MAX } from "./frames.ts";

/** Versions are PostgreSQL integers. */
const VERSION_MAX = 2_147_483_647;

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
      return hasFields(fields, 3) && isGameId(fields.gameId) && isVersion(fields.since)
        ? (fields as unknown as ClientFrame)
        : null;
    case "unwatch":
      return hasFields(fields, 2) && isGameId(fields.gameId) ? (fields as unknown as ClientFrame) : null;
    case "watch_lobby":
    case "unwatch_lobby":
      return hasFields(fields, 1) ? (fields as unknown as ClientFrame) : null;
    case "join":
    case "cancel":
    case "resign":
      return hasFields(fields, 3) && isCommandId(fields.commandId) && isGameId(fields.gameId)
        ? (fields as unknown as ClientFrame)
        : null;
    case "create":
      return hasFields(fields, 5) &&
        isCommandId(fields.commandId) &&
        GAME_TYPES.includes(fields.game as GameType) &&
        isStake(fields.stake) &&
        isLimitMinutes(fields.limitMinutes)
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

function isPath(value: unknown): boolean {
  return Array.isArray(value) && value.length >= 2 && value.length <= PATH_SQUARES_MAX && value.every(isSquare);
}

function isVersion(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= VERSION_MAX;
}

/** With every known field checked by name, a right count leaves no room for an unknown one. */
function hasFields(fields: Fields, count: number): boolean {
  let found = 0;
  for (const _ in fields) found += 1;
  return found === count;
}
