import { checkers } from "@holo/checkers/checkers.ts";
import { chess } from "@holo/chess/chess.ts";
import type { Seat, Square } from "@holo/rules/rules.ts";
import { parseSquare } from "@holo/rules/square.ts";
import { describe, expect, it } from "vitest";
import type { Rules } from "../../../shared/board/game-rules.ts";
import { toMoveRows } from "./move-rows.ts";
import { chooseAtRandom, newPractice, type PracticeGame, playPly, restart, takeBack, toTurn } from "./practice-game.ts";
import { formatPly, formatReason, formatStatus, formatTakenBack } from "./practice-text.ts";

const NEW_PRACTICE = newPractice(checkers);
const PLAYER = 1;
const COMPUTER = 2;

function toPath(text: string): Square[] {
  return text.split("-").map((name) => {
    const square = parseSquare(name);
    if (!square.ok) throw new Error(`${name} is no square`);
    return square.value;
  });
}

function play(game: PracticeGame, line: string): PracticeGame {
  return line.split(" ").reduce((played, text) => playPly(played, toPath(text)), game);
}

function from(fen: string, rules: Rules = checkers, player: Seat = 1): PracticeGame {
  const position = rules.parsePosition(fen);
  if (!position.ok) throw new Error(`${fen} is no position`);
  return { ...newPractice(rules, player), start: fen, position: position.value };
}

const WINNING = from("W:Wc3:Bd4");
const WON = "c3-e5";
const LOSING = from("W:Wg3,h4:Be7,f6");
const LOST = "h4-g5 f6-h4-f2";
const KINGS = from("W:WKa1:BKh2");
const DRAWN = "a1-b2 h2-g1 b2-a1 g1-h2 a1-b2 h2-g1 b2-a1 g1-h2";

describe("a practice game", () => {
  it("alternates between the player, who is white and moves first, and the computer", () => {
    expect(toTurn(NEW_PRACTICE)).toBe(PLAYER);
    const played = play(NEW_PRACTICE, "c3-d4");
    expect(toTurn(played)).toBe(COMPUTER);
    expect(toTurn(play(played, "b6-a5"))).toBe(PLAYER);
  });

  it("refuses an illegal move and a move after the end", () => {
    expect(() => play(NEW_PRACTICE, "c3-c4")).toThrow();
    const over = play(WINNING, WON);
    expect(toTurn(over)).toBeNull();
    expect(() => play(over, "e5-f6")).toThrow();
  });
});

describe("a practice game as black", () => {
  const opened = play(newPractice(chess, 2), "e2-e4");

  it("begins with the computer's move, which is not taken back alone", () => {
    expect(toTurn(newPractice(chess, 2))).not.toBe(2);
    expect(formatStatus(newPractice(chess, 2))).toBe("AI's Turn (White)");
    expect(formatStatus(opened)).toBe("Your Turn (Black)");
    expect(takeBack(opened)).toBe(opened);
    expect(takeBack(play(opened, "e7-e5"))).toEqual(opened);
    expect(takeBack(play(opened, "e7-e5 g1-f3"))).toEqual(opened);
  });

  it("tells a check, the winner and how the game was won", () => {
    const mated = play(opened, "f7-f6 d2-d4 g7-g5 d1-h5");
    expect(formatStatus(mated)).toBe("AI Won!");
    expect(formatReason(mated)).toBe("Checkmate.");
    expect(formatPly(play(opened, "f7-f6 d1-h5"))).toBe("AI: queen d1 to h5. Your Turn (Black). You are in check.");
  });
});

describe("restart", () => {
  it("returns to the first position, also to one that was set up", () => {
    expect(restart(play(NEW_PRACTICE, "c3-d4 b6-a5"))).toEqual(NEW_PRACTICE);
    expect(restart(play(WINNING, WON))).toEqual(WINNING);
    expect(restart(NEW_PRACTICE)).toEqual(NEW_PRACTICE);
  });
});

describe("the rows of moves", () => {
  it("number the moves, also of a position where black begins", () => {
    expect(toMoveRows(NEW_PRACTICE)).toEqual([]);
    expect(toMoveRows(play(newPractice(chess), "e2-e4 e7-e5 g1-f3"))).toEqual([
      { number: 1, texts: ["e4", "e5"] },
      { number: 2, texts: ["Nf3", null] },
    ]);
    const black = from("6k1/5ppp/8/8/8/8/5PPP/R5K1 b - - 0 30", chess, 2);
    expect(toMoveRows(play(black, "g8-f8 a1-a8"))).toEqual([
      { number: 30, texts: [null, "Kf8"] },
      { number: 31, texts: ["Ra8+", null] },
    ]);
  });
});

