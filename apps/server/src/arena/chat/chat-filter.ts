import {
  collapseDuplicatesTransformer,
  DataSet,
  englishDataset,
  RegExpMatcher,
  resolveConfusablesTransformer,
} from "obscenity";
import { ALLOWED_PHRASES, LEFT_OUT, LIBRARY_ALLOWED, PHRASES, SPACED_WORDS, STEMS, WORDS } from "./chat-words.ts";

/** Digits and signs that replace letters inside a word. */
const LEET: Readonly<Record<string, string>> = {
  ...{ "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "6": "g", "7": "t", "8": "b", "9": "g" },
  ...{ "@": "a", $: "s", "!": "i", "|": "i" },
};
const NOTATION = /^(?:[kqrbn]?[a-h]?[1-8]?x?[a-h][1-8]|[a-h][1-8][a-h][1-8])[qrbn]?$/;

const { transform: resolveLookAlike } = resolveConfusablesTransformer();

/** Some signs mean a whole Arabic phrase; no sign replaces more Latin letters than this. */
const LETTERS_IN_SIGN_MAX = 4;

/**
 * Replaces look-alikes of any script by plain lower-case letters; the rest that is not ASCII is a
 * gap.
 */
function foldLookAlikes(text: string): string {
  let folded = "";
  // The library reads several capital i as an l.
  for (const char of text.replace(/[\u0399\u0406\u04c0\u0131\u03b9]/g, "i")) {
    folded += char < "\u0080" ? char : foldLookAlike(char);
  }
  return folded
    .toLowerCase()
    .replace(/['\u2019`]re(?![a-z])/g, " are")
    .replace(/['\u2019`]/g, "");
}

function foldLookAlike(char: string): string {
  if (char === "\u2019") return char;
  const letters = char.normalize("NFKD").replace(/\p{M}/gu, "");
  if (letters.length > LETTERS_IN_SIGN_MAX) return " ";
  return letters.replace(/[^\0-\x7f]/gu, (letter) =>
    String.fromCodePoint(resolveLookAlike(letter.codePointAt(0)!) ?? 32),
  );
}

function foldDigits(word: string): string {
  if (!/[a-z]/.test(word) || NOTATION.test(word)) return word;
  return word.replace(/[^a-z]/g, (sign) => LEET[sign] ?? sign);
}

/** Removes repeated letters and equates i and l: O1odooo, oIodo and olodo become the same. */
function toSkeleton(word: string): string {
  return word.replace(/([a-z])\1+/g, "$1").replaceAll("l", "i");
}

function toPattern(phrases: readonly string[], flags = ""): RegExp {
  const sources = phrases.map((phrase) => {
    const bounded = phrase.startsWith("^") ? phrase : `(?<![^ ])${phrase}`;
    return (bounded.endsWith("$") ? bounded : `${bounded}(?![^ ])`).replace(/[a-z]+/g, toSkeleton);
  });
  return new RegExp(sources.join("|").replaceAll(/\((?!\?)/g, "(?:"), flags);
}

const words = new Set(WORDS.map(toSkeleton));
const spacedWords = new Set(SPACED_WORDS.map(toSkeleton));
const spacedBeginnings = new Set(
  [...spacedWords].flatMap((word) => [...word].map((_, index) => word.slice(0, index + 1))),
);
const stems = STEMS.map(toSkeleton);
const phrases = toPattern(PHRASES);
const allowedPhrases = toPattern(ALLOWED_PHRASES, "g");

const dataset = new DataSet<{ originalWord: string }>()
  .addAll(englishDataset)
  .removePhrasesIf(({ metadata }) => metadata !== undefined && LEFT_OUT.includes(metadata.originalWord))
  .build();
const library = new RegExpMatcher({
  blacklistedTerms: dataset.blacklistedTerms,
  whitelistedTerms: [...(dataset.whitelistedTerms ?? []), ...LIBRARY_ALLOWED],
  blacklistMatcherTransformers: [
    collapseDuplicatesTransformer({ customThresholds: new Map([..."beolsg"].map((letter) => [letter, 2])) }),
  ],
});

/**
 * Whether a message is abusive, even in disguise: look-alikes, repeated, separated or starred-out
 * letters. Far below a millisecond for 200 characters; every pattern is bounded.
 */
export function isAbusive(text: string): boolean {
  const folded = foldLookAlikes(text);
  if (isInsulting(folded.split(/[^a-z0-9]+/)) || folded.split(/\s+/).some(isStarredOut)) return true;
  return /[@$!|]/.test(folded) && isInsulting(folded.replace(/[!|]+(?![\w@$!|])/g, " ").split(/[^a-z0-9@$!|]+/));
}

function isInsulting(split: readonly string[]): boolean {
  const read = split.filter((word) => word !== "").map(foldDigits);
  if (library.hasMatch(read.join(" "))) return true;
  const sentence = read.map(toSkeleton).join(" ").replace(allowedPhrases, "-");
  const skeletons = sentence.split(" ");
  return (
    phrases.test(sentence) || skeletons.some(isInsult) || skeletons.some((_, index) => isSetApart(skeletons, index))
  );
}

function isInsult(word: string): boolean {
  if (words.has(word) || stems.some((stem) => word.includes(stem))) return true;
  // Plurals such as "mumus", and "mumuo".
  return word.length > 4 && /[so]$/.test(word) && words.has(word.slice(0, -1));
}

const PIECES_MAX = 12;

/** Whether the words from this index are the letters of an insult. */
function isSetApart(skeletons: readonly string[], from: number): boolean {
  let joined = "";
  for (const skeleton of skeletons.slice(from, from + PIECES_MAX)) {
    joined = toSkeleton(joined + (skeleton.length === 1 ? (LEET[skeleton] ?? skeleton) : skeleton));
    if (spacedWords.has(joined)) return true;
    if (!spacedBeginnings.has(joined)) return false;
  }
  return false;
}

/** Whether filling in the stars gives an insult. Needs two letters, the first among them. */
function isStarredOut(written: string): boolean {
  const word = written.replace(/^[^a-z]+|[^a-z*#_]+$/g, "");
  if (!/[*#_]/.test(word) || word.replace(/[^a-z]/g, "").length < 2) return false;
  return WORDS.some(
    (insult) =>
      insult.length === word.length && [...word].every((char, index) => "*#_".includes(char) || char === insult[index]),
  );
}
