import fc from "fast-check";
import { expect, test } from "vitest";
import { toChatText } from "./chat-text.ts";

if (!process.env.DEEP) fc.configureGlobal({ seed: 20_261_123 });

test.each([
  ["spaces and lines are one space", "  how\r\n\t far \u00a0\u2028 now ", "how far now"],
  ["letters are composed", "o\u0323\u0300de\u0323", "ọ̀dẹ".normalize("NFC")],
  ["controls are left out", "a\u0000b\u0007c\u009f", "abc"],
  ["direction is not turned", "\u202eevil\u202c \u2066x\u2069 \u200f\u061c", "evil x"],
  ["zero width is none", "a\u200bb\u200cc\ufeffd\u00ade\u2060f\u034fg\u180eh", "abcdefgh"],
  ["what looks empty is left out", "a\u3164b\u115fc\u2800d\uffa0", "abcd"],
  ["half a character is left out", "a\ud800b\udc00", "ab"],
  ["tags and private signs are left out", "a\u{e0041}b\ue000c\u{f0000}", "abc"],
  ["a family stays together", "👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦"],
  ["colours and hearts stay", "👩🏽‍❤️‍👨🏿 ☺️ 1️⃣", "👩🏽‍❤️‍👨🏿 ☺️ 1️⃣"],
  ["joiners outside an emoji go", "\u200da\u200db\u200d👍\u200d", "ab👍"],
  ["emoji styles on letters go", "a\ufe0fb", "ab"],
  ["marks are not piled up", `a${"\u0317".repeat(40)}b`, "a\u0317\u0317\u0317b"],
  ["two hundred characters beyond the basic plane are two hundred", "😀".repeat(200), "😀".repeat(200)],
  ["what is trimmed does not count", ` ${"a".repeat(200)} `, "a".repeat(200)],
])("%s", (_name, written, kept) => {
  expect(toChatText(written)).toEqual({ ok: true, value: kept });
});

test.each(["", " ", "\n\t", "\u200b\u200d\ufeff", "\u0301\u0302", "\u2800\u3164", "\ufe0f", "\u202e\u0000"])(
  "nothing to be seen in %j",
  (written) => {
    expect(toChatText(written)).toEqual({ ok: false, refusal: "chat_empty" });
  },
);

test.each(["a".repeat(201), "😀".repeat(201), "a b".repeat(100)])(
  "more than two hundred characters are too many",
  (written) => {
    expect(toChatText(written)).toEqual({ ok: false, refusal: "chat_too_long" });
  },
);

test("does not change a stored text again: one line, no controls", () => {
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
