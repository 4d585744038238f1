import { assert } from "@holo/kernel/assert.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { GameRecord, RecordNotation, RecordResult } from "@holo/rules/notation.ts";
import type { Move } from "@holo/rules/rules.ts";
import { type ChessPosition, chess } from "./chess.ts";

/** The seven tag roster with what stands for the unknown (PGN standard 8.1.1). */
const ROSTER: ReadonlyMap<string, string> = new Map([
  ["Event", "?"],
  ["Site", "?"],
  ["Date", "????.??.??"],
  ["Round", "?"],
  ["White", "?"],
  ["Black", "?"],
  ["Result", "*"],
]);
const RESULTS: readonly RecordResult[] = ["1-0", "0-1", "1/2-1/2", "*"];
const TAG_NAME = /^\w+$/;
const LINE_MAX = 80;

/** PGN. Formatting a record whose moves are not legal, or whose FEN tag is no position, is a fault of the caller's. */
export const pgn: RecordNotation = { formatRecord, parseRecord };

function formatRecord(record: GameRecord): string {
  return `${formatTags(record)}\n\n${wrapWords(formatMoves(record))}\n`;
}

function formatTags(record: GameRecord): string {
  const tags = new Map(ROSTER);
  for (const [name, value] of record.tags) tags.set(name, value);
  tags.set("Result", record.result);
  // The standard wants the two together or neither (9.7.1).
  tags.delete("SetUp");
  if (tags.has("FEN")) tags.set("SetUp", "1");
  return Array.from(tags, ([name, value]) => {
    assert(TAG_NAME.test(name), "a tag is named by letters, digits and underscores");
    return `[${name} "${escapeValue(value)}"]`;
  }).join("\n");
}

/** A tag's value is one line: control characters become spaces. */
function escapeValue(value: string): string {
  return value.replace(/\p{Cc}/gu, " ").replace(/[\\"]/g, "\\$&");
}

function formatMoves(record: GameRecord): string[] {
  const start = startOf(record.tags);
  assert(start !== null, "a record starts from a position");
  let position = start;
  const words: string[] = [];
  for (const move of record.moves) {
    if (chess.toMove(position) === 1) words.push(`${position.fullMoves}.`);
    else if (words.length === 0) words.push(`${position.fullMoves}...`);
    words.push(chess.formatMove(position, move));
    const played = chess.play(position, move.path, move.promotion);
    assert(played.ok, "a record holds legal moves");
    position = played.value.position;
  }
  words.push(record.result);
  return words;
}

function wrapWords(words: readonly string[]): string {
  const lines: string[] = [];
  let line = "";
  for (const word of words) {
    if (line !== "" && line.length + 1 + word.length > LINE_MAX) {
      lines.push(line);
      line = "";
    }
    line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join("\n");
}

function startOf(tags: ReadonlyMap<string, string>): ChessPosition | null {
  const fen = tags.get("FEN");
  if (fen === undefined) return chess.start();
  const position = chess.parsePosition(fen);
  return position.ok ? position.value : null;
}

/** Blanks, both kinds of comment, and lines that a `%` in the first column keeps for other programs. */
const SKIPPED = /(?:\s+|\{[^}]*\}|;[^\n]*|(?<![^\n])%[^\n]*)*/y;
const TAG = /\[\s*(\w+)\s*"((?:[^"\\\r\n]|\\.)*)"\s*\]/y;
/** Move numbers, numeric glyphs and marks that stand apart from their move. */
const NOISE = /\d+(?=[.\s])\.*|\.+|\$\d+|[!?]+|e\.p\.(?!\w)/y;
const WORD = /[\w+#=:/*!?-]+/y;

/**
 * Reads one game, with or without tags. Comments, numeric glyphs, escaped lines and side lines of any depth are passed over; without a
 * result at the end the Result tag tells it, else it is open. Refuses `bad_record` for an illegal move of the main line, an unknown
 * sign, an unclosed comment or side line, a tag given twice, a result that contradicts its tag, and anything after the result.
 */
function parseRecord(text: string): Result<GameRecord, "bad_record"> {
  const source = new Source(text.replace(/^\uFEFF/, ""));
  const tags = parseTags(source);
  let position = tags === null ? null : startOf(tags);
  if (tags === null || position === null) return refuse("bad_record");
  const moves: Move[] = [];
  let ending: RecordResult | null = null;
  let depth = 0;
  for (source.take(SKIPPED); !source.isAtEnd(); source.take(SKIPPED)) {
    if (ending !== null) return refuse("bad_record");
    if (source.take(/\(/y) !== null) depth++;
    else if (source.take(/\)/y) !== null) {
      if (--depth < 0) return refuse("bad_record");
    } else if (source.take(NOISE) === null) {
      const word = source.take(WORD)?.[0];
      if (word === undefined) return refuse("bad_record");
      if (depth > 0) continue;
      ending = RESULTS.find((result) => result === word) ?? null;
      if (ending !== null) continue;
      const move = chess.parseMove(position, word);
      if (!move.ok) return refuse("bad_record");
      const played = chess.play(position, move.value.path, move.value.promotion);
      assert(played.ok, "a move that was read is legal");
      moves.push(played.value.move);
      position = played.value.position;
    }
  }
  const tagged = RESULTS.find((result) => result === tags.get("Result")) ?? null;
  if (depth > 0 || (ending !== null && tagged !== null && ending !== tagged)) return refuse("bad_record");
  return ok({ tags, moves, result: ending ?? tagged ?? "*" });
}

function parseTags(source: Source): ReadonlyMap<string, string> | null {
  const tags = new Map<string, string>();
  for (;;) {
    source.take(SKIPPED);
    const tag = source.take(TAG);
    if (tag === null) return tags;
    if (tags.has(tag[1]!)) return null;
    tags.set(tag[1]!, tag[2]!.replace(/\\(.)/g, "$1"));
  }
}

/** A text that is read from front to back, one sticky pattern at a time. */
class Source {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match !== null) this.#at += match[0].length;
    return match;
  }

  isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }
}
