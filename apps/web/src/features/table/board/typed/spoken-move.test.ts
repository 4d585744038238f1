import { checkers } from "@holo/checkers/checkers.ts";
import { chess } from "@holo/chess/chess.ts";
import type { GameRules } from "@holo/rules/rules.ts";
import { describe, expect, it } from "vitest";
import { parseSpokenMove } from "./spoken-move.ts";

function say<Position>(rules: GameRules<Position>, fen: string | null, text: string): string {
  const parsed = fen === null ? null : rules.parsePosition(fen);
  if (parsed?.ok === false) throw new Error(`${fen} is no position`);
  const position = parsed === null ? rules.start() : parsed.value;
  const said = parseSpokenMove(rules, position, text);
  if (said.type === "move") return rules.formatMove(position, said.move);
  return said.type === "ambiguous" ? said.ask : "none";
}

const CASTLES = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
const PROMOTES = "3r3k/4P3/8/8/8/8/8/K7 w - - 0 1";
const TWO_KNIGHTS = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1";
const TAKES = "4k3/8/8/3p1n2/4P3/6B1/8/4K3 w - - 0 1";

// [GAME-49 §9] The move field takes notation and what a phone writes for spoken moves: "c3 to d4", "knight to f three",
// "charlie three delta four", "castle short". What fits several moves is refused, and the text tells what to add.
describe("a spoken move", () => {
  it.each([
    ["Nf3", "Nf3"],
    ["nf3", "Nf3"],
    ["knight f3", "Nf3"],
    ["Knight to f three", "Nf3"],
    ["night to eff three please", "Nf3"],
    ["horse g1 to f3", "Nf3"],
    ["golf one foxtrot three", "Nf3"],
    ["e4", "e4"],
    ["e four", "e4"],
    ["e for", "e4"],
    ["e to e four", "e4"],
    ["pawn e2 to e4", "e4"],
    ["echo two echo four", "e4"],
    ["see too see for", "c4"],
    ["d too d for", "d4"],
  ])("of chess: %s [GAME-49]", (text, move) => {
    expect(say(chess, null, text)).toBe(move);
  });

  it.each([
    ["c3 to d4", "c3-d4"],
    ["c3 d4", "c3-d4"],
    ["charlie three delta four", "c3-d4"],
    ["see three to dee four", "c3-d4"],
    ["sea 3 d for", "c3-d4"],
    ["man c three moves to d four", "c3-d4"],
    ["hotel four", "g3-h4"],
    ["a three b four", "a3-b4"],
    ["c to d4", "c3-d4"],
  ])("of checkers: %s [GAME-49]", (text, move) => {
    expect(say(checkers, null, text)).toBe(move);
  });

  it.each([
    ["castle kingside", "O-O"],
    ["castles short", "O-O"],
    ["short castle", "O-O"],
    ["king castles on the queen side", "O-O-O"],
    ["castle long", "O-O-O"],
    ["castle a one to a two", "Ra2"],
    ["castle", "You can castle on both sides. Add kingside or queenside."],
    ["castle kingside queenside", "none"],
  ])("castles: %s [GAME-49]", (text, move) => {
    expect(say(chess, CASTLES, text)).toBe(move);
  });

  it.each([
    ["e seven e eight queen", "e8=Q+"],
    ["e eight", "e8=Q+"],
    ["e eight becomes a knight", "e8=N"],
    ["pawn takes rook", "exd8=Q+"],
    ["e takes d eight rook", "exd8=R+"],
    ["e8 king", "none"],
  ])("promotes: %s [GAME-49]", (text, move) => {
    expect(say(chess, PROMOTES, text)).toBe(move);
  });

  it.each([
    ["e takes d five", "exd5"],
    ["pawn takes knight", "exf5"],
    ["takes d5", "exd5"],
    ["pawn takes", "none"],
    ["e4 takes", "none"],
    ["bishop takes knight", "none"],
  ])("captures: %s [GAME-49]", (text, move) => {
    expect(say(chess, TAKES, text)).toBe(move);
  });

  it("asks for what is missing [GAME-49]", () => {
    const ask = "More than one piece can do that. Add where it starts: f3 or b1.";
    expect(say(chess, TWO_KNIGHTS, "knight d two")).toBe(ask);
    expect(say(chess, TWO_KNIGHTS, "knight b to d two")).toBe("Nbd2");
    expect(say(chess, TWO_KNIGHTS, "knight f three to d two")).toBe("Nfd2");
    expect(say(chess, TWO_KNIGHTS, "knight one to d two")).toBe("Nbd2");
    expect(say(checkers, null, "d4")).toBe("More than one piece can do that. Add where it starts: c3 or e3.");
  });

  it("names landings of a capture where ways differ [GAME-49]", () => {
    const twoWays = "W:Wb6:Bc7,f6,b4,e3,g3";
    expect(say(checkers, twoWays, "b six takes a five")).toBe(
      "There's more than one way there. Add every square it lands on.",
    );
    expect(say(checkers, twoWays, "bravo six takes golf five takes alpha five")).toBe("b6:d8:g5:d2:a5");
    expect(say(checkers, twoWays, "b six to a three")).toBe("b6:a3");
    expect(say(checkers, "W:Wc3:Bd4", "c3 takes e5")).toBe("c3:e5");
    expect(say(checkers, "W:Wc3:Bd4", "charlie three echo five")).toBe("c3:e5");
    expect(say(checkers, "W:Wc3:Bd4", "see three jumps to e five")).toBe("c3:e5");
    expect(say(checkers, "W:WKc3:Bd4,f6", "king takes h8")).toBe("c3:h8");
  });

  it.each(["", "hello", "knight", "c9 to d4", "nine", "to to to", "e2 e4 e5", "z3", "Nf6", "f3 knight"])(
    "is none: %j [GAME-49]",
    (text) => {
      expect(say(chess, null, text)).toBe("none");
    },
  );

  it("is never a move that is not legal, whatever the words [GAME-49]", () => {
    const words = "a b c d e f g h 1 2 3 4 to for knight king queen takes castle short x please".split(" ");
    for (const rules of [chess, checkers] as readonly GameRules<unknown>[]) {
      const position = rules.start();
      const legal = rules.legalMoves(position);
      for (let round = 0; round < 2_000; round += 1) {
        const text = Array.from(
          { length: 1 + (round % 5) },
          (_, at) => words[(round * 7 + at * at * 13 + at * 5) % words.length],
        );
        const said = parseSpokenMove(rules, position, text.join(" "));
        if (said.type === "move") expect(legal).toContainEqual(said.move);
      }
    }
  });
});
