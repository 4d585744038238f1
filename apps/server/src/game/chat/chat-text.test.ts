import fc from "fast-check";
import { expect, test } from "vitest";
import { toChatText } from "./chat-text.ts";

if (!process.env.DEEP) fc.configureGlobal({ seed: 20_261_123 });

// [VALID-43 §-] Flags of countries and regions, joined emoji, and the marks and joiners of the languages' scripts
// reach the opponent as they were written.
test.each([
  ["joins spaces and line breaks into one space", "  how\r\n\t far \u00a0\u2028 now ", "how far now"],
  ["composes letters", "o\u0323\u0300de\u0323", "ọ̀dẹ".normalize("NFC")],
  ["removes control characters", "a\u0000b\u0007c\u009f", "abc"],
  ["removes direction overrides", "\u202eevil\u202c \u2066x\u2069 \u200f\u061c", "evil x"],
  ["removes zero-width characters", "a\u200bb\u200cc\ufeffd\u00ade\u2060f\u034fg\u180eh", "abcdefgh"],
  ["removes characters that look empty", "a\u3164b\u115fc\u2800d\uffa0", "abcd"],
  ["removes lone surrogates", "a\ud800b\udc00", "ab"],
  ["removes tags and private characters", "a\u{e0041}b\ue000c\u{f0000}", "abc"],
  ["keeps a family emoji whole", "👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦"],
  ["keeps skin tones and coloured forms", "👩🏽‍❤️‍👨🏿 ☺️ 1️⃣", "👩🏽‍❤️‍👨🏿 ☺️ 1️⃣"],
  ["keeps flags of countries and regions [VALID-43]", "🇳🇬🇬🇭 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏳️‍🌈 🏴‍☠️", "🇳🇬🇬🇭 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏳️‍🌈 🏴‍☠️"],
  [
    "keeps joiners of letters that they shape [VALID-43]",
    "می\u200cخواهم क्\u200dष ߒߞ\u200dߏ",
    "می\u200cخواهم क्\u200dष ߒߞ\u200dߏ",
  ],
  [
    "keeps marks of Yoruba and letters of Hausa [VALID-43]",
    "ṣé ọ̀rẹ́ mi ni Ɗanlami ƙwarai",
    "ṣé ọ̀rẹ́ mi ni Ɗanlami ƙwarai",
  ],
  ["removes joiners outside an emoji", "\u200da\u200db\u200d👍\u200d", "ab👍"],
  ["removes emoji styles from letters", "a\ufe0fb", "ab"],
  ["limits the marks on one letter", `a${"\u0317".repeat(40)}b`, "a\u0317\u0317\u0317b"],
  ["counts a character beyond the basic plane as one", "😀".repeat(200), "😀".repeat(200)],
  ["counts after trimming", ` ${"a".repeat(200)} `, "a".repeat(200)],
])("%s", (_name, written, kept) => {
  expect(toChatText(written)).toEqual({ ok: true, value: kept });
});

test.each(["", " ", "\n\t", "\u200b\u200d\ufeff", "\u0301\u0302", "\u2800\u3164", "\ufe0f", "\u202e\u0000"])(
  "refuses the invisible text %j",
  (written) => {
    expect(toChatText(written)).toEqual({ ok: false, refusal: "chat_empty" });
  },
);

test.each(["a".repeat(201), "😀".repeat(201), "a b".repeat(100)])(
  "refuses more than two hundred characters",
  (written) => {
    expect(toChatText(written)).toEqual({ ok: false, refusal: "chat_too_long" });
  },
);

test("leaves a normalized text unchanged: one line, no control characters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 1_000 }), (written) => {
      const text = toChatText(written);
      if (!text.ok) return;
      expect(toChatText(text.value)).toEqual(text);
      expect(text.value).not.toMatch(/\p{Cc}|\p{Cs}|[\u202a-\u202e\u2066-\u2069\u200b]|^ | $| {2}/u);
      expect([...text.value].length).toBeLessThanOrEqual(200);
    }),
    { numRuns: 1_000 },
  );
});
