import type { GameResult } from "../pgn-pdn.ts";

interface NotationWord {
  readonly text: string;
  readonly comment: string;
}

interface NotationSource {
  readonly tags: ReadonlyMap<string, string>;
  readonly words: readonly NotationWord[];
  readonly ending: GameResult | null;
}

/** Whitespace, and lines that a `%` in the first column reserves for other programs. */
const SKIPPED = /(?:\s|(?<![^\n])%[^\n]*)+/y;
const COMMENT = /\{([^}]*)\}|;([^\n]*)/y;
const TAG = /\[\s*(\w+)\s*"((?:[^"\\\n]|\\[^\n])*)"\s*\]/y;
/** Move numbers, dots, numeric glyphs, and marks of any kind. */
const NOISE = /\d+\.+|\d{1,3}(?=[\s{(…]|$)|[.…]+|\$\d+|\([!?]+\)|[!?]+|e\.p\.(?!\w)/y;
const BRACKET = /[()]/y;
/** Brackets around a promotion do not open a side line. */
const WORD = /(?:(?!e\.p\.)[\p{L}\p{N}+#=:/*×‐‑–—−-]|\([QRBNqrbn]\))+/uy;
/** How another game can begin after the first one. */
const NEXT_GAME = /\[|1\s*\.(?!\.)/y;

/**
 * Splits the first game of a text. It ends with a result, the tags of another game, or the text.
 * Null for unknown signs, unclosed comments or side lines, repeated tags, and other trailing text.
 */
export function parseSource(text: string, results: ReadonlyMap<string, GameResult>): NotationSource | null {
  const reader = new Reader(text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n"));
  const tags = new Map<string, string>();
  const words: NotationWord[] = [];
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

/** Replaces typographic dashes and capture signs by the keyboard's. */
export function toPlain(word: string): string {
  return word.replace(/[‐‑–—−]/g, "-").replace(/×/g, "x");
}

function isOver(reader: Reader): boolean {
  while (reader.take(SKIPPED) !== null || reader.take(COMMENT) !== null);
  return reader.isAtEnd() || reader.take(NEXT_GAME) !== null;
}

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
