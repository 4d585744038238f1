/** A broken invariant: a fault of the program, never of its input. Nothing is written. */
export class BrokenInvariant extends Error {
  override readonly name = "BrokenInvariant";
}

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new BrokenInvariant(message);
}

/** Ends a `switch` over a union: a new member makes this call a type error. */
export function assertNever(value: never): never {
  throw new BrokenInvariant(`unexpected value ${JSON.stringify(value)}`);
}
