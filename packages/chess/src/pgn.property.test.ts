import fc from "fast-check";
import { expect, test } from "vitest";
import { pgn } from "./pgn.ts";
import { MASTER_GAMES } from "./testing/master-games.ts";
import { readPgn } from "./testing/read-pgn.ts";

const RUNS = process.env.DEEP ? 20_000 : 1_500;

/** Every sign that means something in a record, some that mean nothing, and whole pieces of it. */
const SIGNS = [
  ...'{}()[];%"\\*.-=/:+#!?$ \n\r\t01289aehxNKQO½×…\u0000\uFEFF\u2028é',
  ...["1-0", "0-0", "[%clk 0:01:02]", "e.p.", "1...", '[FEN "', "e8=Q", "(N)", "\ud800", "{[%clk 9:99:99.9}", "\n%"],
];

const edits = fc.array(
  fc.record({
    place: fc.double({ min: 0, max: 1, noNaN: true }),
    cut: fc.oneof(fc.constant(0), fc.nat({ max: 5 }), fc.nat({ max: 400 })),
    put: fc.array(fc.constantFrom(...SIGNS), { maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 5 },
);

const dressed = MASTER_GAMES.map(({ text }, at) =>
  text.replace(/(?<=\d\. \S+)/g, at % 2 === 0 ? " {[%clk 0:04:59.3]} (1. d4 {so} d5)" : " $1 ; so\n"),
);

test("parses or refuses a damaged record, and formats what it parsed in one way only", () => {
  const texts = fc.constantFrom(...MASTER_GAMES.map(({ text }) => text), ...dressed);
  let read = 0;
  const property = fc.property(texts, edits, (whole, changes) => {
    let text = whole;
    for (const { place, cut, put } of changes) {
      const at = Math.floor(place * text.length);
      text = text.slice(0, at) + put.join("") + text.slice(at + cut);
    }
    const record = readPgn(text);
    if (!record.ok) {
      expect(record).toEqual({ ok: false, refusal: "bad_record" });
      return;
    }
    read += 1;
    const written = pgn.formatGame(record.value);
    const again = readPgn(written);
    expect(again).toMatchObject({ ok: true, value: { moves: record.value.moves, result: record.value.result } });
    expect(again.ok && pgn.formatGame(again.value)).toBe(written);
  });
  fc.assert(property, { seed: 31, numRuns: RUNS });
  expect(read).toBeGreaterThan(RUNS / 50);
  expect(read).toBeLessThan(RUNS);
});

test("parses or refuses any text", () => {
  const property = fc.property(fc.array(fc.oneof(fc.constantFrom(...SIGNS), fc.string())), (signs) => {
    expect(typeof readPgn(signs.join("")).ok).toBe("boolean");
  });
  fc.assert(property, { seed: 32, numRuns: RUNS });
});
