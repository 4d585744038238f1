import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, DAY_MS, HOUR_MS, toInstant } from "@holo/kernel/instant.ts";
import { describe, expect, test } from "vitest";
import {
  type ActType,
  type CaseKind,
  type CaseState,
  decideAnswer,
  decideAppeal,
  decideClear,
  decideConfirmation,
  decideMessage,
  decideProposal,
  decideWithdrawal,
  HELD_MS,
  toAppealUntil,
  toStateAt,
} from "./decide-case.ts";

const [ada, bola, chi, player] = ["member-a", "member-b", "member-c", "player-x"] as PlayerId[] as [
  PlayerId,
  PlayerId,
  PlayerId,
  PlayerId,
];
const OPENED = toInstant(Date.UTC(2026, 5, 1));
const now = addMs(OPENED, HOUR_MS);
const LATE = addMs(OPENED, HELD_MS);

function makeCase(state: CaseState, kind: CaseKind = "flow") {
  const holds = kind !== "listed" && kind !== "review";
  return { kind, state, untilAt: holds ? LATE : null, endedAt: state === "open" ? null : now };
}

/** `proposed by Ada` is act 1, and so on. */
function makeActs(...acts: readonly (readonly [ActType, PlayerId | null])[]) {
  return acts.map(([type, byId], index) => ({ id: BigInt(index + 1), type, byId }));
}

const PROPOSED = makeActs(["note", chi], ["proposed", ada]);
const WITHDRAWN = makeActs(["proposed", ada], ["withdrawn", ada]);
const FORFEITED = makeActs(["proposed", ada], ["forfeited", bola]);
const APPEALED = makeActs(["proposed", ada], ["forfeited", bola], ["appealed", player]);
const ANSWERED = makeActs(["proposed", ada], ["forfeited", bola], ["appealed", player], ["appeal_answered", chi]);

test("a hold ends with its 72 hours, whether or not that is written; what holds nothing stays open", () => {
  expect(toStateAt(makeCase("open"), addMs(LATE, -1))).toBe("open");
  expect(toStateAt(makeCase("open"), LATE)).toBe("released");
  expect(toStateAt(makeCase("open", "listed"), addMs(LATE, DAY_MS))).toBe("open");
  expect(toStateAt(makeCase("forfeited"), LATE)).toBe("forfeited");
});

describe("one member clears", () => {
  test.each([
    ["an open case", makeCase("open"), [], now, null],
    ["a listed one", makeCase("open", "listed"), [], now, null],
    ["a dispute's", makeCase("open", "dispute"), [], now, null],
    ["after a proposal was withdrawn", makeCase("open"), WITHDRAWN, now, null],
    ["not while one waits", makeCase("open"), PROPOSED, now, "forfeit_proposed"],
    ["not after its time", makeCase("open"), [], LATE, "case_over"],
    ["not twice", makeCase("cleared"), [], now, "case_over"],
  ] as const)("%s", (_, one, acts, at, refusal) => {
    expect(decideClear(one, acts, at)).toBe(refusal);
  });
});

describe("one member proposes a forfeit", () => {
  test.each([
    ["of dumped coins", makeCase("open"), [], now, 2, null],
    ["of an engine's wins", makeCase("open", "engine"), [], now, 2, null],
    ["never of a disputed deposit's coins (ruling 52)", makeCase("open", "dispute"), [], now, 2, "never_forfeited"],
    ["never of listed ones", makeCase("open", "listed"), [], now, 2, "never_forfeited"],
    ["never after a review", makeCase("open", "review"), [], now, 2, "never_forfeited"],
    ["not where they are the only member (ruling 44)", makeCase("open"), [], now, 1, "two_members_needed"],
    ["once at a time", makeCase("open"), PROPOSED, now, 2, "forfeit_proposed"],
    ["again after withdrawing", makeCase("open"), WITHDRAWN, now, 2, null],
    ["not after the hold", makeCase("open"), [], LATE, 2, "case_over"],
    ["not of what was cleared", makeCase("cleared"), [], now, 2, "case_over"],
  ] as const)("%s", (_, one, acts, at, members, refusal) => {
    expect(decideProposal(one, acts, { now: at, members })).toBe(refusal);
  });
});

