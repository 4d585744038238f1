import { type CommandId, toCommandId, toGameId, toPlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { ofSeat } from "@holo/rules/by-seat.ts";
import type { GameRules, Square } from "@holo/rules/rules.ts";
import { parseSquare } from "@holo/rules/square.ts";
import { expect } from "vitest";
import { type Delivery, NO_DELIVERY } from "../clock.ts";
import type { TableCommand } from "../command.ts";
import { decide, decideCreate } from "../decide.ts";
import { evolve, openTable } from "../evolve.ts";
import type { TableState } from "../state.ts";

export const ADA = toPlayerId("player-ada");
export const BOLA = toPlayerId("player-bola");
export const CHI = toPlayerId("player-chi");
const GAME = toGameId("00000000-0000-4000-8000-000000000001");
export const START = 1_000_000 as Instant;
let ids = 0;
export const newId = (): CommandId => toCommandId(`command-${++ids}`);
export const after = (ms: number): Instant => (START + ms) as Instant;

export function waiting<Position>(rules: GameRules<Position>): TableState<Position> {
  return openTable(rules, GAME, decideCreate(rules.game, 5, 300_000, 740, ADA, START, newId()));
}

export function carryOut<Position>(
  rules: GameRules<Position>,
  state: TableState<Position>,
  command: TableCommand,
  at: Instant,
): TableState<Position> {
  const decided = decide(rules, state, command, at);
  if (!decided.ok) throw new Error(`refused: ${decided.refusal}`);
  if (decided.value.type !== "decided") throw new Error("repeated");
  expect(evolve(rules, state, JSON.parse(JSON.stringify(decided.value.record)))).toEqual(decided.value.next);
  return decided.value.next;
}

export function refusalOf<Position>(
  rules: GameRules<Position>,
  state: TableState<Position>,
  command: TableCommand,
  at: Instant,
): string {
  const decided = decide(rules, state, command, at);
  return decided.ok ? decided.value.type : decided.refusal;
}

export function active<Position>(rules: GameRules<Position>): TableState<Position> {
  return carryOut(rules, waiting(rules), { type: "join", id: newId(), player: BOLA, pairing: "address" }, START);
}

export function toPath(text: string): readonly Square[] {
  return text.split("-").map((square) => {
    const parsed = parseSquare(square);
    if (!parsed.ok) throw new Error(square);
    return parsed.value;
  });
}

export function toMove<Position>(
  rules: GameRules<Position>,
  state: TableState<Position>,
  path: string,
  delivery: Delivery = NO_DELIVERY,
): TableCommand {
  const player = ofSeat(state.players, rules.toMove(state.position))!;
  return { type: "move", id: newId(), player, atVersion: state.boardVersion, path: toPath(path), delivery };
}

export function play<Position>(
  rules: GameRules<Position>,
  state: TableState<Position>,
  ...paths: readonly string[]
): TableState<Position> {
  let next = state;
  for (const path of paths) {
    next = carryOut(rules, next, toMove(rules, next, path), (next.changedAt + 1_000) as Instant);
  }
  return next;
}

export const OPENING = ["c3-d4", "d6-c5", "b2-c3", "f6-g5"] as const;
