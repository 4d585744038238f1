/** A long computation that can pause after each step. */
export type Steps<Value> = Generator<undefined, Value, undefined>;

/** Runs all steps at once. */
export function runSteps<Value>(steps: Steps<Value>): Value {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
