import { assert } from "@holo/kernel/assert.ts";
import { runSteps, type Steps } from "@holo/kernel/steps.ts";
import type { GameRules, Move, NotationDialect } from "./rules.ts";

export type GameResult = "1-0" | "0-1" | "1/2-1/2" | "*";

/** A game as PGN (chess) or PDN (checkers) describes it. */
export interface GameHistory {
  /** Tag pairs in order, such as Event, Date, White, Black, FEN. */
  readonly tags: ReadonlyMap<string, string>;
  readonly moves: readonly Move[];
  readonly result: GameResult;
  /** The mover's time left after each move, as long as `moves`; null where unknown. */
  readonly remainingMs?: readonly (number | null)[];
}

export interface GameNotation {
  /**
   * Writes clocks as `[%clk h:mm:ss]`, in PGN with tenths, rounded down. Throws for illegal moves
   * and for an invalid FEN tag.
   */
  formatGame(game: GameHistory): string;
  /** As `formatGame`, with a step for each move: long games take a tenth of a second. */
  formatGameInSteps(game: GameHistory): Steps<string>;
}

type ClockStep = NotationDialect<unknown>["clockStep"];

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

const SECOND_MS = 1_000;
const TENTH_MS = 100;

export function toNotation<Position>(rules: GameRules<Position>): GameNotation {
  function* formatGameInSteps(game: GameHistory): Steps<string> {
    return `${formatTags(rules.notation, game)}\n\n${wrapWords(yield* formatMoves(rules, game))}\n`;
  }
  return { formatGame: (game) => runSteps(formatGameInSteps(game)), formatGameInSteps };
}

/** The roster in its order, all other tags by name (PGN standard 8.1.1). */
function formatTags<Position>(dialect: NotationDialect<Position>, game: GameHistory): string {
  const all = new Map([...ROSTER, ...game.tags, ...dialect.ownTags]).set("Result", game.result);
  // The standard requires both tags or neither (9.7.1).
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

function* formatMoves<Position>(rules: GameRules<Position>, game: GameHistory): Steps<readonly string[]> {
  const { moves, remainingMs } = game;
  assert(remainingMs === undefined || remainingMs.length === moves.length, "a game has a clock for every move");
  let position = startOf(rules, game.tags);
  assert(position !== null, "a game starts from a position");
  let number = rules.notation.firstNumber(position);
  let isNumbered = false;
  const words: string[] = [];
  for (const [ply, move] of moves.entries()) {
    const isWhite = rules.toMove(position) === 1;
    if (isWhite) words.push(`${number}.`);
    else if (!isNumbered) words.push(`${number}...`);
    words.push(rules.formatMove(position, move));
    const leftMs = remainingMs?.[ply] ?? null;
    if (leftMs !== null) words.push(`{${formatClock(leftMs, rules.notation.clockStep)}}`);
    // After a comment black's move repeats its number (PGN standard 8.2.2.2).
    isNumbered = isWhite && leftMs === null;
    if (!isWhite) number += 1;
    const played = rules.play(position, move.path, move.promotion);
    assert(played.ok, "the moves of a game are legal");
    position = played.value.position;
    yield;
  }
  return [...words, game.result];
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

/** `[%clk 0:04:59.3]`, rounded down, so that an export never shows more time than was left. */
export function formatClock(remainingMs: number, step: ClockStep): string {
  const seconds = Math.floor(remainingMs / SECOND_MS);
  const tenths = step === "tenth" ? Math.floor((remainingMs % SECOND_MS) / TENTH_MS) : 0;
  const minutes = Math.floor(seconds / 60);
  const time = `${Math.floor(minutes / 60)}:${toPair(minutes % 60)}:${toPair(seconds % 60)}`;
  return `[%clk ${time}${tenths === 0 ? "" : `.${tenths}`}]`;
}

function fenOf(tags: ReadonlyMap<string, string>): string | null {
  const fen = tags.get("FEN")?.trim() ?? "";
  return fen === "" ? null : fen;
}

export function startOf<Position>(rules: GameRules<Position>, tags: ReadonlyMap<string, string>): Position | null {
  const fen = fenOf(tags);
  if (fen === null) return rules.start();
  const position = rules.parsePosition(fen);
  return position.ok ? position.value : null;
}

function toPair(value: number): string {
  return String(value).padStart(2, "0");
}
