import { DAY_MS, type Instant, MINUTE_MS, toInstant } from "@holo/kernel/instant.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type DepositContext, decideDeposit, isCardRefundable } from "./decide-deposit.ts";
import {
  type ChargeFact,
  type DepositFact,
  type DepositState,
  foldDeposit,
  isHoldingPlayer,
  NEW_DEPOSIT,
  toDepositResidue,
  toLeftKobo,
} from "./deposit-state.ts";

if (!process.env.DEEP) fc.configureGlobal({ seed: 20_261_129 });

const RUNS = process.env.DEEP ? 200_000 : 3_000;
const ASKED = 500_000n;
const START = toInstant(Date.UTC(2026, 0, 1));

type Decide = typeof decideDeposit;
type IsRefundable = typeof isCardRefundable;
type Given =
  | DepositFact
  | { readonly type: "wait"; readonly ms: number }
  | { readonly type: "credit" }
  | { readonly type: "refund" }
  | { readonly type: "card_refund"; readonly kobo: bigint };

const kobo = fc.constantFrom(0n, 1n, 200_000n, ASKED - 1n);
const charge = fc
  .record({
    outcome: fc.constantFrom(
      "success",
      "success",
      "other_sum",
      "foreign",
      "reversed",
      "failed",
      "busy",
      "missing",
      "unreadable",
    ),
    other: fc.constantFrom(400_000n, 600_000n),
    gone: fc.oneof(fc.constant(0n), kobo, fc.constant(ASKED)),
    refund: fc.constantFrom("none", "open", "failed", "processed"),
    channel: fc.constantFrom("card", "card", "bank_transfer", null),
  })
  .map(({ outcome, other, gone, refund, channel }): ChargeFact => {
    const hasNothing = ["failed", "busy", "missing", "unreadable"].includes(outcome);
    const arrived = hasNothing ? 0n : outcome === "success" || outcome === "reversed" ? ASKED : other;
    const backKobo = outcome === "reversed" ? arrived : gone < arrived ? gone : arrived;
    return {
      type: "charge",
      outcome,
      kobo: arrived,
      backKobo,
      refund,
      feeKobo: null,
      paidAt: null,
      providerId: null,
      channel,
    } as ChargeFact;
  });
const dispute = fc.record({
  type: fc.constant("dispute" as const),
  id: fc.constantFrom("1", "2"),
  stage: fc.constantFrom("open" as const, "won" as const, "lost" as const),
  dueAt: fc.constant(null),
});
const given: fc.Arbitrary<Given> = fc.oneof(
  { weight: 5, arbitrary: charge },
  { weight: 2, arbitrary: dispute },
  fc.record({ type: fc.constant("wait" as const), ms: fc.constantFrom(MINUTE_MS, 11 * MINUTE_MS, 8 * DAY_MS) }),
  fc.constantFrom({ type: "credit" as const }, { type: "refund" as const }),
  fc.record({ type: fc.constant("card_refund" as const), kobo: fc.constantFrom(100_000n, ASKED) }),
);
const history = fc.record({
  facts: fc.array(given, { minLength: 1, maxLength: 12 }),
  isAccountDeleted: fc.boolean(),
  isRestricted: fc.boolean(),
  isAboveLimit: fc.boolean(),
});

type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never;

interface Run {
  readonly now: Instant;
  readonly state: DepositState;
  /** The states in which its player sent it back to the card. */
  readonly sentBack: readonly DepositState[];
  readonly acts: readonly { readonly before: DepositState; readonly act: DepositFact; readonly now: Instant }[];
}

const ACTS_MAX = 6;
const DEPOSIT_FEE = 10_000n;

