import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { CHAT_CHARACTERS_MAX } from "@holo/protocol/socket/socket-terms.ts";

/** Letters of the scripts that joiners shape: Arabic (Ajami), N'Ko, Adlam, Indic and others. */
const SHAPED = String.raw`[[\p{L}\p{M}]--[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Inherited}]]`;
/** What is kept: a region's flag (Scotland's), which has invisible tags, and joiners of letters. */
const KEPT = String.raw`\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}|(?<=${SHAPED})[\u200c\u200d](?=${SHAPED})`;
/**
 * Controls, direction overrides, zero-width and other invisible characters, except emoji joiners.
 */
const INVISIBLE = String.raw`[[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\u2800]--[\u200d\ufe0f]]`;
/** Joiners of an emoji's parts or its coloured form; elsewhere they only deceive. */
const OUTER_EMOJI_PARTS = String.raw`(?<!\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?)\u200d|\u200d(?!\p{Extended_Pictographic})|(?<!\p{Emoji})\ufe0f`;
const [UNKEPT_INVISIBLE, UNKEPT_EMOJI_PARTS] = [INVISIBLE, OUTER_EMOJI_PARTS].map(
  (removed) => new RegExp(`(${KEPT})|${removed}`, "gv"),
) as [RegExp, RegExp];
/** No known script has more marks on one letter; stacked marks cover the lines around. */
const MARKS_PILED = /(\p{M}{3})\p{M}+/gu;
const VISIBLE = /[^\s\p{M}]/u;

/**
 * A message as stored: composed (NFC), one line, no invisible characters, trimmed, 1 to 200 code
 * points. Refuses `chat_empty`, then `chat_too_long`.
 */
export function toChatText(written: string): Result<string, "chat_empty" | "chat_too_long"> {
  const text = written
    .replace(/[^\S\ufeff]+/gu, " ")
    .replace(UNKEPT_INVISIBLE, "$1")
    .replace(UNKEPT_EMOJI_PARTS, "$1")
    .normalize("NFC")
    .replace(MARKS_PILED, "$1")
    .replace(/ +/g, " ")
    .trim();
  if (!VISIBLE.test(text)) return refuse("chat_empty");
  return [...text].length > CHAT_CHARACTERS_MAX ? refuse("chat_too_long") : ok(text);
}
