import fc from "fast-check";
import { expect, it } from "vitest";
import { pdn } from "./pdn.ts";
import { MASTER_GAMES } from "./testing/master-games.ts";
import { readPdn } from "./testing/read-pdn.ts";

const RUNS = process.env.DEEP ? 20_000 : 1_500;

/** What means something in PDN, what means nothing, and what is nearly right. */
const PIECES = [
  ...["[", "]", '"', "\\", "{", "}", "(", ")", ";", "%", "\n%", "$", "*", ".", "...", " ", "\r\n", "\u0000", "\uFEFF"],
  ...["-", ":", "x", "×", "1", "22", "0", "33", "a1", "c3", "h8", "K", "c3-d4", "c3:e5:g7", "22x15", "–", "½", "/"],
  ...["1-0", "2-0", "1-1", "0-0", "[%clk 0:01:02]", "{[%clock w0:10:00 B0:10:00]}", '[FEN "W:WKc3:Bb8"]', "1..."],
];

it("parses or refuses a damaged record, and formats what it parsed in one way only", () => {
  const damage = fc.array(
    fc.tuple(fc.nat({ max: 10_000 }), fc.nat({ max: 12 }), fc.array(fc.constantFrom(...PIECES), { maxLength: 3 })),
    { minLength: 1, maxLength: 4 },
  );
  let refused = 0;
  const property = fc.property(fc.constantFrom(...MASTER_GAMES), damage, ({ text }, hits) => {
    const damaged = hits.reduce((whole, [place, cut, put]) => {
      const at = place % (whole.length + 1);
      return whole.slice(0, at) + put.join("") + whole.slice(at + cut);
    }, text);
    const record = readPdn(damaged);
    if (!record.ok) {
      expect(record.refusal).toBe("bad_record");
      refused += 1;
      return;
    }
    const { moves, result } = record.value;
    const written = pdn.formatGame(record.value);
    const again = readPdn(written);
    expect(again).toMatchObject({ ok: true, value: { moves, result } });
    expect(again.ok && pdn.formatGame(again.value)).toBe(written);
  });
  fc.assert(property, { seed: 41, numRuns: RUNS });
  expect(refused).toBeGreaterThan(RUNS / 4);
  expect(refused).toBeLessThan((RUNS * 49) / 50);
});

it("parses or refuses any tokens in any order", () => {
  const property = fc.property(fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string())), (pieces) => {
    expect(typeof readPdn(pieces.join("")).ok).toBe("boolean");
  });
  fc.assert(property, { seed: 42, numRuns: RUNS });
});
