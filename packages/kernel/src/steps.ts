/** A long computation that yields between its steps, so that a server can run others meanwhile. */
export type Steps<Value> = Generator<undefined, Value, undefined>;

/** All steps at once. */
export function runSteps<Value>(steps: Steps<Value>): Value {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
