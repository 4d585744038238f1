import type { RecordResult } from "./notation.ts";

/** One word of the main line, and what its comments say. */
export interface RecordWord {
  readonly text: string;
  readonly comment: string;
}

/** What stands in a record, before anybody asks whether its moves are legal. */
export interface RecordSource {
  readonly tags: ReadonlyMap<string, string>;
  readonly words: readonly RecordWord[];
  /** The result at the end of the moves; null where there is none. */
  readonly ending: RecordResult | null;
}

/** Blanks, and lines that a `%` in the first column keeps for other programs. */
const SKIPPED = /(?:\s|(?<![^\n])%[^\n]*)+/y;
const COMMENT = /\{([^}]*)\}|;([^\n]*)/y;
const TAG = /\[\s*(\w+)\s*"((?:[^"\\\n]|\\[^\n])*)"\s*\]/y;
/** Move numbers, dots, numeric glyphs, and marks of any kind. */
const NOISE = /\d+\.+|\d{1,3}(?=[\s{(…]|$)|[.…]+|\$\d+|\([!?]+\)|[!?]+|e\.p\.(?!\w)/y;
const BRACKET = /[()]/y;
/** A promotion may stand in brackets, which open no side line then. */
const WORD = /(?:(?!e\.p\.)[\p{L}\p{N}+#=:/*×‐‑–—−-]|\([QRBNqrbn]\))+/uy;
/** How another game can begin behind the first one. */
const NEXT_GAME = /\[|1\s*\.(?!\.)/y;

/**
 * Takes the first game of a text apart: with or without tags, comments, numeric glyphs, escaped lines and side lines of any depth.
 * The game ends with the first word of its main line that `results` knows, with the tags of another game, or with the text. Null for
 * a sign without meaning here, an unclosed comment or side line, a tag given twice, and anything but another game after the result.
 */
export function parseSource(text: string, results: ReadonlyMap<string, RecordResult>): RecordSource | null {
  const reader = new Reader(text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n"));
  const tags = new Map<string, string>();
  const words: RecordWord[] = [];
  let depth = 0;
  while (!reader.isAtEnd()) {
    if (reader.take(SKIPPED) !== null || reader.take(NOISE) !== null) continue;
    const comment = reader.take(COMMENT);
    if (comment !== null) {
      const last = words.at(-1);
      if (depth === 0 && last !== undefined) {
        words[words.length - 1] = { text: last.text, comment: `${last.comment}${comment[1] ?? comment[2]!} ` };
      }
      continue;
    }
    const tag = reader.take(TAG);
    if (tag !== null) {
      if (depth > 0) return null;
      if (words.length > 0) return { tags, words, ending: null };
      if (tags.has(tag[1]!)) return null;
      tags.set(tag[1]!, tag[2]!.replace(/\\(["\\])/g, "$1"));
      continue;
    }
    const bracket = reader.take(BRACKET);
    if (bracket !== null) {
      depth += bracket[0] === "(" ? 1 : -1;
      if (depth < 0) return null;
      continue;
    }
    const word = reader.take(WORD);
    if (word === null) return null;
    if (depth > 0) continue;
    const plain = toPlain(word[0]);
    const ending = results.get(plain);
    if (ending !== undefined) return isOver(reader) ? { tags, words, ending } : null;
    words.push({ text: plain, comment: "" });
  }
  return depth === 0 ? { tags, words, ending: null } : null;
}

/** A word with the dashes and the capture sign of typesetters as keyboards have them. */
export function toPlain(word: string): string {
  return word.replace(/[‐‑–—−]/g, "-").replace(/×/g, "x");
}

/** Whether nothing stands behind a result but comments, or else another game. */
function isOver(reader: Reader): boolean {
  while (reader.take(SKIPPED) !== null || reader.take(COMMENT) !== null);
  return reader.isAtEnd() || reader.take(NEXT_GAME) !== null;
}

/** A text that is read from front to back, one sticky pattern at a time. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match !== null) this.#at += match[0].length;
    return match;
  }

  isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }
}
