/** The outcome of an operation that may be refused. Faults are thrown instead. */
export type Result<Value, Refusal> = Ok<Value> | Refused<Refusal>;

interface Ok<Value> {
  readonly ok: true;
  readonly value: Value;
}

interface Refused<Refusal> {
  readonly ok: false;
  readonly refusal: Refusal;
}

export function ok<Value>(value: Value): Ok<Value> {
  return { ok: true, value };
}

export function refuse<const Refusal>(refusal: Refusal): Refused<Refusal> {
  return { ok: false, refusal };
}
