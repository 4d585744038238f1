import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { CHAT_CHARACTERS_MAX } from "@holo/protocol/socket/frames.ts";

/** Joiners of an emoji's parts or its coloured form; elsewhere they only deceive. */
const OUTER_EMOJI_PARTS =
  /(?<!\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?)\u200d|\u200d(?!\p{Extended_Pictographic})|(?<!\p{Emoji})\ufe0f/gu;
/**
 * Controls, direction overrides, zero-width and other invisible characters, except emoji joiners.
 */
const INVISIBLE = /(?![\u200d\ufe0f])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\u2800]/gu;
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
    .replace(INVISIBLE, "")
    .replace(OUTER_EMOJI_PARTS, "")
    .normalize("NFC")
    .replace(MARKS_PILED, "$1")
    .replace(/ +/g, " ")
    .trim();
  if (!VISIBLE.test(text)) return refuse("chat_empty");
  return [...text].length > CHAT_CHARACTERS_MAX ? refuse("chat_too_long") : ok(text);
}
