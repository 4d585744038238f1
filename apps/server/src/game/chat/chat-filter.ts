import { foldLookAlikes, toTurnedReadings } from "./chat-letters.ts";
import {
  ALLOWED_PHRASES,
  AMBIGUOUS_WORDS,
  INNOCENT_TWINS,
  PHRASES,
  STEMS,
  STRONG_WORDS,
  WORDS,
  WORDS_OF_THEIR_OWN,
} from "./chat-words.ts";

/** Digits and signs that replace letters inside a word. */
const LEET: Readonly<Record<string, string>> = {
  ...{ "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "6": "g", "7": "t", "8": "b", "9": "g" },
  ...{ "@": "a", $: "s", "!": "i", "|": "i" },
};
const NOTATION = /^(?:[kqrbn]?[a-h]?[1-8]?x?[a-h][1-8]|[a-h][1-8][a-h][1-8]?)[qrbn]?$/;

/** A digit more than the letters is a number or a model (A55); signs are not. */
function foldDigits(word: string): string {
  if (NOTATION.test(word) || !/[a-z].*[a-z]|[a-z@$!|].*[@$!|]/.test(word)) return word;
  return word.replace(/[^a-z]/g, (sign) => LEET[sign] ?? sign);
}

/** i and l are one letter (oIodo), and a run of a letter is one, with its length. */
function toRuns(word: string): { readonly letters: string; readonly lengths: readonly number[] } {
  const runs = word.replaceAll("l", "i").match(/(.)\1*/gu) ?? [];
  return { letters: runs.map((run) => run[0]).join(""), lengths: runs.map(({ length }) => length) };
}

/** Matches whole words. A disguise may repeat letters, but leaves none out: Niger is no insult. */
class WordList {
  readonly #words = new Map<string, (readonly number[])[]>();

  constructor(words: readonly string[]) {
    for (const word of words) {
      const { letters, lengths } = toRuns(word);
      this.#words.set(letters, [...(this.#words.get(letters) ?? []), lengths]);
    }
  }

  has(word: string): boolean {
    const { letters, lengths } = toRuns(word);
    const listed = this.#words.get(letters);
    return listed?.some((one) => one.every((length, index) => lengths[index]! >= length)) ?? false;
  }

  /** The beginnings of the words, with runs as one letter. */
  toBeginnings(): ReadonlySet<string> {
    return new Set([...this.#words.keys()].flatMap((word) => [...word].map((_, index) => word.slice(0, index + 1))));
  }
}

/** A letter also three times or more, which no innocent word has: "foool", no "good" for god. */
function toStretched(letters: string): string {
  return letters.replaceAll("l", "i").replace(/(.)\1*/g, ({ 0: letter, length }) => {
    const one = letter === "i" ? "[il]" : letter!;
    return length > 1 ? `${one}{${length},}` : `${one}(?:${one}{2,})?`;
  });
}

function toPattern(phrases: readonly string[], flags = ""): RegExp {
  const sources = phrases.map((phrase) => {
    const bounded = phrase.startsWith("^") ? phrase : `(?<![^ ])${phrase}`;
    return (bounded.endsWith("$") ? bounded : `${bounded}(?![^ ])`).replace(/[a-z]+/g, toStretched);
  });
  return new RegExp(sources.join("|").replaceAll(/\((?!\?)/g, "(?:"), flags);
}

const words = new WordList(WORDS);
const strongWords = new WordList(STRONG_WORDS);
const strongBeginnings = strongWords.toBeginnings();
const strongBackwards = new Set(STRONG_WORDS.map((word) => [...word].toReversed().join("")));
const ambiguousWords = new WordList(AMBIGUOUS_WORDS);
const innocentTwins = new Set(INNOCENT_TWINS);
const wordsOfTheirOwn = new Set(WORDS_OF_THEIR_OWN);
const stems = new RegExp(
  STEMS.map((stem) => stem.replace(/[a-z]/g, (letter) => (/[il]/.test(letter) ? "[il]+" : `${letter}+`))).join("|"),
);
const phrases = toPattern(PHRASES);
const allowedPhrases = toPattern(ALLOWED_PHRASES, "g");

/**
 * Whether a message is abusive, even in disguise: look-alikes, turned, mirrored, repeated,
 * separated or starred-out letters. Every pattern is bounded.
 */
export function isAbusive(text: string): boolean {
  return [text, ...toTurnedReadings(text)].some(isAbusiveReading) || hasDisguisedWord(text);
}

function isAbusiveReading(text: string): boolean {
  const folded = foldLookAlikes(text);
  if (isInsulting(folded.split(/[^a-z0-9]+/)) || folded.split(/\s+/).some(isStarredOut)) return true;
  return /[@$!|]/.test(folded) && isInsulting(folded.replace(/[!|]+(?![\w@$!|])/g, " ").split(/[^a-z0-9@$!|]+/));
}

function isInsulting(split: readonly string[]): boolean {
  const read = split.filter((word) => word !== "").map(foldDigits);
  const sentence = read.join(" ").replace(allowedPhrases, "-");
  const left = sentence.split(" ");
  return phrases.test(sentence) || left.some(isInsult) || left.some((_, index) => isSetApart(left, index));
}

function isInsult(word: string): boolean {
  if (innocentTwins.has(word)) return false;
  if (words.has(word) || stems.test(word)) return true;
  // Plurals such as "mumus", and "mumuo".
  if (word.length > 4 && /[soz]$/.test(word) && words.has(word.slice(0, -1))) return true;
  return strongBackwards.has(word);
}

/** Whether a name or everyday word is written with signs or letters of another script. */
function hasDisguisedWord(text: string): boolean {
  return text
    .normalize("NFD")
    .split(/[^\p{L}\p{M}\p{N}@$!|]+/u)
    .map((word) => word.replace(/\p{M}/gu, "").replace(/[!|]+$/, ""))
    .some((word) => /[^a-z]/i.test(word) && ambiguousWords.has(foldDigits(foldLookAlikes(word))));
}

const PIECES_MAX = 12;

/** Whether the words from this index are the letters of an insult. */
function isSetApart(read: readonly string[], from: number): boolean {
  let joined = "";
  for (const piece of read.slice(from, from + PIECES_MAX)) {
    if (wordsOfTheirOwn.has(piece)) return false;
    joined += piece.length === 1 ? (LEET[piece] ?? piece) : piece;
    if (strongWords.has(joined)) return true;
    if (!strongBeginnings.has(toRuns(joined).letters)) return false;
  }
  return false;
}

/** Whether filling in the stars gives an insult. Needs two letters, the first among them. */
function isStarredOut(written: string): boolean {
  const word = written.replace(/^[^a-z]+|[^a-z*#_]+$/g, "");
  if (word.length < 4 || !/[*#_]/.test(word) || word.replace(/[^a-z]/g, "").length < 2) return false;
  return [...WORDS, ...AMBIGUOUS_WORDS].some(
    (insult) =>
      insult.length === word.length && [...word].every((char, index) => "*#_".includes(char) || char === insult[index]),
  );
}
