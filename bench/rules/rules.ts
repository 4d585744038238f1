import { chess } from "@holo/chess/chess.ts";
import { perft as perftChess } from "@holo/chess/perft.ts";
import { assert } from "@holo/kernel/assert.ts";
import type { GameRules } from "@holo/rules/rules.ts";
import { formatSquare } from "@holo/rules/square.ts";
import { Chess } from "chess.js";
import { atLeast, type Finding, formatNumber, note } from "../report.ts";
import { median } from "../statistics.ts";
import { makeRandomGames, type RandomGame } from "./random-games.ts";

type Work = () => number;

const ROUNDS = 5;
const GAMES = 40;
const PLIES_MAX = 160;
/** Work is repeated for this long. */
const ROUND_MS = 500;
const WARM_UP_MS = 300;

function ratePerS(work: Work, forMs: number): number {
  const startedMs = performance.now();
  let done = 0;
  let elapsedMs = 0;
  while (elapsedMs < forMs) {
    done += work();
    elapsedMs = performance.now() - startedMs;
  }
  return (done * 1_000) / elapsedMs;
}

function playAll<Position>(rules: GameRules<Position>, games: readonly RandomGame[]): Work {
  return () => {
    let moves = 0;
    let ends = 0;
    for (const game of games) {
      let position = rules.start();
      for (const { path, promotion } of game) {
        const played = rules.play(position, path, promotion);
        assert(played.ok, "the games are legal");
        position = played.value.position;
        if (rules.outcome(position) !== null) ends += 1;
      }
      moves += game.length;
    }
    assert(ends <= games.length, "a game ends once");
    return moves;
  };
}

function playAllByChessJs(games: readonly RandomGame[]): Work {
  const named = games.map((game) =>
    game.map(({ path, promotion }) => {
      const move = { from: formatSquare(path[0]!), to: formatSquare(path[1]!) };
      return promotion === undefined ? move : { ...move, promotion };
    }),
  );
  return () => {
    let moves = 0;
    let ends = 0;
    for (const game of named) {
      const board = new Chess();
      for (const move of game) {
        board.move(move);
        if (board.isGameOver()) ends += 1;
      }
      moves += game.length;
    }
    assert(ends <= named.length, "a game ends once");
    return moves;
  };
}

interface Pair {
  readonly what: string;
  readonly unit: string;
  readonly ours: Work;
  readonly others: Work;
  readonly goalTimes?: number;
}

function makePairs(): readonly Pair[] {
  const options = { count: GAMES, plies: PLIES_MAX, orShorter: true, seed: 5 };
  const chessGames = makeRandomGames(chess, options);
  return [
    {
      what: "chess, validated moves with end test",
      unit: "moves/s",
      ours: playAll(chess, chessGames),
      others: playAllByChessJs(chessGames),
      goalTimes: 20,
    },
    {
      what: "chess, perft from the start",
      unit: "nodes/s",
      ours: () => perftChess(chess.start(), 4),
      others: () => new Chess().perft(3),
    },
  ];
}

/** Chess compared with chess.js, in alternating rounds. Takes about 10 s. */
export function benchRules(): readonly Finding[] {
  note("rules: chess beside chess.js");
  const pairs = makePairs();
  const measured = pairs.map((pair) => ({ pair, ours: [] as number[], others: [] as number[] }));
  for (const { ours, others } of pairs) for (const work of [ours, others]) ratePerS(work, WARM_UP_MS);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { pair, ours, others } of measured) {
      ours.push(ratePerS(pair.ours, ROUND_MS));
      others.push(ratePerS(pair.others, ROUND_MS));
    }
  }
  return measured.map(({ pair, ours, others }) => {
    const times = median(ours) / median(others);
    const figures = `${formatNumber(median(ours))} ${pair.unit}; chess.js ${formatNumber(median(others))}; ${formatNumber(times, 1)}x`;
    const finding: Finding = { part: "rules", what: pair.what, figures };
    return pair.goalTimes === undefined ? finding : { ...finding, goal: atLeast(times, pair.goalTimes) };
  });
}