/** What the machine does about a history. Staff act only where its residue allows it. */
function play({ decide, isRefundable }: Decisions, facts: readonly Given[], flags: Omit<DepositContext, "now">): Run {
  const sentBack: DepositState[] = [];
  let [state, now] = [NEW_DEPOSIT, START];
  const acts: Run["acts"][number][] = [];
  for (const one of facts) {
    const residue = toDepositResidue(state);
    const isStaffs = state.step === "with_staff" && residue > 0n;
    if (one.type === "wait") now = toInstant(now + one.ms);
    else if (one.type === "credit") {
      if (isStaffs)
        state = foldDeposit(state, { type: "posted", keptKobo: state.keptKobo + residue, rateKobo: null }, now);
    } else if (one.type === "refund") {
      if (isStaffs)
        state = foldDeposit(state, { type: "refund_sent", kobo: residue, cause: "staff", borneFeeKobo: 0n }, now);
    } else if (one.type === "card_refund") {
      if (!isRefundable(state) || state.keptKobo < one.kobo) continue;
      sentBack.push(state);
      const terms = { kobo: one.kobo - DEPOSIT_FEE, cause: "player", borneFeeKobo: DEPOSIT_FEE } as const;
      state = foldDeposit(state, { type: "refund_sent", ...terms }, now);
      state = foldDeposit(state, { type: "posted", keptKobo: state.keptKobo - one.kobo, rateKobo: null }, now);
    } else state = foldDeposit(state, one, now);
    for (let count = 0; ; count += 1) {
      if (count > ACTS_MAX) throw new Error("it does not come to rest");
      const act = decide(state, { ...flags, now });
      if (act === null) break;
      acts.push({ before: state, act, now });
      state = foldDeposit(state, act, now);
    }
  }
  return { state, acts, now, sentBack };
}

interface Decisions {
  readonly decide: Decide;
  readonly isRefundable: IsRefundable;
}

const PRODUCT: Decisions = { decide: decideDeposit, isRefundable: isCardRefundable };

/** Throws at the first property that does not hold. */
function check(decisions: Decisions, { facts, ...flags }: History): void {
  const { decide } = decisions;
  const { state, acts, now, sentBack } = play(decisions, facts, flags);
  const gives = acts.filter(({ before, act }) => act.type === "posted" && act.keptKobo > before.keptKobo);
  const orders = acts.filter(({ act }) => act.type === "refund_sent");
  // 1: credited once, exactly what arrived whole, to no one whom a rule excludes.
  expect(gives.length + orders.length).toBeLessThanOrEqual(1);
  for (const { before, act } of gives) {
    expect(before).toMatchObject({ step: "open", isExact: true, backKobo: 0n, inKobo: ASKED });
    expect(act).toEqual({ type: "posted", keptKobo: ASKED, rateKobo: null });
    expect(flags).toEqual({ isAccountDeleted: false, isRestricted: false, isAboveLimit: false });
  }
  // 2: what is gone at the provider is taken at once.
  expect(state.keptKobo <= toLeftKobo(state)).toBe(true);
  for (const { before, act } of acts) {
    if (act.type === "posted" && act.keptKobo < before.keptKobo) expect(act.keptKobo).toBe(toLeftKobo(before));
    const isCase = toDepositResidue(before) > 0n || before.outcome === "unreadable";
    if (act.type === "to_staff") expect(isCase || act.why === "dispute_uncollected").toBe(true);
  }
  // 3: with staff it gives and sends nothing.
  for (const { before, act } of acts.filter((one) => one.before.step === "with_staff")) {
    expect(act.type === "refund_sent" || (act.type === "posted" && act.keptKobo >= before.keptKobo)).toBe(false);
    if (act.type === "closed") expect(toDepositResidue(before)).toBe(0n);
  }
  // 4: a refund sends back a whole, exact, undisputed payment and nothing else.
  for (const { before, act } of orders) {
    expect(before).toMatchObject({ step: "open", isExact: true, backKobo: 0n, keptKobo: 0n });
    expect([...before.disputes.values()].some(({ stage }) => stage === "open" || stage === "lost")).toBe(false);
    expect(act).toMatchObject({
      type: "refund_sent",
      kobo: ASKED,
      cause: flags.isRestricted ? "restricted" : "above_limit",
    });
    expect(flags.isAccountDeleted).toBe(false);
  }
  // 5: money that no one has is with staff, unless a refund of it is under way.
  const isKnown = state.outcome !== "unreadable";
  if (toDepositResidue(state) > 0n) expect(state.step === "with_staff" || state.refund !== null).toBe(true);
  const isLost = state.keptKobo > 0n && [...state.disputes.values()].some(({ stage }) => stage === "lost");
  if (state.step === "with_staff") expect(toDepositResidue(state) > 0n || !isKnown || isLost).toBe(true);
  if (isLost && state.refund === null)
    expect(decide(state, { ...flags, now: toInstant(now + 15 * DAY_MS) })?.type).toBe(
      state.step === "with_staff" ? undefined : "to_staff",
    );
  if (!isKnown) expect(state.step).toBe("with_staff");
  if (state.refund !== null && toDepositResidue(state) > 0n)
    expect(decide(state, { ...flags, now: toInstant(state.refund.at + 8 * DAY_MS) })?.type).toBe("to_staff");
  for (const { before, act, now } of acts) {
    const isOwnRefund = act.type === "to_staff" && ["refund_failed", "refund_missing"].includes(act.why);
    if (isOwnRefund) expect(now - before.refund!.at).toBeGreaterThanOrEqual(10 * MINUTE_MS);
    // A pending refund is waited for.
    if (act.type === "to_staff" && before.refund !== null && before.refundStage === "open" && isReadable(before))
      expect(act.why).toBe("refund_slow");
  }
  if (state.refund !== null && state.refundStage === "none") {
    const later = toInstant(state.refund.at + 10 * MINUTE_MS);
    expect(decide(state, { ...flags, now: later })).toEqual({ type: "to_staff", why: "refund_missing" });
  }
  if (state.refund !== null && state.refundStage === "failed") {
    const later = toInstant(state.refund.at + 10 * MINUTE_MS);
    expect(decide(state, { ...flags, now: later })).toEqual({ type: "to_staff", why: "refund_failed" });
  }
  if (state.step === "refunding") expect(toLeftKobo(state) > 0n && state.refund !== null).toBe(true);
  if (state.step === "open") expect(toLeftKobo(state)).toBe(0n);
  if (state.inKobo > 0n) expect(state.step).not.toBe("open");
  // 6: repeated facts change nothing.
  const repeated = play(
    decisions,
    facts.flatMap((one) => (isProviders(one) ? [one, one] : [one])),
    flags,
  );
  expect(strip(repeated.state)).toEqual(strip(state));
  // 8: only a credited, exact and undisputed one that came by card goes back to it, one refund at a time.
  for (const before of sentBack) {
    expect(before).toMatchObject({ step: "credited", isCard: true, isExact: true, refund: null });
    expect(before.refundStage).not.toBe("open");
    expect(isHoldingPlayer(before)).toBe(false);
    expect(toDepositResidue(before)).toBe(0n);
  }
  // 7: the facts of one dispute may come in any order.
  expect(isHoldingPlayer(withDisputes(state, facts))).toBe(isHoldingPlayer(withDisputes(state, facts.toReversed())));
}

