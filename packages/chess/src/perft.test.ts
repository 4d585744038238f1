import { describe, expect, test } from "vitest";
import { chess } from "./chess.ts";
import { perft } from "./perft.ts";
import { type PerftCase, TRICKY_CASES, WIKI_CASES } from "./testing/perft-suites.ts";

const COUNT_MAX = process.env.DEEP ? 100_000_000 : 200_000;
const TIMEOUT_MS = 120_000;

describe("the counts of legal moves agree with", () => {
  test.each(rowsOf(WIKI_CASES))("%s at depth %i of the wiki", { timeout: TIMEOUT_MS }, expectCount);
  test.each(rowsOf(TRICKY_CASES))("%s at depth %i of the tricky collection", { timeout: TIMEOUT_MS }, expectCount);
});

test("counts one series at depth 0", () => {
  expect(perft(chess.start(), 0)).toBe(1);
});

test("throws for a depth that is negative or not a whole number", () => {
  expect(() => perft(chess.start(), -1)).toThrow("whole number");
  expect(() => perft(chess.start(), 1.5)).toThrow("whole number");
});

type Row = [name: string, depth: number, count: number, fen: string];

function rowsOf(cases: readonly PerftCase[]): Row[] {
  return cases.flatMap(({ name, fen, counts }) =>
    Array.from(counts, ([depth, count]): Row => [name, depth, count, fen]).filter(([, , count]) => count <= COUNT_MAX),
  );
}

function expectCount(_name: string, depth: number, count: number, fen: string): void {
  const position = chess.parsePosition(fen);
  expect(position.ok && perft(position.value, depth)).toBe(count);
}
