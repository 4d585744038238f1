/**
 * Why a text is refused instead of cut: a cut one says something else. Counts UTF-16 units, as the
 * server does. Undefined: it fits.
 */
export function toLengthFault(text: string, charactersMax: number): string | undefined {
  const excess = text.trim().length - charactersMax;
  if (excess <= 0) return undefined;
  return `${excess} ${excess === 1 ? "character" : "characters"} too many. At most ${charactersMax} fit.`;
}
