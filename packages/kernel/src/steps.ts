export type Steps<Value> = Generator<undefined, Value, undefined>;

export function runSteps<Value>(steps: Steps<Value>): Value {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