describe("the computer's choice", () => {
  // [WHAT-09 §1,4] Visitors practise checkers against a computer that plays random moves.
  it("covers exactly the legal moves as the random number goes from 0 to 1 [WHAT-09 PRAC-01]", () => {
    const game = play(NEW_PRACTICE, "c3-d4");
    const legal = game.rules.legalMoves(game.position);
    const chosen = legal.map((_, index) => chooseAtRandom(game, () => (index + 0.5) / legal.length));
    expect(chosen).toEqual(legal);
    expect(chooseAtRandom(game, () => 0)).toEqual(legal[0]);
    expect(chooseAtRandom(game, () => 1 - Number.EPSILON)).toEqual(legal.at(-1));
  });

  it("captures if it must", () => {
    const game = play(NEW_PRACTICE, "c3-d4 f6-e5 d4-f6");
    expect(game.rules.mustCapture(game.position)).toBe(true);
    expect(chooseAtRandom(game, () => 0.3).captured).toHaveLength(1);
  });
});

describe("takeBack", () => {
  const answered = play(NEW_PRACTICE, "c3-d4 b6-a5");

  // [PRAC-02 §4] Take Back undoes the player's move and the computer's reply.
  it("undoes the player's move and the computer's answer [PRAC-02]", () => {
    expect(takeBack(play(answered, "g3-h4 f6-g5"))).toEqual(answered);
    expect(takeBack(answered)).toEqual(NEW_PRACTICE);
  });

  it("undoes the player's move alone while the computer thinks", () => {
    expect(takeBack(play(answered, "g3-h4"))).toEqual(answered);
    expect(takeBack(play(NEW_PRACTICE, "c3-d4"))).toEqual(NEW_PRACTICE);
  });

  it("leaves a game without moves unchanged", () => {
    expect(takeBack(NEW_PRACTICE)).toBe(NEW_PRACTICE);
  });

  it("reopens a game that was won, lost or drawn", () => {
    expect(takeBack(play(WINNING, WON))).toEqual(WINNING);
    expect(takeBack(play(LOSING, LOST))).toEqual(LOSING);
    const beforeDraw = play(KINGS, DRAWN.split(" ").slice(0, -2).join(" "));
    expect(takeBack(play(KINGS, DRAWN))).toEqual(beforeDraw);
  });
});

describe("the text of a practice game", () => {
  // [HOME-07 §2 r14] Practice shows 'Your Turn (White)', 'AI's Turn (Black)', 'You Won!' or 'AI Won!'. A drawn game
  // shows its reason.
  it("names the player to move [HOME-07]", () => {
    expect(formatStatus(NEW_PRACTICE)).toBe("Your Turn (White)");
    expect(formatStatus(play(NEW_PRACTICE, "c3-d4"))).toBe("AI's Turn (Black)");
  });

  it("names the winner or the reason of a draw [HOME-07]", () => {
    expect(formatStatus(play(WINNING, WON))).toBe("You Won!");
    expect(formatStatus(play(LOSING, LOST))).toBe("AI Won!");
    expect(formatStatus(play(KINGS, DRAWN))).toBe("Draw by Threefold Repetition");
  });

  it("announces the move, its captures and a forced capture", () => {
    expect(formatPly(play(NEW_PRACTICE, "c3-d4"))).toBe("You: c3 to d4. AI's Turn (Black).");
    expect(formatPly(play(NEW_PRACTICE, "c3-d4 b6-a5"))).toBe("AI: b6 to a5. Your Turn (White).");
    const due = play(NEW_PRACTICE, "c3-d4 f6-e5");
    expect(formatPly(due)).toBe("AI: f6 to e5. Your Turn (White). You must capture.");
    expect(formatPly(play(due, "d4-f6"))).toBe("You: d4 to f6, capturing one. AI's Turn (Black).");
    expect(formatPly(play(LOSING, LOST))).toBe("AI: f6 to h4 to f2, capturing 2. AI Won!");
    expect(formatPly(NEW_PRACTICE)).toBe("New game. Your Turn (White).");
  });

  it("announces the move that was taken back", () => {
    const answered = play(NEW_PRACTICE, "c3-d4 b6-a5");
    expect(formatTakenBack(answered, takeBack(answered))).toBe("Taken back: c3 to d4. Your Turn (White).");
    const lost = play(LOSING, LOST);
    expect(formatTakenBack(lost, takeBack(lost))).toBe("Taken back: h4 to g5. Your Turn (White).");
  });
});