describe("another member confirms it", () => {
  test.each([
    ["before the hold ends", makeCase("open"), PROPOSED, bola, 2n, now, null],
    ["not the proposer", makeCase("open"), PROPOSED, ada, 2n, now, "second_member_needed"],
    ["not another proposal than the one shown", makeCase("open"), PROPOSED, bola, 1n, now, "proposal_over"],
    ["not one that was withdrawn", makeCase("open"), WITHDRAWN, bola, 1n, now, "proposal_over"],
    ["not without one", makeCase("open"), [], bola, 1n, now, "proposal_over"],
    ["not after the hold: it lapses", makeCase("open"), PROPOSED, bola, 2n, LATE, "case_over"],
    ["not twice", makeCase("forfeited"), FORFEITED, chi, 1n, now, "case_over"],
  ] as const)("%s", (_, one, acts, memberId, proposalId, at, refusal) => {
    expect(decideConfirmation(one, acts, { memberId, proposalId, now: at })).toBe(refusal);
  });

  test("or it is withdrawn, once", () => {
    expect(decideWithdrawal(makeCase("open"), PROPOSED, { now, proposalId: 2n })).toBeNull();
    expect(decideWithdrawal(makeCase("open"), WITHDRAWN, { now, proposalId: 1n })).toBe("proposal_over");
    expect(decideWithdrawal(makeCase("open"), PROPOSED, { now: LATE, proposalId: 2n })).toBe("case_over");
  });
});

describe("the player appeals", () => {
  test.each([
    ["within 14 days", makeCase("forfeited"), FORFEITED, addMs(now, 14 * DAY_MS), null],
    ["not later", makeCase("forfeited"), FORFEITED, addMs(now, 14 * DAY_MS + 1), "appeal_over"],
    ["once", makeCase("forfeited"), APPEALED, now, "appeal_made"],
    ["not again after an answer", makeCase("forfeited"), ANSWERED, now, "appeal_made"],
    ["only a forfeit", makeCase("cleared"), [], now, "unknown_case"],
    ["not what is still being checked", makeCase("open"), PROPOSED, now, "unknown_case"],
  ] as const)("%s", (_, one, acts, at, refusal) => {
    expect(decideAppeal(one, acts, at)).toBe(refusal);
  });

  test("and sees until when", () => {
    expect(toAppealUntil(makeCase("forfeited"), FORFEITED)).toBe(addMs(now, 14 * DAY_MS));
    expect(toAppealUntil(makeCase("forfeited"), APPEALED)).toBeNull();
  });

  test.each([
    ["by a third member", APPEALED, chi, null],
    ["not by who proposed", APPEALED, ada, "third_member_needed"],
    ["not by who confirmed", APPEALED, bola, "third_member_needed"],
    [
      "not by who once proposed",
      [...makeActs(["proposed", chi], ["withdrawn", chi]), ...APPEALED],
      chi,
      "third_member_needed",
    ],
    ["not by whom it paid", APPEALED.map((act) => ({ ...act, given: [{ playerId: chi }] })), chi, "own_matter"],
    ["not twice", ANSWERED, chi, "appeal_answered"],
    ["not without an appeal", FORFEITED, chi, "no_appeal"],
  ] as const)("and is answered %s", (_, acts, memberId, refusal) => {
    expect(decideAnswer(acts, memberId)).toBe(refusal);
  });
});

test("the player writes ten messages at most, while the check lasts; others' do not count", () => {
  const nine = makeActs(...Array.from({ length: 9 }, () => ["message", player] as const), ["message", ada]);
  const ten = makeActs(...Array.from({ length: 10 }, () => ["message", player] as const));
  expect(decideMessage(makeCase("open"), nine, { playerId: player, now })).toBeNull();
  expect(decideMessage(makeCase("open"), ten, { playerId: player, now })).toBe("fair_play_messages_full");
  expect(decideMessage(makeCase("open"), [], { playerId: player, now: LATE })).toBe("fair_play_over");
  expect(decideMessage(makeCase("cleared"), [], { playerId: player, now })).toBe("fair_play_over");
});