function isReadable({ outcome }: DepositState): boolean {
  return outcome !== "unreadable";
}

function isProviders(one: Given): boolean {
  return one.type === "charge" || one.type === "dispute";
}

function strip(state: DepositState): object {
  return { ...state, disputes: [...state.disputes].map(([id, { stage }]) => `${id} ${stage}`).sort() };
}

function withDisputes(state: DepositState, facts: readonly Given[]): DepositState {
  const disputes = facts.filter((one) => one.type === "dispute");
  return disputes.reduce((folded, one) => foldDeposit(folded, one, START), {
    ...state,
    disputes: new Map(),
  } as DepositState);
}

function findBroken(decisions: Decisions, runs: number): string | null {
  const result = fc.check(
    fc.property(history, (one) => check(decisions, one)),
    { numRuns: runs },
  );
  return result.failed ? `${fc.defaultReportMessage(result)} ${result.errorInstance}` : null;
}

// [WALL-22 §6 r9,53] Whatever the provider answers, in whatever order, a deposit is credited once, what is gone is
// taken, and the rest is left to staff.
test("credits once, takes what is gone and leaves the rest to staff, whatever the provider says [WALL-22]", () => {
  expect(findBroken(PRODUCT, RUNS)).toBeNull();
});

/** Each changes one row of the decision. */
const MUTANTS: Readonly<Record<string, (...given: Parameters<Decide>) => DepositFact | null | undefined>> = {
  "does not take what is gone": (state) => (state.keptKobo > toLeftKobo(state) ? null : undefined),
  "takes all for a part": (state) =>
    state.keptKobo > toLeftKobo(state) ? { type: "posted", keptKobo: 0n, rateKobo: null } : undefined,
  "keeps a settled case with staff": (state) =>
    state.step === "with_staff" && toDepositResidue(state) === 0n && state.keptKobo <= toLeftKobo(state)
      ? null
      : undefined,
  "closes a case with money left": (state) =>
    state.step === "with_staff" && toDepositResidue(state) > 0n ? { type: "closed" } : undefined,
  "gives while it is with staff": (state) =>
    state.step === "with_staff" && toDepositResidue(state) > 0n
      ? { type: "posted", keptKobo: toLeftKobo(state), rateKobo: null }
      : undefined,
  "credits an unreadable one": (state) =>
    state.outcome === "unreadable" && state.step !== "with_staff" ? null : undefined,
  "hands an unpaid one to staff": (state) =>
    state.step === "open" && state.inKobo === 0n && state.outcome !== "unreadable"
      ? { type: "to_staff", why: "money_left" }
      : undefined,
  "never closes one that is gone": (state) =>
    state.step === "open" && state.inKobo > 0n && toLeftKobo(state) === 0n ? null : undefined,
  "credits another sum": (state) =>
    state.step === "open" && state.inKobo > 0n && !state.isExact && isReadable(state)
      ? { type: "posted", keptKobo: toLeftKobo(state), rateKobo: null }
      : undefined,
  "credits the rest of a part": (state) =>
    state.step === "open" && state.isExact && state.backKobo > 0n && isReadable(state)
      ? { type: "posted", keptKobo: toLeftKobo(state), rateKobo: null }
      : undefined,
  "credits a deleted account": (state, context) =>
    state.step === "open" && context.isAccountDeleted
      ? decideDeposit(state, { ...context, isAccountDeleted: false })
      : undefined,
  "credits a restricted player": (state, context) =>
    context.isRestricted ? decideDeposit(state, { ...context, isRestricted: false }) : undefined,
  "credits above the own limit": (state, context) =>
    context.isAboveLimit ? decideDeposit(state, { ...context, isAboveLimit: false }) : undefined,
  "refunds a disputed one": (state, context) =>
    state.disputes.size > 0 ? decideDeposit({ ...state, disputes: new Map() }, context) : undefined,
  "never credits": (state, context) => {
    const act = decideDeposit(state, context);
    return state.step === "open" && act?.type === "posted" ? null : undefined;
  },
  "refunds a part": (state, context) => {
    const act = decideDeposit(state, context);
    return act?.type === "refund_sent" ? { ...act, kobo: 1n } : undefined;
  },
  "never ends a refund": (state) => (state.step === "refunding" && toLeftKobo(state) === 0n ? null : undefined),
  "waits for a failed refund": (state) => (state.refund !== null && state.refundStage === "failed" ? null : undefined),
  "waits for a missing refund": (state) => (state.refund !== null && state.refundStage === "none" ? null : undefined),
  "believes a missing refund at once": (state) =>
    state.refund !== null && state.refundStage === "none" && toLeftKobo(state) > 0n && isReadable(state)
      ? { type: "to_staff", why: "refund_missing" }
      : undefined,
  "waits for a slow refund": (state) =>
    state.refund !== null && state.refundStage === "open" && isReadable(state) ? null : undefined,
  "never hands a lost dispute to staff": (state, context) =>
    decideDeposit(state, context)?.type === "to_staff" && toDepositResidue(state) <= 0n && isReadable(state)
      ? null
      : undefined,
  "leaves money that came back": (state) =>
    (state.step === "credited" || state.step === "closed") && toDepositResidue(state) > 0n && isReadable(state)
      ? null
      : undefined,
  "gives what came back": (state) =>
    state.step === "credited" && toDepositResidue(state) > 0n && isReadable(state)
      ? { type: "posted", keptKobo: toLeftKobo(state), rateKobo: null }
      : undefined,
};

