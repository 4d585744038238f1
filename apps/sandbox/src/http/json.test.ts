import { expect, it } from "vitest";
import { formatJson, formatState, parseJson, parseState } from "./json.ts";

it("writes exact integers beyond 2^53, which JSON.parse rounds", () => {
  const text = formatJson({ id: 9_007_199_254_740_993n, list: [1, "a\n", null, true], none: undefined });
  expect(text).toBe('{"id":9007199254740993,"list":[1,"a\\n",null,true]}');
  expect(JSON.parse(text).id).toBe(9_007_199_254_740_992);
  expect(parseJson(text)).toEqual({ id: 9_007_199_254_740_993n, list: [1, "a\n", null, true] });
});

it("restores a state with its maps and bigints", () => {
  const state = { nextId: 3n, entries: new Map([["a", { id: 1n, at: null }]]) };
  expect(parseState(formatState(state))).toEqual(state);
});
