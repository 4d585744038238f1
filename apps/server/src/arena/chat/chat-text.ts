import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { CHAT_CHARACTERS_MAX } from "@holo/protocol/frames.ts";

/** What joins the people of one emoji, or calls for its coloured form; anywhere else these are only there to deceive. */
const OUTER_EMOJI_PARTS =
  /(?<!\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?)\u200d|\u200d(?!\p{Extended_Pictographic})|(?<!\p{Emoji})\ufe0f/gu;
/** Controls, direction overrides, zero-width and otherwise invisible characters, the emoji's own two apart. */
const INVISIBLE = /(?![\u200d\ufe0f])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** No script we know of writes more marks on one letter; piles of them run over the lines around. */
const MARKS_PILED = /(\p{M}{3})\p{M}+/gu;
const VISIBLE = /[^\s\p{M}]/u;

/**
 * A message as it is kept and shown: composed (NFC), on one line, without what cannot be seen, trimmed, 1 to 200 code points. Refuses
 * `chat_empty` where nothing is left, then `chat_too_long`.
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
