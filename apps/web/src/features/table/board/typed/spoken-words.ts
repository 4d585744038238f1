import { gameOf } from "@holo/rules/registry.ts";
import type { GameType, PieceKind } from "@holo/rules/rules.ts";

/** What one word of a spoken move may mean. */
export type Part =
  | { readonly type: "file"; readonly file: number }
  | { readonly type: "rank"; readonly rank: number }
  | { readonly type: "piece"; readonly kind: PieceKind }
  | { readonly type: "takes" }
  | { readonly type: "castle"; readonly side: "king" | "queen" | null }
  /** Says nothing: "to", "please". */
  | { readonly type: "filler" };

const FILLER: Part = { type: "filler" };
const TAKES: Part = { type: "takes" };

/** Letters, the words of radio, and what phones write for a spoken letter. */
const FILES = [
  "a alpha alfa ay",
  "b bravo be bee",
  "c charlie see sea cee",
  "d delta dee",
  "e echo ee",
  "f foxtrot ef eff",
  "g golf gee jee",
  "h hotel aitch haitch age",
];
const RANKS = [
  "1 one won",
  "2 two to too",
  "3 three tree",
  "4 four for fore",
  "5 five",
  "6 six",
  "7 seven",
  "8 eight ate",
];
const FIGURES: Readonly<Record<PieceKind, string>> = {
  pawn: "pawn pon",
  knight: "knight night n horse",
  bishop: "bishop b",
  rook: "rook rock r castle",
  queen: "queen q",
  king: "king k",
};
const DISCS: Readonly<Record<PieceKind, string>> = { man: "man", crowned: "king" };
const CAPTURES = "takes take taking captures capture x jumps jump hits eats beats";
const FILLERS =
  "to move moves goes go from on at the a and then please piece becomes equals promotes promote check mate checkmate";
const CASTLING = "castle castles castling castled";
const KINGSIDE = "kingside short";
const QUEENSIDE = "queenside long";

const SHARED = addAll(new Map(), [
  ...FILES.map((words, file) => [words, { type: "file", file }] as const),
  [FILLERS, FILLER],
  [CAPTURES, TAKES],
  ...RANKS.map((words, row) => [words, { type: "rank", rank: row + 1 }] as const),
]);

/** The meanings of each word in a game, the likeliest first. */
const MEANINGS: Readonly<Record<"discs" | "figures", ReadonlyMap<string, readonly Part[]>>> = {
  discs: addAll(SHARED, toPieces(DISCS)),
  figures: addAll(SHARED, [
    [CASTLING, { type: "castle", side: null }],
    [KINGSIDE, { type: "castle", side: "king" }],
    [QUEENSIDE, { type: "castle", side: "queen" }],
    ...toPieces(FIGURES),
  ]),
};

type Entry = readonly [words: string, part: Part];

function toPieces(names: Readonly<Record<PieceKind, string>>): readonly Entry[] {
  return Object.entries(names).map(([kind, words]) => [words, { type: "piece", kind }]);
}

function addAll(base: ReadonlyMap<string, readonly Part[]>, entries: readonly Entry[]) {
  const all = new Map(base);
  for (const [words, part] of entries) {
    for (const word of words.split(" ")) all.set(word, [...(all.get(word) ?? []), part]);
  }
  return all;
}

/** The possible meanings of every word of a text. Null if one has none. */
export function readWords(game: GameType, text: string): readonly (readonly Part[])[] | null {
  const meanings = MEANINGS[gameOf(game).look];
  const words = text
    .toLowerCase()
    .replace(/\b(king|queen)'?s? side\b/g, "$1side")
    .match(/[a-z]+|\d/g);
  const known = (words ?? []).flatMap((word) => splitWord(word, meanings)).map((word) => meanings.get(word));
  const found = known.filter((parts) => parts !== undefined);
  return found.length === 0 || found.length < known.length ? null : found;
}

/** "nf" of "nf3" is two letters. */
function splitWord(word: string, meanings: ReadonlyMap<string, unknown>): readonly string[] {
  return meanings.has(word) || word.length > 3 ? [word] : [...word];
}
