import type { Move } from "@holo/rules/rules.ts";
import { expect, test } from "vitest";
import { type PlayedMove, PlayedMoves } from "./played-moves.ts";

const MOVE: Move = { path: [12, 28], captured: [] };

function played(chargedMs: number): PlayedMove {
  return { move: MOVE, chargedMs, remainingMs: [600_000, 600_000] };
}

function charged(moves: PlayedMoves): readonly number[] {
  return moves.map(({ chargedMs }) => chargedMs);
}

test("adds a move to the new value alone", () => {
  const one = PlayedMoves.none().add(played(1));
  const two = one.add(played(2));
  expect(charged(one)).toEqual([1]);
  expect(one.at(1)).toBeUndefined();
  expect(one.slice(1)).toEqual([]);
  expect([...one]).toEqual([played(1)]);
  expect(charged(two)).toEqual([1, 2]);
  expect(two.at(-1)?.chargedMs).toBe(2);
  expect(two.at(-3)).toBeUndefined();
  expect(PlayedMoves.none().at(-1)).toBeUndefined();
});

test("keeps two values derived from the same one apart", () => {
  const shared = PlayedMoves.none().add(played(1)).add(played(2));
  const left = shared.add(played(3)).add(played(4));
  const right = shared.add(played(5));
  const taken = left.take(1).add(played(6));
  expect(charged(left)).toEqual([1, 2, 3, 4]);
  expect(charged(right)).toEqual([1, 2, 5]);
  expect(charged(taken)).toEqual([1, 6]);
  expect(charged(shared)).toEqual([1, 2]);
  expect(charged(shared.take(9))).toEqual([1, 2]);
});

test("compares equal by its moves", () => {
  const shared = PlayedMoves.none().add(played(1)).add(played(2));
  expect(shared.take(1)).toEqual(PlayedMoves.none().add(played(1)));
  expect(shared.take(1)).not.toEqual(PlayedMoves.none().add(played(2)));
});
