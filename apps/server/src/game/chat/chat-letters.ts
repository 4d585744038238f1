import { resolveConfusablesTransformer } from "obscenity";

const { transform: resolveLookAlike } = resolveConfusablesTransformer();

/** Some signs mean a whole Arabic phrase; no sign replaces more Latin letters than this. */
const LETTERS_IN_SIGN_MAX = 4;

const regions = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
const REGIONAL_INDICATOR_A = 0x1f1e6;

/** Flags are gaps; regional indicators that form no flags are letters. */
function foldFlags(text: string): string {
  return text.replace(/[\u{1f1e6}-\u{1f1ff}]+/gu, (signs) => {
    const letters = [...signs].map((sign) => String.fromCharCode(65 + sign.codePointAt(0)! - REGIONAL_INDICATOR_A));
    const pairs = letters.join("").match(/../g) ?? [];
    const isFlags = letters.length % 2 === 0 && pairs.every((pair) => regions.of(pair) !== undefined);
    return isFlags ? " " : letters.join("");
  });
}

/**
 * Replaces look-alikes of any script by plain lower-case letters; the rest that is not ASCII is a
 * gap.
 */
export function foldLookAlikes(text: string): string {
  let folded = "";
  // The library reads several capital i as an l.
  for (const char of foldFlags(text).replace(/[\u0399\u0406\u04c0\u0131\u03b9]/g, "i")) {
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

const toMap = (shown: string, meant: string): ReadonlyMap<string, string> => {
  const letters = [...meant];
  return new Map([...shown].map((sign, index) => [sign, letters[index]!]));
};
/** Letters turned by half a circle, in lower case; then plain letters that become others so. */
const TURNED = toMap("ɐɔǝɟⅎƃᵷɥᴉıɾſʞꞁן˥ɯɹʁʇ┴ʌʍʎ⅄ᗡ∀", "aceffgghiijjklllmrrttvwyyda");
const TURNED_PLAIN = toMap("nubqdp", "unqbpd");
const MIRRORED = toMap("ɒɘɔꟻʇᒐꓘʞ⅃ᴎиɿяꙅƨɜǝϱʜꟼ", "aecftjkklnnrrsseeghp");
const MIRRORED_PLAIN = toMap("bdpq", "dbqp");

/** The text's other readings: turned upside down and mirrored, each from both ends. */
export function toTurnedReadings(text: string): readonly string[] {
  const lower = text.normalize("NFC").toLowerCase();
  const readings: string[] = [];
  for (const [signs, plain] of [
    [TURNED, TURNED_PLAIN],
    [MIRRORED, MIRRORED_PLAIN],
  ] as const) {
    const chars = [...lower];
    if (!chars.some((char) => signs.has(char))) continue;
    // Some writers turn the signs alone and leave letters that look alike either way.
    const turned = chars.map((char) => signs.get(char) ?? char);
    const all = chars.map((char) => signs.get(char) ?? plain.get(char) ?? char);
    for (const read of [turned, all]) {
      const backwards = read.toReversed().join("");
      // Also word by word.
      readings.push(read.join(""), backwards, backwards.split(" ").toReversed().join(" "));
    }
  }
  return readings;
}
