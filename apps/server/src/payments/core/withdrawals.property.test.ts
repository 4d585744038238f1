import { addMs, HOUR_MS, type Instant, MINUTE_MS, toInstant } from "@holo/kernel/instant.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decideWait, decideWithdrawal } from "./decide-withdrawal.ts";
import {
  foldWithdrawal,
  isFailure,
  NEW_WITHDRAWAL,
  type TransferFact,
  toWithdrawalResidue,
  type WithdrawalFact,
  type WithdrawalState,
} from "./withdrawal-state.ts";

if (!process.env.DEEP) fc.configureGlobal({ seed: 20_261_129 });

const RUNS = process.env.DEEP ? 200_000 : 3_000;
const ORDERED = 500_000n;
const START = toInstant(Date.UTC(2026, 0, 1));

type Decide = typeof decideWithdrawal;
type Given =
  | TransferFact
  | { readonly type: "wait"; readonly ms: number }
  | { readonly type: "order" | "unsent" | "credit" | "debit" | "send_again" | "write_off" };

const transfer = fc
  .record({
    outcome: fc.constantFrom("success", "other_sum", "foreign", "failed", "reversed", "open", "missing", "unreadable"),
    other: fc.constantFrom(400_000n, 600_000n),
  })
  .map(({ outcome, other }): TransferFact => {
    const sent = outcome === "success" ? ORDERED : outcome === "other_sum" ? other : 0n;
    return { type: "transfer", outcome, kobo: sent, feeKobo: null, providerId: null } as TransferFact;
  });
const given: fc.Arbitrary<Given> = fc.oneof(
  { weight: 5, arbitrary: transfer },
  { weight: 2, arbitrary: fc.constant({ type: "order" as const }) },
  fc.record({ type: fc.constant("wait" as const), ms: fc.constantFrom(MINUTE_MS, 11 * MINUTE_MS) }),
  fc.constantFrom(
    { type: "unsent" as const },
    { type: "credit" as const },
    { type: "debit" as const },
    { type: "send_again" as const },
    { type: "write_off" as const },
  ),
);
const history = fc.array(given, { minLength: 1, maxLength: 12 });

interface Step {
  readonly before: WithdrawalState;
  readonly act: WithdrawalFact;
  readonly now: Instant;
}

/** What staff may do, by the residue. */
function toCorrection(state: WithdrawalState, type: Given["type"], now: Instant): WithdrawalFact | null {
  if (state.step !== "with_staff") return null;
  const residue = toWithdrawalResidue(state, ORDERED);
  const isOpen = state.outcome === "open" || state.outcome === "unreadable" || state.outcome === "missing";
  if (type === "credit" && !state.isBack && !isOpen) return { type: "returned", cause: "staff" };
  if (type === "debit" && state.isBack && state.sentKobo > 0n) return { type: "taken" };
  if (type === "write_off" && residue !== null && residue < 0n) return { type: "wrote_off", kobo: -residue };
  const isGone = state.missingSince !== null && now - state.missingSince >= 10 * MINUTE_MS;
  return type === "send_again" && !state.isBack && isGone ? { type: "resend" } : null;
}

const ACTS_MAX = 6;

function play(decide: Decide, facts: readonly Given[]) {
  let [state, now] = [NEW_WITHDRAWAL, START];
  const acts: Step[] = [];
  for (const one of facts) {
    if (one.type === "wait") now = toInstant(now + one.ms);
    else if (one.type === "transfer") state = foldWithdrawal(state, one, now);
    else if (one.type === "order") {
      if (state.step === "held" && state.sentAt === null) state = foldWithdrawal(state, { type: "sent" }, now);
    } else if (one.type === "unsent") {
      if (state.step === "sent" && state.outcome === null)
        state = foldWithdrawal(state, { type: "unsent", why: "bank" }, now);
    } else {
      const fact = toCorrection(state, one.type, now);
      if (fact !== null) state = foldWithdrawal(state, fact, now);
    }
    for (let count = 0; ; count += 1) {
      if (count > ACTS_MAX) throw new Error("it does not come to rest");
      const act = decide(state, { now, orderedKobo: ORDERED });
      if (act === null) break;
      acts.push({ before: state, act, now });
      state = foldWithdrawal(state, act, now);
    }
  }
  return { state, acts, now };
}

