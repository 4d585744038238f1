import { assert, assertNever } from "@holo/kernel/assert.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { GameRecord, RecordNotation, RecordResult } from "@holo/rules/notation.ts";
import type { Move } from "@holo/rules/rules.ts";
import { type CheckersPosition, checkers } from "./checkers.ts";

/** Russian draughts, white first, 8x8, squares by letters and digits from the bottom left (PDN 3.0, GameType tag). */
const GAME_TYPE = "25,W,8,8,A0,0";
const LINE_MAX = 80;

/** The results of PDN, and those of two points a game with which some servers write them. */
const RESULTS: ReadonlyMap<string, RecordResult> = new Map([
  ["1-0", "1-0"],
  ["2-0", "1-0"],
  ["0-1", "0-1"],
  ["0-2", "0-1"],
  ["1/2-1/2", "1/2-1/2"],
  ["1-1", "1/2-1/2"],
  ["*", "*"],
]);

/** PDN. Formatting a record whose moves are not legal, or whose FEN tag is no position, is a fault of the caller's. */
export const pdn: RecordNotation = { formatRecord, parseRecord };

function formatRecord(record: GameRecord): string {
  const tags = new Map(record.tags).set("GameType", GAME_TYPE).set("Result", record.result);
  const lines: string[] = [];
  for (const [name, value] of tags) {
    assert(/^\w+$/.test(name), "a tag is named by letters, digits and underscores");
    lines.push(`[${name} "${value.replace(/\s+/g, " ").replace(/["\\]/g, "\\$&")}"]`);
  }
  lines.push("");
  let line = "";
  for (const word of formatMoves(record)) {
    if (line !== "" && line.length + 1 + word.length > LINE_MAX) {
      lines.push(line);
      line = "";
    }
    line += line === "" ? word : ` ${word}`;
  }
  return `${lines.join("\n")}\n${line}\n`;
}

function formatMoves(record: GameRecord): string[] {
  let position = toStart(record.tags);
  assert(position !== null, "the FEN tag of a record is a position");
  const words: string[] = [];
  let number = 1;
  for (const move of record.moves) {
    const isWhite = checkers.toMove(position) === 1;
    if (isWhite || words.length === 0) words.push(`${number}${isWhite ? "." : "..."}`);
    words.push(checkers.formatMove(position, move));
    position = playLegal(position, move).position;
    if (!isWhite) number += 1;
  }
  return [...words, record.result];
}

function playLegal(position: CheckersPosition, move: Move) {
  const played = checkers.play(position, move.path, move.promotion);
  assert(played.ok, "the moves of a record are legal");
  return played.value;
}

function toStart(tags: ReadonlyMap<string, string>): CheckersPosition | null {
  const fen = tags.get("FEN");
  if (fen === undefined) return checkers.start();
  const position = checkers.parsePosition(fen);
  return position.ok ? position.value : null;
}

type Token =
  | { readonly type: "tag"; readonly name: string; readonly value: string }
  | { readonly type: "open" | "close" }
  | { readonly type: "word"; readonly text: string };

/**
 * Reads one game, with or without tags. Comments, marks, move numbers and side lines of any depth are passed over. Without a result at
 * the end the Result tag gives it, else it is open. Refuses another GameType, an illegal move of the main line, a sign that
 * has no meaning here, an unclosed comment or side line, a tag given twice or after a move, a result that contradicts its tag, and
 * whatever follows the result.
 */
function parseRecord(text: string): Result<GameRecord, "bad_record"> {
  const tokens = toTokens(text.replace(/^\uFEFF/, ""));
  if (tokens === null) return refuse("bad_record");
  const tags = new Map<string, string>();
  const words = toMainLine(tokens, tags);
  if (words === null) return refuse("bad_record");
  const gameType = tags.get("GameType");
  if (gameType !== undefined && !/^25(,|$)/.test(gameType)) return refuse("bad_record");

  const tagged = RESULTS.get(tags.get("Result") ?? "");
  const ending = RESULTS.get(words.at(-1) ?? "");
  if (ending !== undefined) words.pop();
  if (ending !== undefined && tagged !== undefined && ending !== tagged) return refuse("bad_record");

  let position = toStart(tags);
  if (position === null) return refuse("bad_record");
  const moves: Move[] = [];
  for (const word of words) {
    const move = checkers.parseMove(position, word);
    if (!move.ok) return refuse("bad_record");
    moves.push(move.value);
    position = playLegal(position, move.value).position;
  }
  return ok({ tags, moves, result: ending ?? tagged ?? "*" });
}

const TOKEN =
  /\s+|\{[^}]*\}|;[^\n]*|\$\d+|[!?]+|\d+(?:\.+|(?=\s))|\[\s*(?<name>\w+)\s*"(?<value>(?:[^"\\\n]|\\.)*)"\s*\]|(?<bracket>[()])|(?<word>[\w:*/-]+)/y;

/** Null where something stands that is no part of a record; what carries no meaning is left out. */
function toTokens(text: string): Token[] | null {
  const tokens: Token[] = [];
  const pattern = new RegExp(TOKEN);
  while (pattern.lastIndex < text.length) {
    const groups = pattern.exec(text)?.groups;
    if (groups === undefined) return null;
    const { name, value, bracket, word } = groups;
    if (name !== undefined) tokens.push({ type: "tag", name, value: value!.replace(/\\(.)/g, "$1") });
    else if (bracket !== undefined) tokens.push({ type: bracket === "(" ? "open" : "close" });
    else if (word !== undefined) tokens.push({ type: "word", text: word });
  }
  return tokens;
}

/** The words outside all side lines; the tags before them go into `tags`. */
function toMainLine(tokens: readonly Token[], tags: Map<string, string>): string[] | null {
  const words: string[] = [];
  let depth = 0;
  for (const token of tokens) {
    switch (token.type) {
      case "tag":
        if (words.length > 0 || depth > 0 || tags.has(token.name)) return null;
        tags.set(token.name, token.value);
        break;
      case "open":
        depth += 1;
        break;
      case "close":
        depth -= 1;
        if (depth < 0) return null;
        break;
      case "word":
        if (depth === 0) words.push(token.text);
        break;
      default:
        assertNever(token);
    }
  }
  return depth === 0 ? words : null;
}
