import { toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { beforeEach, expect, it } from "vitest";
import { type IdempotencyKeys, makeIdempotencyKeys } from "./idempotency-keys.ts";

const MINUTE_MS = 60_000;
let nowMs: number;
let keys: IdempotencyKeys;

beforeEach(() => {
  nowMs = 1_000;
  keys = makeIdempotencyKeys(() => nowMs);
});

// [ERR-43 §8 r9] A payment that is sent again while its outcome is unknown is made once, also after closing its
// dialog or being refused in between.
it("sends an unanswered request again under its id, also after a refusal that came before it was read [ERR-43]", () => {
  const first = keys.keyFor("withdraw 500000");
  for (const code of ["unavailable", "too_many_requests", "second_factor_required", "login_required"] as const) {
    keys.complete("withdraw 500000", toRefusalView(code));
    expect(keys.keyFor("withdraw 500000"), code).toBe(first);
  }
});

it("keeps the id of an unanswered request while another one is sent", () => {
  const first = keys.keyFor("withdraw 500000");
  const other = keys.keyFor("withdraw 600000");
  expect(other).not.toBe(first);
  expect(keys.keyFor("withdraw 500000")).toBe(first);
});

it("gives a new id once the request succeeded, can never succeed, or is long ago", () => {
  const ids = [keys.keyFor("deposit")];
  keys.complete("deposit");
  ids.push(keys.keyFor("deposit"));
  keys.complete("deposit", toRefusalView("payments_unavailable"));
  ids.push(keys.keyFor("deposit"));
  nowMs += 10 * MINUTE_MS;
  ids.push(keys.keyFor("deposit"));
  expect(new Set(ids).size).toBe(4);
});