function check(decide: Decide, facts: readonly Given[]): void {
  const { state, acts, now } = play(decide, facts);
  for (const { before, act, now: at } of acts) {
    // 1: it is ordered again only after ten minutes of "not found".
    if (act.type === "resend") {
      expect(before.step).toBe("sent");
      expect(before.outcome).toBe("missing");
      expect(at - before.missingSince!).toBeGreaterThanOrEqual(10 * MINUTE_MS);
    }
    // 2: coins return once, and only after a conclusive failure.
    if (act.type === "returned") expect(isFailure(before.outcome) && !before.isBack).toBe(true);
    // 3: paid is what was sent exactly.
    if (act.type === "paid")
      expect([before.outcome, before.sentKobo, before.isBack]).toEqual(["success", ORDERED, false]);
    // 4: with staff nothing is sent or given, and it leaves them only at residue 0.
    if (before.step === "with_staff") {
      expect(act.type).toBe("closed");
      expect(toWithdrawalResidue(before, ORDERED)).toBe(0n);
    }
    if (act.type === "to_staff") expect(["other_sum", "foreign", "unreadable", "success"]).toContain(before.outcome);
    if (act.type === "to_staff" && before.outcome === "success") expect(before.isBack).toBe(true);
  }
  // 5: what left without being taken from anyone, or was taken and left otherwise, is with staff.
  const residue = toWithdrawalResidue(state, ORDERED);
  if (residue !== null && residue !== 0n) expect(state.step).toBe("with_staff");
  if (state.step === "with_staff") expect(residue).not.toBe(0n);
  if (state.outcome === "unreadable" || (state.outcome === "foreign" && !state.isBack))
    expect(state.step).toBe("with_staff");
  if (state.outcome === "success" && !state.isBack) expect(state.step).toBe("paid");
  if (isFailure(state.outcome) && ["held", "sent", "paid"].includes(state.step)) expect(state.outcome).toBe("none");
  if (state.step === "sent" && state.missingSince !== null) {
    const later = toInstant(state.missingSince + 10 * MINUTE_MS);
    expect(decide(state, { now: later, orderedKobo: ORDERED })?.type).toBe("resend");
  }
  // 6: repeated facts change nothing.
  const repeated = play(
    decide,
    facts.flatMap((one): readonly Given[] => (one.type === "transfer" ? [one, one] : [one])),
  );
  expect(repeated.state).toEqual(state);
  // 7: a last failure always returns the coins that are taken, once it is not with staff.
  const failed: TransferFact = { type: "transfer", outcome: "failed", kobo: 0n, feeKobo: null, providerId: null };
  const after = play(decide, [...facts, failed]).state;
  expect(after.isBack || after.step === "with_staff").toBe(true);
  expect(now).toBeGreaterThanOrEqual(START);
}

function findBroken(decide: Decide, runs: number): string | null {
  const result = fc.check(
    fc.property(history, (facts) => check(decide, facts)),
    { numRuns: runs },
  );
  return result.failed ? `${fc.defaultReportMessage(result)} ${result.errorInstance}` : null;
}

// [WALL-23 §6 r9,10] Whatever the provider answers, in whatever order, a withdrawal is sent under one reference, paid
// or returned once, and the rest is left to staff.
test("sends once, returns once and leaves the rest to staff, whatever the provider says [WALL-23]", () => {
  expect(findBroken(decideWithdrawal, RUNS)).toBeNull();
});

const isOpenCase = ({ step }: WithdrawalState) => step === "held" || step === "sent";

/** Each changes one row of the decision. */
const MUTANTS: Readonly<Record<string, (...given: Parameters<Decide>) => WithdrawalFact | null | undefined>> = {
  "keeps a settled case with staff": (state) =>
    state.step === "with_staff" && toWithdrawalResidue(state, ORDERED) === 0n ? null : undefined,
  "closes an open case": (state) =>
    state.step === "with_staff" && toWithdrawalResidue(state, ORDERED) !== 0n ? { type: "closed" } : undefined,
  "returns while it is with staff": (state) =>
    state.step === "with_staff" && isFailure(state.outcome) && !state.isBack
      ? { type: "returned", cause: "failed" }
      : undefined,
  "ignores an unreadable one": (state) =>
    state.step !== "with_staff" && state.outcome === "unreadable" ? null : undefined,
  "never pays": (state) => (isOpenCase(state) && state.outcome === "success" ? null : undefined),
  "returns a paid one": (state) =>
    isOpenCase(state) && state.outcome === "success" ? { type: "returned", cause: "failed" } : undefined,
  "keeps a failed one": (state) => (isOpenCase(state) && isFailure(state.outcome) ? null : undefined),
  "pays a failed one": (state) => (isOpenCase(state) && isFailure(state.outcome) ? { type: "paid" } : undefined),
  "pays another sum": (state) => (isOpenCase(state) && state.outcome === "other_sum" ? { type: "paid" } : undefined),
  "waits for a foreign one": (state) => (isOpenCase(state) && state.outcome === "foreign" ? null : undefined),
  "sends again at once": (state) =>
    state.step === "sent" && state.outcome === "missing" ? { type: "resend" } : undefined,
  "never sends again": (state) => (state.step === "sent" && state.outcome === "missing" ? null : undefined),
  "returns a missing one": (state) =>
    state.step === "sent" && state.outcome === "missing" ? { type: "returned", cause: "failed" } : undefined,
  "keeps a returned transfer": (state) => (state.step === "paid" && isFailure(state.outcome) ? null : undefined),
  "keeps a paid one that differs": (state) =>
    state.step === "paid" && state.outcome === "other_sum" ? null : undefined,
  "ignores a late success": (state) => (state.step === "returned" && state.sentKobo > 0n ? null : undefined),
};

