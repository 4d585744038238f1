import type { Queries } from "./database.ts";

/** Something that holds in every committed state of the database, whatever happened to it. */
export interface Invariant {
  /** A sentence that is true: "every entry sums to zero". */
  readonly name: string;
  /** Null where it holds, else what was found, naming the first row that breaks it. */
  check(queries: Queries): Promise<string | null>;
}

export interface BrokenFinding {
  readonly name: string;
  readonly found: string;
}

/** Checks one after the other, calls `held` for each that holds, and ends at the first that does not. */
export async function audit(
  queries: Queries,
  invariants: readonly Invariant[],
  held: (name: string) => void = () => {},
): Promise<BrokenFinding | null> {
  for (const { name, check } of invariants) {
    const found = await check(queries);
    if (found !== null) return { name, found };
    held(name);
  }
  return null;
}
