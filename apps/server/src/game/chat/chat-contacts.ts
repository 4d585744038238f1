const MASK = "***";

/** Endings of addresses that are no words, and those that are words too and need a path. */
const ENDINGS = "com|net|org|ng|info|biz|xyz|io|ly|gg|tv|app|africa";
const ENDINGS_THAT_ARE_WORDS =
  "me|co|in|us|uk|link|live|online|site|shop|club|pro|win|bet|top|fun|page|gl|cc|vip|be|to";
const DOT = String.raw`(?:\s?[([{]\s?(?:\.|dot)\s?[)\]}]\s?|\sdot\s|[.．。․])`;
const NAME = String.raw`[\p{L}\p{N}_%+-]+(?:${DOT}[\p{L}\p{N}_-]+)*`;
const LINKS = new RegExp(
  [
    String.raw`(?:https?|hxxps?|ftp)\s?:\s?/\s?/\s?\S+`,
    String.raw`(?<![\p{L}\p{N}])www${DOT}\S+`,
    String.raw`(?:${NAME}\s?@\s?)?${NAME}${DOT}(?:${ENDINGS})(?![\p{L}\p{N}-])(?:[/:?#]\S*)?`,
    String.raw`${NAME}\s?@\s?${NAME}${DOT}\p{L}{2,}`,
    String.raw`${NAME}${DOT}(?:${ENDINGS_THAT_ARE_WORDS})/\S*`,
  ].join("|"),
  "giu",
);

const DIGIT = String.raw`[\p{Nd}\p{No}]`;
/** Digits, also o for 0 and l for 1, with up to four signs between two of them. */
const NUMBERS = new RegExp(
  String.raw`(?<![\p{L}\p{N}])\+?\s?(?:${DIGIT}|[oO](?=${DIGIT}))(?:[\s.()/\-–_*\ufe0f\u20e3]{0,4}${DIGIT}|[oOlI](?=[oOlI]*[\s.-]?${DIGIT})){7,}[\ufe0f\u20e3]*`,
  "gu",
);
const CURRENCY_BEFORE = /(?:[₦$€£]|(?<!\p{L})N)\s?$/u;
const DIGITS_MIN = 10;
/** With the leading zero or plus, as in Lagos. */
const PREFIXED_DIGITS_MIN = 9;

function isPhoneNumber(written: string): boolean {
  const text = written.normalize("NFKC").replace(/[oO]/g, "0").replace(/[lI]/g, "1");
  const groups = text.match(/\p{Nd}+/gu) ?? [];
  const { length } = groups.join("");
  if (/^\s?(?:\+|[0٠۰])/u.test(text)) return length >= PREFIXED_DIGITS_MIN;
  // Otherwise only digits in groups: counting to ten is no number.
  return length >= DIGITS_MIN && groups.every((group) => group.length >= 3);
}

/**
 * Masks links, email addresses and phone numbers, so that no player lures another away or asks them
 * to pay elsewhere. Sums of money pass.
 */
export function maskContacts(text: string): string {
  return text.replace(LINKS, MASK).replace(NUMBERS, (found, index: number, whole: string) => {
    return isPhoneNumber(found) && !CURRENCY_BEFORE.test(whole.slice(0, index)) ? MASK : found;
  });
}
