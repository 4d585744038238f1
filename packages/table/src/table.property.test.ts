import { checkers } from "@holo/checkers/checkers.ts";
import { chess } from "@holo/chess/chess.ts";
import { type CommandId, type PlayerId, toCommandId, toGameId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { ofSeat } from "@holo/rules/by-seat.ts";
import type { GameRules } from "@holo/rules/rules.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { TableCommand } from "./command.ts";
import { toDeadline } from "./deadline.ts";
import { decide, decideCreate } from "./decide.ts";
import { evolve, openTable } from "./evolve.ts";
import type { LogRecord } from "./log-record.ts";
import { isOpen, type TableState } from "./state.ts";

if (!process.env.DEEP) fc.configureGlobal({ seed: 20_261_123 });

const PLAYERS = ["player-ada", "player-bola", "player-chi"] as PlayerId[];
const NEXT = toGameId("00000000-0000-4000-8000-000000000002");
const GAME = toGameId("00000000-0000-4000-8000-000000000001");
const START = 1_000_000 as Instant;

/** One action, drawn blindly, so that most invalid requests occur. */
interface Step {
  readonly kind:
    | "move"
    | "wild"
    | "join"
    | "cancel"
    | "resign"
    | "expire"
    | "credit"
    | "return"
    | "offer_draw"
    | "request_takeback"
    | "offer_rematch"
    | "answer"
    | "lapse_rematch";
  readonly who: number;
  readonly pick: number;
  readonly idOf: number;
  readonly waitMs: number;
  readonly lagMs: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.oneof(
    { weight: 24, arbitrary: fc.constant("move" as const) },
    { weight: 4, arbitrary: fc.constantFrom("wild" as const, "expire" as const, "join" as const, "return" as const) },
    { weight: 3, arbitrary: fc.constantFrom("request_takeback" as const, "answer" as const) },
    { weight: 2, arbitrary: fc.constantFrom("offer_rematch" as const, "answer" as const) },
    {
      weight: 1,
      arbitrary: fc.constantFrom("offer_draw" as const, "lapse_rematch" as const, "cancel" as const, "resign" as const),
    },
    { weight: 1, arbitrary: fc.constant("credit" as const) },
  ),
  who: fc.nat(2),
  pick: fc.nat(1_000),
  idOf: fc.nat(200),
  waitMs: fc.oneof({ weight: 60, arbitrary: fc.nat(3_000) }, { weight: 1, arbitrary: fc.nat(700_000) }),
  lagMs: fc.nat(5_000),
});

/** Without it most sequences would never reach a game. */
const JOIN: Step = { kind: "join", who: 1, pick: 0, idOf: 999, waitMs: 0, lagMs: 0 };

function toCommand<Position>(
  rules: GameRules<Position>,
  state: TableState<Position>,
  one: Step,
  at: Instant,
): TableCommand {
  const player = PLAYERS[one.who]!;
  const id = toCommandId(`command-${one.idOf}`);
  const delivery = { sentAt: null, lagMs: one.lagMs, stallMs: 0 };
  switch (one.kind) {
    case "move": {
      const legal = rules.legalMoves(state.position);
      const { path, promotion } = legal[one.pick % Math.max(1, legal.length)] ?? { path: [0, 1] };
      const mover = ofSeat(state.players, rules.toMove(state.position)) ?? player;
      const move = { type: "move", id, player: mover, atVersion: state.boardVersion, path, delivery } as const;
      return promotion === undefined ? move : { ...move, promotion };
    }
    case "wild":
      return { type: "move", id, player, atVersion: one.pick % 40, path: [one.pick % 64, one.idOf % 64], delivery };
    case "expire":
      return { type: "expire", delivery };
    case "credit":
      return toCredit(one, at);
    case "return":
      return { type: "return", seat: one.who === 0 ? 1 : 2 };
    case "lapse_rematch":
      return { type: "lapse_rematch", reason: "left", seat: one.who === 0 ? 1 : 2 };
    case "offer_rematch":
      return { type: "offer_rematch", id, player, feeBps: 740, nextGameId: NEXT };
    case "answer":
      return toAnswer(state, one, id, player);
    case "join":
      return { type: "join", id, player, pairing: one.pick % 2 === 0 ? "address" : "invitation" };
    default:
      return { type: one.kind, id, player };
  }
}

function toCredit({ waitMs, pick, lagMs }: Step, toAt: Instant): TableCommand {
  const cause = (["restart", "database", "stall"] as const)[pick % 3]!;
  const outage = { fromAt: (toAt - waitMs) as Instant, toAt, cause };
  const delivery = { sentAt: null, lagMs: 0, stallMs: lagMs * 100 };
  return cause === "restart" ? { type: "credit", outage } : { type: "credit", outage, delivery };
}

/** Mostly answers to pending offers. They rarely accept, so that games continue. */
function toAnswer(state: TableState<unknown>, one: Step, id: CommandId, player: PlayerId): TableCommand {
  const { draw, takeback, rematch } = state.offers;
  const answer = (["accept", "decline", "decline_all"] as const)[one.pick % 3]!;
  const atVersion = one.pick % 5 === 0 ? one.pick % 40 : state.boardVersion;
  const base = { id, player, offer: one.pick % 7 === 0 ? one.pick % 40 : 0 };
  const of = (version: number | undefined): number => (base.offer === 0 ? (version ?? 0) : base.offer);
  if (rematch.pending !== null && answer !== "decline_all") {
    return { ...base, type: "answer_rematch", offer: of(rematch.pending.version), answer, nextGameId: NEXT };
  }
  if (takeback.pending !== null) {
    return { ...base, type: "answer_takeback", offer: of(takeback.pending.version), answer, atVersion };
  }
  const isDrawn = answer === "accept" && one.pick % 4 !== 0;
  const given = isDrawn ? "decline" : answer;
  return { ...base, type: "answer_draw", offer: of(draw.pending?.version), answer: given, atVersion };
}

