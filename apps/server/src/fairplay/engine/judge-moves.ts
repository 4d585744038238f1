import { toWinChance, WIN } from "@holo/engine/engine.ts";
import { assert } from "@holo/kernel/assert.ts";
import type { GameRules, Move, Outcome, Seat } from "@holo/rules/rules.ts";
import type { Analyst, Best, Place } from "./analyst.ts";

/** A move beside the engine's. Chances are the mover's, from 0 to 1. */
export interface JudgedMove {
  readonly seat: Seat;
  readonly choices: number;
  readonly isFirst: boolean;
  /** What it lost of the expected score. */
  readonly lost: number;
  /** By how much the engine's move beats the next best; null unless it was a real choice. */
  readonly gap: number | null;
}

interface JudgedGame {
  readonly moves: readonly JudgedMove[];
  /** White's, in hundredths, before the first move and after each. */
  readonly scores: readonly number[];
}

/** Later moves are not judged: no one needs more to be known. */
const PLIES_MAX = 300;
/** Openings are known by heart. */
const OPENING_PLIES = 10;
/** In decided games people no longer look for the best move. */
const OPEN_CHANCES = { min: 0.05, max: 0.95 };
/** A smaller lead is a matter of taste, a larger one is seen by everyone. */
const REAL_GAPS = { min: 0.02, max: 0.4 };

/** Judges the moves of a game from its start. `rest` is called after each. */
export async function judgeMoves(
  rules: GameRules<unknown>,
  played: readonly Move[],
  analyst: Analyst,
  rest: () => Promise<void> = async () => undefined,
): Promise<JudgedGame> {
  const count = Math.min(played.length, PLIES_MAX);
  const moves: JudgedMove[] = [];
  const scores: number[] = [];
  let place: Place = { position: rules.start(), played: [] };
  let before = await judge(rules, place, analyst);
  scores.push(toWhite(before.score, 1));
  for (let ply = 0; ply < count; ply += 1) {
    const seat = rules.toMove(place.position);
    const { best } = before;
    assert(best !== null, "a move was played");
    const move = played[ply]!;
    const choices = rules.legalMoves(place.position).length;
    const gap = choices > 1 && mayBeReal(rules, place, best) ? await findRealGap(rules, best) : null;
    const next = playOn(rules, place, move);
    const after = await judge(rules, next, analyst);
    const turn = rules.toMove(next.position);
    const isFirst = isSame(move, best.move);
    const kept = toWinChance(turn === seat ? after.score : -after.score, rules.game);
    // Two searches differ a little about the same line.
    const lost = isFirst ? 0 : Math.max(0, toWinChance(best.score, rules.game) - kept);
    moves.push({ seat, choices, isFirst, lost, gap });
    scores.push(toWhite(after.score, turn));
    [place, before] = [next, after];
    await rest();
  }
  return { moves, scores };
}

interface Judged {
  readonly score: number;
  /** Null: the rules have ended the game. */
  readonly best: Best | null;
}

async function judge(rules: GameRules<unknown>, place: Place, analyst: Analyst): Promise<Judged> {
  const outcome = rules.outcome(place.position);
  if (outcome !== null) return { score: toEndScore(outcome, rules.toMove(place.position)), best: null };
  const best = await analyst.analyse(place);
  return { score: best.score, best };
}

function toEndScore(outcome: Outcome, turn: Seat): number {
  if (outcome.type === "draw") return 0;
  return outcome.winner === turn ? WIN : -WIN;
}

function toWhite(score: number, turn: Seat): number {
  return turn === 1 ? score : -score;
}

function mayBeReal(rules: GameRules<unknown>, { played }: Place, best: Best): boolean {
  if (played.length < OPENING_PLIES) return false;
  const chance = toWinChance(best.score, rules.game);
  return chance >= OPEN_CHANCES.min && chance <= OPEN_CHANCES.max && !isRecapture(played.at(-1)!, best.move);
}

/** Everyone sees those. */
function isRecapture(before: Move, move: Move): boolean {
  return before.captured.length > 0 && move.captured.includes(before.path.at(-1)!);
}

async function findRealGap({ game }: GameRules<unknown>, best: Best): Promise<number | null> {
  const gap = toWinChance(best.score, game) - toWinChance(await best.findNextScore(), game);
  return gap >= REAL_GAPS.min && gap <= REAL_GAPS.max ? gap : null;
}

function playOn(rules: GameRules<unknown>, { position, played }: Place, move: Move): Place {
  const next = rules.play(position, move.path, move.promotion);
  assert(next.ok, "a stored move is legal");
  return { position: next.value.position, played: [...played, next.value.move] };
}

/** Captures of draughts that end alike and take the same pieces are one choice. */
function isSame(one: Move, other: Move): boolean {
  return (
    one.path[0] === other.path[0] &&
    one.path.at(-1) === other.path.at(-1) &&
    (one.promotion ?? "q") === (other.promotion ?? "q") &&
    one.captured.length === other.captured.length &&
    one.captured.every((square) => other.captured.includes(square))
  );
}
