/** What somebody of the house wrote for players, or for the log of acts: one line without what cannot be seen or turns what follows. */
export function toPlainLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/\p{Bidi_Control}/gu, "")
    .trim();
}
