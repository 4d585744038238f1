import { checkers } from "@holo/checkers/checkers.ts";
import type { Move, Square } from "@holo/rules/rules.ts";
import { formatSquare, parseSquare } from "@holo/rules/square.ts";
import { describe, expect, it } from "vitest";
import {
  type Chosen,
  keepSelectedPiece,
  type PressEffect,
  pressSquare,
  toLandings,
  toMovable,
  toVictims,
} from "./choice.ts";

function at(name: string): Square {
  const square = parseSquare(name);
  if (!square.ok) throw new Error(`${name} is no square`);
  return square.value;
}

function path(names: string): Square[] {
  return names.split(" ").map(at);
}

function movesOf(fen: string): readonly Move[] {
  const position = checkers.parsePosition(fen);
  if (!position.ok) throw new Error(`${fen} is no position`);
  return checkers.legalMoves(position.value);
}

function press(moves: readonly Move[], names: string): PressEffect {
  let step: PressEffect = { type: "keep" };
  let chosen: Chosen = [];
  for (const name of names.split(" ")) {
    step = pressSquare(moves, chosen, at(name));
    if (step.type === "choose") chosen = step.chosen;
  }
  return step;
}

const START = checkers.legalMoves(checkers.start());

const RING = movesOf("W:WKc1:Bg7,c5,f4,f6");

describe("pressSquare", () => {
  it("selects only a movable piece", () => {
    expect(press(START, "c3")).toEqual({ type: "choose", chosen: path("c3") });
    expect(press(START, "b2")).toEqual({ type: "keep" });
    expect(press(START, "d4")).toEqual({ type: "keep" });
  });

  it("plays to a landing of the held piece [DRAUGHT-05]", () => {
    expect(press(START, "c3 d4")).toEqual({ type: "play", path: path("c3 d4") });
  });

  // [DRAUGHT-05 §4] Pressing a movable piece selects it, pressing another changes the selection, pressing it again
  // clears it, and pressing a marked square moves.
  it("switches pieces, deselects, and ignores other squares [DRAUGHT-05]", () => {
    expect(press(START, "c3 e3")).toEqual({ type: "choose", chosen: path("e3") });
    expect(press(START, "c3 c3")).toEqual({ type: "choose", chosen: [] });
    expect(press(START, "c3 e5")).toEqual({ type: "keep" });
  });

  // [DRAUGHT-06 §4 r13] Of several captures the selected one is played, square by square. Forced steps are played
  // automatically.
  it("plays a forced capture to its end after the first landing [DRAUGHT-06]", () => {
    const moves = movesOf("W:Wa1:Bb2,d4,f6");
    expect(press(moves, "a1 c3")).toEqual({ type: "play", path: path("a1 c3 e5 g7") });
  });

  it("accepts the last square at once if only one path reaches it", () => {
    const moves = movesOf("W:Wa1:Bb2,d4,f6");
    expect(press(moves, "a1 g7")).toEqual({ type: "play", path: path("a1 c3 e5 g7") });
  });

  it("stops where paths part, and continues from there", () => {
    const moves = movesOf("W:Wa1:Bb2,d4,b4");
    const parted = press(moves, "a1 c3");
    expect(parted).toEqual({ type: "choose", chosen: path("a1 c3") });
    expect(press(moves, "a1 c3 a5")).toEqual({ type: "play", path: path("a1 c3 a5") });
    expect(press(moves, "a1 c3 e5")).toEqual({ type: "play", path: path("a1 c3 e5") });
    expect(press(moves, "a1 c3 a1")).toEqual({ type: "choose", chosen: [] });
  });

  it("lets the player choose among captures with the same ends", () => {
    const byEnds = Map.groupBy(RING, (move) => `${move.path[0]} ${move.path.at(-1)}`);
    const shared = [...byEnds.values()].filter((moves) => moves.length > 1).flat();
    expect(shared.length).toBeGreaterThan(1);
    for (const move of shared) {
      let chosen: Chosen = [];
      let played: readonly Square[] | null = null;
      while (played === null) {
        const step = pressSquare(RING, chosen, move.path[chosen.length]!);
        if (step.type === "keep") throw new Error(`${move.path.map(formatSquare)} cannot be chosen`);
        if (step.type === "play") played = step.path;
        else chosen = step.chosen;
      }
      expect(played).toEqual(move.path);
    }
  });

  it("ignores the last square if the paths take different pieces", () => {
    expect(press(RING, "c1 b4")).toEqual({ type: "keep" });
    expect(press(RING, "c1 h6 b4")).toEqual({ type: "play", path: path("c1 h6 f8 b4") });
    expect(press(RING, "c1 g5 b4")).toEqual({ type: "play", path: path("c1 g5 e7 b4") });
  });

  it("accepts the last square at once if all paths take the same pieces", () => {
    const moves = movesOf("W:WKa1:Bg7,c3,d2");
    expect(press(moves, "a1 h8").type).toBe("play");
  });
});

describe("keepHeld", () => {
  it("keeps a piece that can still move", () => {
    expect(keepSelectedPiece(START, path("c3"))).toEqual(path("c3"));
    expect(keepSelectedPiece(START, path("d4"))).toEqual([]);
    expect(keepSelectedPiece([], path("c3"))).toEqual([]);
  });

  it("drops a half chosen capture", () => {
    expect(keepSelectedPiece(RING, path("c1 h6"))).toEqual([]);
  });
});

describe("the marks of a selection", () => {
  it("are the movable pieces and the landings of the held piece", () => {
    expect([...toMovable(START)].map(formatSquare).sort()).toEqual(["a3", "c3", "e3", "g3"]);
    expect(toLandings(START, path("c3"))).toEqual(
      new Map([
        [at("b4"), "quiet"],
        [at("d4"), "quiet"],
      ]),
    );
    expect(toLandings(START, [])).toEqual(new Map());
  });

  it("ring what every path takes, and more for the pointed landing", () => {
    const moves = movesOf("W:Wa1:Bb2,d4,b4");
    expect(toVictims(moves, path("a1"), null).map(formatSquare)).toEqual(["b2"]);
    expect(toVictims(moves, path("a1 c3"), at("e5")).map(formatSquare)).toEqual(["b2", "d4"]);
    expect(toVictims(moves, [], null)).toEqual([]);
  });
});
