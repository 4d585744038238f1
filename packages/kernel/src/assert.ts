/** A broken invariant: our own fault, never the caller's input. Whoever was served stops; nothing is written. */
export class BrokenInvariant extends Error {
  override readonly name = "BrokenInvariant";
}

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new BrokenInvariant(message);
}

/** Closes a `switch` over a union: adding a member makes this call a type error. */
export function assertNever(value: never): never {
  throw new BrokenInvariant(`unexpected value ${JSON.stringify(value)}`);
}
