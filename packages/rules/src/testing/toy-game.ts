import { ok, refuse } from "@holo/kernel/result.ts";
import type { Game } from "../game.ts";
import { GAMES } from "../registry.ts";
import type { GameRules, Move, Square } from "../rules.ts";
import { formatSquare } from "../square.ts";

interface Race {
  readonly white: Square;
  readonly black: Square;
  readonly plies: number;
}

/** White runs up from a3, black down from h6. The first to arrive wins. */
const START: Race = { white: 40, black: 23, plies: 0 };

const toMove = ({ plies }: Race) => (plies % 2 === 0 ? 1 : 2);
const isOver = ({ white, black }: Race): boolean => white < 8 || black >= 56;

function findMove(race: Race): Move {
  const from = toMove(race) === 1 ? race.white : race.black;
  return { path: [from, toMove(race) === 1 ? from - 8 : from + 8], captured: [] };
}

const rules: GameRules<Race> = {
  game: "race",
  start: () => START,
  parsePosition(text) {
    const [white = 0, black = 0, plies = 0] = text.split(" ").map(Number);
    return ok({ white, black, plies });
  },
  formatPosition: ({ white, black, plies }) => `${white} ${black} ${plies}`,
  toMove,
  pieceAt({ white, black }, square) {
    if (square === white) return { seat: 1, kind: "runner" };
    return square === black ? { seat: 2, kind: "runner" } : null;
  },
  legalMoves: (race) => (isOver(race) ? [] : [findMove(race)]),
  play(race, path) {
    const move = findMove(race);
    if (isOver(race) || path.join() !== move.path.join()) return refuse("illegal_move");
    const to = move.path[1]!;
    const plies = race.plies + 1;
    return ok({ move, position: toMove(race) === 1 ? { ...race, white: to, plies } : { ...race, black: to, plies } });
  },
  outcome: (race) => (isOver(race) ? { type: "win", winner: race.white < 8 ? 1 : 2, reason: "no_moves" } : null),
  canWin: () => true,
  checkedSquare: () => null,
  mustCapture: () => false,
  formatMove: (_, { path }) => path.map(formatSquare).join("-"),
  parseMove: (race, text) =>
    text === rules.formatMove(race, findMove(race)) ? ok(findMove(race)) : refuse("illegal_move"),
  notation: { ownTags: new Map(), firstNumber: () => 1, clockStep: "second" },
  describeMove: (_, { path }) => `runner to ${formatSquare(path[1]!)}`,
};

const RACE: Game = {
  id: "race",
  name: "Race",
  pieceCount: 3,
  pieces: { runner: ["R", "r"] },
  look: "figures",
  file: { name: "RGN", ending: "rgn", type: "text/plain; charset=utf-8" },
  moveExamples: "a3-a4",
  about: "In a race the first runner wins.",
  draws: "A race has no draw.",
  loadRules: async () => rules,
};

/** Adds a third game to the registry, as a line in it would. Returns its removal. */
export function addToyGame(): () => void {
  const games = GAMES as Game[];
  games.push(RACE);
  return () => void games.splice(games.indexOf(RACE), 1);
}
