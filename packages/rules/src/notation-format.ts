import { assert } from "@holo/kernel/assert.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { GameHistory, GameNotation, GameResult } from "./notation.ts";
import { type ClockStep, formatClock, parseClock } from "./notation-clock.ts";
import { parseSource, toPlain } from "./notation-source.ts";
import type { GameRules, Move, Played } from "./rules.ts";

/** The differences between the notations of the games. PDN is derived from PGN. */
export interface NotationDialect<Position> {
  readonly rules: GameRules<Position>;
  /** Every spelling of a result that is read. */
  readonly results: ReadonlyMap<string, GameResult>;
  /** Tags that every export of this game has. */
  readonly ownTags: ReadonlyMap<string, string>;
  /** Whether the tags can belong to this game. */
  isOwn(tags: ReadonlyMap<string, string>): boolean;
  /** The number of the first move from a position. */
  firstNumber(start: Position): number;
  readonly clockStep: ClockStep;
}

/** The seven tag roster with its values for "unknown" (PGN standard 8.1.1, PDN 3.0 tags). */
const ROSTER: ReadonlyMap<string, string> = new Map([
  ["Event", "?"],
  ["Site", "?"],
  ["Date", "????.??.??"],
  ["Round", "?"],
  ["White", "?"],
  ["Black", "?"],
  ["Result", "*"],
]);
/** PGN standard 8.2.1. */
const LINE_MAX = 79;

/** PGN or PDN of a game. Throws for illegal moves and for a FEN tag that is not a position. */
export function toNotation<Position>(dialect: NotationDialect<Position>): GameNotation {
  return {
    formatGame: (record) => `${formatTags(dialect, record)}\n\n${wrapWords(formatMoves(dialect, record))}\n`,
    parseGame: (text) => parseGame(dialect, text),
  };
}

/** The roster in its order, all other tags by name (PGN standard 8.1.1). */
function formatTags<Position>(dialect: NotationDialect<Position>, record: GameHistory): string {
  const all = new Map([...ROSTER, ...record.tags, ...dialect.ownTags]).set("Result", record.result);
  // The standard wants both tags or neither (9.7.1).
  if (fenOf(all) === null) for (const name of ["FEN", "SetUp"]) all.delete(name);
  else all.set("SetUp", "1");
  const others = [...all.keys()].filter((name) => !ROSTER.has(name)).sort();
  return [...ROSTER.keys(), ...others]
    .map((name) => {
      assert(/^\w+$/.test(name), "a tag is named by letters, digits and underscores");
      return `[${name} "${escapeValue(all.get(name)!)}"]`;
    })
    .join("\n");
}

/** A tag's value is one line: control characters become spaces. */
function escapeValue(value: string): string {
  return value.replace(/\p{Cc}/gu, " ").replace(/[\\"]/g, "\\$&");
}

function formatMoves<Position>({ rules, ...dialect }: NotationDialect<Position>, record: GameHistory): string[] {
  const { moves, remainingMs } = record;
  assert(remainingMs === undefined || remainingMs.length === moves.length, "a record has a clock for every move");
  let position = startOf(rules, record.tags);
  assert(position !== null, "a record starts from a position");
  let number = dialect.firstNumber(position);
  let isNumbered = false;
  const words: string[] = [];
  for (const [ply, move] of moves.entries()) {
    const isWhite = rules.toMove(position) === 1;
    if (isWhite) words.push(`${number}.`);
    else if (!isNumbered) words.push(`${number}...`);
    words.push(rules.formatMove(position, move));
    const leftMs = remainingMs?.[ply] ?? null;
    if (leftMs !== null) words.push(`{${formatClock(leftMs, dialect.clockStep)}}`);
    // After a comment black's move repeats its number (PGN standard 8.2.2.2).
    isNumbered = isWhite && leftMs === null;
    if (!isWhite) number += 1;
    position = playLegal(rules, position, move).position;
  }
  return [...words, record.result];
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

/**
 * Refuses `bad_record`: text that `parseSource` rejects, tags of another game, a FEN tag that is no
 * position, an illegal move of the main line, a result that contradicts its tag. `*` contradicts
 * nothing: PDN 3.0 ends every game with it. Without any result the game is open.
 */
function parseGame<Position>(dialect: NotationDialect<Position>, text: string): Result<GameHistory, "bad_record"> {
  const { rules, results } = dialect;
  const source = parseSource(text, results);
  if (source === null || !dialect.isOwn(source.tags)) return refuse("bad_record");
  const tagged = results.get(toPlain(source.tags.get("Result") ?? "").trim()) ?? "*";
  const result = source.ending === null || source.ending === "*" ? tagged : source.ending;
  if (tagged !== "*" && tagged !== result) return refuse("bad_record");
  let position = startOf(rules, source.tags);
  if (position === null) return refuse("bad_record");
  const moves: Move[] = [];
  const remainingMs: (number | null)[] = [];
  for (const word of source.words) {
    const move = rules.parseMove(position, word.text);
    if (!move.ok) return refuse("bad_record");
    const played: Played<Position> = playLegal(rules, position, move.value);
    moves.push(played.move);
    remainingMs.push(parseClock(word.comment, rules.toMove(position)));
    position = played.position;
  }
  const record = { tags: source.tags, moves, result };
  return ok(remainingMs.some((leftMs) => leftMs !== null) ? { ...record, remainingMs } : record);
}

/** An empty tag counts as absent. */
function fenOf(tags: ReadonlyMap<string, string>): string | null {
  const fen = tags.get("FEN")?.trim() ?? "";
  return fen === "" ? null : fen;
}

/** The position of the FEN tag, else the start position; null if the tag is not a position. */
function startOf<Position>(rules: GameRules<Position>, tags: ReadonlyMap<string, string>): Position | null {
  const fen = fenOf(tags);
  if (fen === null) return rules.start();
  const position = rules.parsePosition(fen);
  return position.ok ? position.value : null;
}

function playLegal<Position>(rules: GameRules<Position>, position: Position, move: Move): Played<Position> {
  const played = rules.play(position, move.path, move.promotion);
  assert(played.ok, "the moves of a record are legal");
  return played.value;
}
