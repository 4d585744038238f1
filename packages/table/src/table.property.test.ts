import { checkers } from "@holo/checkers/checkers.ts";
import { chess } from "@holo/chess/chess.ts";
import type { CommandId, GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { GameRules } from "@holo/rules/rules.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { TableCommand } from "./command.ts";
import { toDeadline } from "./deadline.ts";
import { decide, decideCreate } from "./decide.ts";
import type { Entry } from "./entry.ts";
import { evolve, open } from "./evolve.ts";
import { isOpen, type TableState } from "./state.ts";

const PLAYERS = ["player-ada", "player-bola", "player-chi"] as PlayerId[];
const GAME = "00000000-0000-4000-8000-000000000001" as GameId;
const START = 1_000_000 as Instant;

/** One thing somebody does: drawn blindly, so that most of what can be wrong is among it. */
interface Step {
  readonly kind: "move" | "move" | "wild" | "join" | "cancel" | "resign" | "expire" | "credit" | "return";
  readonly who: number;
  readonly pick: number;
  readonly idOf: number;
  readonly waitMs: number;
  readonly lagMs: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.oneof(
    { weight: 12, arbitrary: fc.constant("move" as const) },
    { weight: 4, arbitrary: fc.constantFrom("wild" as const, "expire" as const, "join" as const, "return" as const) },
    { weight: 1, arbitrary: fc.constantFrom("cancel" as const, "resign" as const, "credit" as const) },
  ),
  who: fc.nat(2),
  pick: fc.nat(1_000),
  idOf: fc.nat(200),
  waitMs: fc.oneof({ weight: 9, arbitrary: fc.nat(3_000) }, { weight: 1, arbitrary: fc.nat(700_000) }),
  lagMs: fc.nat(5_000),
});

function toCommand<Position>(
  rules: GameRules<Position>,
  state: TableState<Position>,
  one: Step,
  at: Instant,
): TableCommand {
  const player = PLAYERS[one.who]!;
  const id = `command-${one.idOf}` as CommandId;
  const delivery = { sentAt: null, lagMs: one.lagMs, stallMs: 0 };
  switch (one.kind) {
    case "move": {
      const legal = rules.legalMoves(state.position);
      const { path, promotion } = legal[one.pick % Math.max(1, legal.length)] ?? { path: [0, 1] };
      const mover = state.players[rules.toMove(state.position) - 1] ?? player;
      const move = { type: "move", id, player: mover, atVersion: state.boardVersion, path, delivery } as const;
      return promotion === undefined ? move : { ...move, promotion };
    }
    case "wild":
      return { type: "move", id, player, atVersion: one.pick % 40, path: [one.pick % 64, one.idOf % 64], delivery };
    case "expire":
      return { type: "expire", delivery };
    case "credit":
      return { type: "credit", outageFromAt: (at - one.waitMs) as Instant, outageToAt: at };
    case "return":
      return { type: "return", seat: one.who === 0 ? 1 : 2 };
    default:
      return { type: one.kind, id, player };
  }
}

function check<Position>(
  rules: GameRules<Position>,
  before: TableState<Position>,
  after: TableState<Position>,
  entry: Entry,
): void {
  expect(isOpen(before.status)).toBe(true);
  expect(after.version).toBe(before.version + 1);
  expect(after.changedAt).toBeGreaterThanOrEqual(before.changedAt);
  expect(after.pliesEver).toBeGreaterThanOrEqual(before.pliesEver);
  expect((after.moves.length % 2 === 0 ? 1 : 2) === rules.toMove(after.position)).toBe(true);
  const isCredited = entry.events.some(({ type }) => type === "clock_credited");
  for (const seat of [0, 1] as const) {
    const [was, is] = [before.clock.remainingMs[seat], after.clock.remainingMs[seat]];
    expect(Number.isInteger(is) && is >= 0).toBe(true);
    expect(is).toBeLessThanOrEqual(isCredited ? was + 10_000 : was);
    expect(after.clock.lagUsedMs[seat]).toBeLessThanOrEqual(10_000);
  }
  const isOver = after.status === "completed" || after.status === "timeout";
  expect(after.result !== null).toBe(isOver);
  expect(after.endedAt !== null).toBe(!isOpen(after.status));
  if (!isOpen(after.status)) expect(toDeadline(rules, after, { sentAt: null, lagMs: 0, stallMs: 0 })).toBeNull();
  if (after.status === "timeout") expect(after.result?.winner).not.toBeNull();
}

function simulate<Position>(rules: GameRules<Position>, steps: readonly Step[]): void {
  const created = decideCreate(rules.game, 5, 300_000, 740, PLAYERS[0]!, START, "command-create" as CommandId);
  const log: Entry[] = [created];
  let state = open(rules, GAME, created);
  let at = START;
  for (const one of steps) {
    at = (at + one.waitMs) as Instant;
    const command = toCommand(rules, state, one, at);
    const decided = decide(rules, state, command, at);
    if (!decided.ok || decided.value.type === "repeated") continue;
    check(rules, state, decided.value.next, decided.value.entry);
    log.push(decided.value.entry);
    state = decided.value.next;
    if ("id" in command) {
      expect(decide(rules, state, command, at)).toEqual({
        ok: true,
        value: { type: "repeated", version: state.version },
      });
    }
  }
  // What was stored as text folds to the very same table.
  const [first, ...rest] = JSON.parse(JSON.stringify(log)) as [Entry, ...Entry[]];
  expect(rest.reduce((folded, entry) => evolve(rules, folded, entry), open(rules, GAME, first))).toEqual(state);
}

test.each([
  ["checkers", checkers as GameRules<unknown>],
  ["chess", chess as GameRules<unknown>],
])("any sequence of commands keeps version, clocks and result of %s consistent", (_name, rules) => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => simulate(rules, steps)),
    { numRuns: 150 },
  );
});