function checkOffers<Position>(before: TableState<Position>, after: TableState<Position>): void {
  const { draw, takeback, rematch } = after.offers;
  for (const { pending, refusedBy } of [draw, takeback]) {
    if (pending === null) continue;
    expect(after.status).toBe("active");
    expect(pending.version).toBeLessThanOrEqual(after.version);
    expect(refusedBy[pending.seat === 1 ? 1 : 0]).toBe(false);
  }
  if (rematch.pending !== null || rematch.gameId !== null) expect(after.result).not.toBeNull();
  expect(rematch.pending !== null && rematch.gameId !== null).toBe(false);
  expect(Math.max(...rematch.offered)).toBeLessThanOrEqual(3);
  expect(after.movesMade[0] + after.movesMade[1]).toBeGreaterThanOrEqual(after.moves.length);
  for (const seat of [0, 1] as const) expect(after.movesMade[seat]).toBeGreaterThanOrEqual(before.movesMade[seat]);
  const isShorter = after.moves.length < before.moves.length;
  if (isShorter) expect(before.moves.length - after.moves.length).toBeLessThanOrEqual(2);
  const taken = [0, 1].map((seat) =>
    after.moves.slice().reduce((sum, { move }, ply) => sum + (ply % 2 === seat ? move.captured.length : 0), 0),
  );
  expect(after.captures).toEqual(taken);
}

function check<Position>(
  rules: GameRules<Position>,
  before: TableState<Position>,
  after: TableState<Position>,
  record: LogRecord,
): void {
  expect(after.version).toBe(before.version + 1);
  checkOffers(before, after);
  if (!isOpen(before.status)) return checkAfterEnd(before, after);
  expect(after.changedAt).toBeGreaterThanOrEqual(before.changedAt);
  expect(after.pliesEver).toBeGreaterThanOrEqual(before.pliesEver);
  expect((after.moves.length % 2 === 0 ? 1 : 2) === rules.toMove(after.position)).toBe(true);
  const credited = record.events.find(({ type }) => type === "clock_credited");
  const isBonus = credited?.type === "clock_credited" && credited.bonusMs !== 0;
  expect(after.clock.bonuses).toBe(before.clock.bonuses + (isBonus ? 1 : 0));
  expect(after.clock.bonuses).toBeLessThanOrEqual(3);
  for (const seat of [0, 1] as const) {
    const [was, is] = [before.clock.remainingMs[seat], after.clock.remainingMs[seat]];
    expect(Number.isInteger(is) && is >= 0).toBe(true);
    expect(is).toBeLessThanOrEqual(isBonus ? was + 10_000 : was);
    expect(after.clock.lagUsedMs[seat]).toBeLessThanOrEqual(10_000);
  }
  const isOver = after.status === "completed" || after.status === "timeout";
  expect(after.result !== null).toBe(isOver);
  expect(after.endedAt !== null).toBe(!isOpen(after.status));
  if (!isOpen(after.status)) expect(toDeadline(rules, after, { sentAt: null, lagMs: 0, stallMs: 0 })).toBeNull();
  if (after.status === "timeout") expect(after.result?.winner).not.toBeNull();
}

function checkAfterEnd<Position>(before: TableState<Position>, after: TableState<Position>): void {
  const { offers, version, answered, changedAt } = after;
  expect({ ...before, offers, version, answered, changedAt }).toEqual(after);
  expect(before.offers.rematch.gameId === null || offers.rematch.gameId === before.offers.rematch.gameId).toBe(true);
}

function simulate<Position>(rules: GameRules<Position>, steps: readonly Step[]): void {
  const created = decideCreate(rules.game, 5, 300_000, 740, PLAYERS[0]!, START, toCommandId("command-create"));
  const log: LogRecord[] = [created];
  let state = openTable(rules, GAME, created);
  let at = START;
  for (const one of [JOIN, ...steps]) {
    at = (at + one.waitMs) as Instant;
    const command = toCommand(rules, state, one, at);
    const decided = decide(rules, state, command, at);
    if (!decided.ok || decided.value.type === "repeated") continue;
    check(rules, state, decided.value.next, decided.value.record);
    log.push(decided.value.record);
    state = decided.value.next;
    if ("id" in command) {
      expect(decide(rules, state, command, at)).toEqual({
        ok: true,
        value: { type: "repeated", version: state.version },
      });
    }
  }
  // The stored text folds to the same table.
  const [first, ...rest] = JSON.parse(JSON.stringify(log)) as [LogRecord, ...LogRecord[]];
  expect(rest.reduce((folded, record) => evolve(rules, folded, record), openTable(rules, GAME, first))).toEqual(state);
}

test.each([
  ["checkers", checkers as GameRules<unknown>],
  ["chess", chess as GameRules<unknown>],
])("any sequence of commands keeps version, clocks and result of %s consistent", (_name, rules) => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 160, size: "max" }), (steps) => simulate(rules, steps)),
    { numRuns: process.env.DEEP ? 1_000 : 100 },
  );
});