describe("a changed row is noticed", () => {
  test.each(Object.keys(MUTANTS))("%s", (name) => {
    const mutant: Decide = (state, context) => {
      const act = MUTANTS[name]!(state, context);
      return act === undefined ? decideWithdrawal(state, context) : act;
    };
    expect(findBroken(mutant, 20_000)).not.toBeNull();
  });
});

const waiting = fc.record({
  firstAt: fc.option(fc.constant(START)),
  fairAt: fc.option(fc.constantFrom(START, addMs(START, HOUR_MS))),
  now: fc
    .constantFrom(0, 1, 40, 71, 71.5, 72, 72.5, 73, 73.5, 100)
    .chain((hours) => fc.constantFrom(-1, 0).map((ms) => addMs(START, hours * HOUR_MS + ms))),
  hold: fc.constantFrom(null, "dispute" as const, "debt" as const, "staff" as const),
  isMarked: fc.boolean(),
  isGuarded: fc.boolean(),
});
type DecideWait = typeof decideWait;
type Waiting = Parameters<DecideWait>[0] & Parameters<DecideWait>[1];

/** Throws if something is sent that has to wait, or waits without a cause. */
function checkWait(decide: DecideWait, { firstAt, fairAt, ...given }: Waiting) {
  const why = decide({ firstAt, fairAt }, given);
  const ageMs = firstAt === null ? null : given.now - firstAt;
  if (given.hold !== null) return expect(why).toBe(given.hold);
  if (given.isMarked && (fairAt === null || given.now - fairAt < 72 * HOUR_MS)) return expect(why).toBe("fair_play");
  if (ageMs !== null && ageMs < 72 * HOUR_MS) return expect(why).toBe("first");
  expect(why).toBe(given.isGuarded ? "records" : null);
}

function findBrokenWait(decide: DecideWait): boolean {
  return fc.check(
    fc.property(waiting, (given) => void checkWait(decide, given)),
    { numRuns: RUNS },
  ).failed;
}

test("the first withdrawal of unplayed coins from a card and marked coins wait 72 hours, after any hold [WALL-24]", () => {
  expect(findBrokenWait(decideWait)).toBe(false);
});

const shift = (at: Instant | null, hours: number) => at && addMs(at, hours * HOUR_MS);

const WAIT_MUTANTS: Readonly<Record<string, DecideWait>> = {
  "sends it at once": (state, given) => decideWait({ ...state, firstAt: null }, given),
  "sends it an hour early": (state, given) => decideWait({ ...state, firstAt: shift(state.firstAt, -1) }, given),
  "sends it an hour late": (state, given) => decideWait({ ...state, firstAt: shift(state.firstAt, 1) }, given),
  "ignores marks": (state, given) => decideWait(state, { ...given, isMarked: false }),
  "lets all wait as marked": (state, given) => decideWait(state, { ...given, isMarked: true }),
  "sends marked coins an hour early": (state, given) =>
    decideWait({ ...state, fairAt: shift(state.fairAt, -1) }, given),
  "sends marked coins an hour late": (state, given) => decideWait({ ...state, fairAt: shift(state.fairAt, 1) }, given),
  "lets marked coins wait again": (state, given) => decideWait({ ...state, fairAt: null }, given),
  "ignores a hold": (state, given) => decideWait(state, { ...given, hold: null }),
  "ignores the guard": (state, given) => decideWait(state, { ...given, isGuarded: false }),
  "lets every one wait": (state, given) => decideWait({ ...state, firstAt: state.firstAt ?? given.now }, given),
};

describe("a changed wait is noticed", () => {
  test.each(Object.keys(WAIT_MUTANTS))("%s", (name) => {
    expect(findBrokenWait(WAIT_MUTANTS[name]!)).toBe(true);
  });
});