describe("a changed row is noticed", () => {
  test.each(Object.keys(MUTANTS))("%s", (name) => {
    const mutant: Decide = (state, context) => {
      const act = MUTANTS[name]!(state, context);
      return act === undefined ? decideDeposit(state, context) : act;
    };
    expect(findBroken({ ...PRODUCT, decide: mutant }, 20_000)).not.toBeNull();
  });
});

/** Each leaves out one condition of a refund to the card. */
const REFUND_MUTANTS: Readonly<Record<string, (state: DepositState) => DepositState>> = {
  "sends a transfer back to a card": (state) => ({ ...state, isCard: true }),
  "sends another sum back": (state) => ({ ...state, isExact: true }),
  "sends a disputed one back": (state) => ({ ...state, disputes: new Map() }),
  "sends a second one back meanwhile": (state) => ({
    ...state,
    refund: null,
    refundStage: "none",
    backKobo: state.inKobo - state.keptKobo,
    borneFeeKobo: 0n,
  }),
  "sends one back that is with staff": (state) =>
    state.step === "with_staff" ? { ...state, step: "credited", backKobo: state.inKobo - state.keptKobo } : state,
};

describe("a missing condition of a refund to the card is noticed", () => {
  test.each(Object.keys(REFUND_MUTANTS))("%s", (name) => {
    const mutant: IsRefundable = (state) => isCardRefundable(REFUND_MUTANTS[name]!(state));
    expect(findBroken({ ...PRODUCT, isRefundable: mutant }, 20_000)).not.toBeNull();
  });
});
