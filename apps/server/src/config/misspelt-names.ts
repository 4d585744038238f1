/** Shorter names resemble others by chance: POST is not PORT, and HOSTNAME not HOST. */
const LONG = 8;
const SLIPS_MAX = 2;
/** More than this share of a name at the beginning: PAYSTACK_SECRET, but not DATABASE_PORT. */
const SHARED_MIN = 0.75;

/** Letters that were left out, added, replaced or swapped with their neighbour. */
function countSlips(written: string, meant: string): number {
  let [before, row]: [readonly number[], readonly number[]] = [
    [],
    Array.from({ length: meant.length + 1 }, (_, i) => i),
  ];
  for (let i = 1; i <= written.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= meant.length; j += 1) {
      const isSame = written[i - 1] === meant[j - 1];
      const isSwapped = i > 1 && j > 1 && written[i - 1] === meant[j - 2] && written[i - 2] === meant[j - 1];
      const swapped = isSwapped ? before[j - 2]! + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (isSame ? 0 : 1), swapped));
    }
    [before, row] = [row, next];
  }
  return row[meant.length]!;
}

function countShared(written: string, known: string): number {
  const differs = [...known].findIndex((letter, index) => written[index] !== letter);
  return differs < 0 ? known.length : differs;
}

function isMeant(name: string, known: string): boolean {
  const written = name.toUpperCase();
  if (known.length < LONG) return [...written].sort().join() === [...known].sort().join();
  if (countSlips(written, known) <= SLIPS_MAX) return true;
  // OpenTelemetry has more names than we read.
  return !known.startsWith("OTEL_") && countShared(written, known) > SHARED_MIN * known.length;
}

/** Names that are probably a known one misspelt, each with that one. */
export function findMisspelt(
  names: readonly string[],
  known: readonly string[],
): readonly { readonly name: string; readonly meant: string }[] {
  return names.flatMap((name) => {
    const meant = known.includes(name) ? undefined : known.find((one) => isMeant(name, one));
    return meant === undefined ? [] : [{ name, meant }];
  });
}
