import { assert } from "@holo/kernel/assert.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { type GameHistory, type GameResult, startOf } from "../pgn-pdn.ts";
import type { GameRules, Move, Seat } from "../rules.ts";
import { parseSource, toPlain } from "./notation-source.ts";

interface ReaderDialect<Position> {
  readonly rules: GameRules<Position>;
  readonly results: ReadonlyMap<string, GameResult>;
  isOwn(tags: ReadonlyMap<string, string>): boolean;
}

type ReadGame = (text: string) => Result<GameHistory, "bad_record">;

const SECOND_MS = 1_000;
const CLK = /\[%clk\s+([\d:.,]+)\s*\]/;
/** PDN 3.0: one or both clocks by colour, capitals while running; without a colour the mover's. */
const CLOCK = /\[%clock\s+([WwBb]?\d[\d:.,]*(?:\s*[WwBb]\d[\d:.,]*)?)\s*\]/;
const TIME = /^(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,9}))?$/;

/**
 * Reads the first game of a text with the usual variations of form: comments, clocks, side lines,
 * move numbers, line ends.
 */
export function toReader<Position>(dialect: ReaderDialect<Position>): ReadGame {
  return (text) => readGame(dialect, text);
}

/**
 * Refuses tags of another game, an invalid FEN tag, an illegal move of the main line, and a result
 * that contradicts its tag. `*` contradicts nothing: PDN 3.0 ends every game with it.
 */
function readGame<Position>(dialect: ReaderDialect<Position>, text: string): Result<GameHistory, "bad_record"> {
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
    const played = rules.play(position, move.value.path, move.value.promotion);
    assert(played.ok, "a parsed move is legal");
    moves.push(played.value.move);
    remainingMs.push(parseClock(word.comment, rules.toMove(position)));
    position = played.value.position;
  }
  const record = { tags: source.tags, moves, result };
  return ok(remainingMs.some((leftMs) => leftMs !== null) ? { ...record, remainingMs } : record);
}

export function parseClock(comment: string, seat: Seat): number | null {
  const clk = CLK.exec(comment);
  if (clk !== null) return parseTime(clk[1]!);
  const clocks = (CLOCK.exec(comment)?.[1] ?? "").match(/[WwBb]?\d[\d:.,]*/g) ?? [];
  const own = clocks.find((clock) => clock.toLowerCase().startsWith(seat === 1 ? "w" : "b"));
  return parseTime(own?.slice(1) ?? clocks[0] ?? "");
}

/** `h:mm:ss` or `m:ss`, with a fraction of any length. */
function parseTime(text: string): number | null {
  const time = TIME.exec(text);
  if (time === null) return null;
  const [, hours = "0", minutes, seconds, fraction = "0"] = time;
  const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return whole * SECOND_MS + Math.round(Number(`0.${fraction}`) * SECOND_MS);
}
