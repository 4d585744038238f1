import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { rulesOf } from "@holo/rules/loaded-games.ts";
import type { Move } from "@holo/rules/rules.ts";
import type { LogRecord, TableEvent } from "@holo/table/log-record.ts";
import { expect, test } from "vitest";
import { openOwnAnalyst } from "./analyst.ts";
import { judgeGame } from "./judge-game.ts";
import { judgeMoves } from "./judge-moves.ts";

const [A2, A3, D8, E5, E7, F2, F3, G2, G4, H4] = [48, 40, 3, 28, 12, 53, 45, 54, 38, 39];

/** The log of a game of chess; each event is a record. */
function toLog(events: readonly TableEvent[]): readonly string[] {
  const created: TableEvent = {
    type: "created",
    game: "chess",
    stake: 1,
    limitMs: 300_000,
    feeBps: 740,
    player: "player-ada" as PlayerId,
  };
  const joined: TableEvent = { type: "joined", player: "player-bola" as PlayerId, pairing: "matchmaking" };
  return [created, joined, ...events].map((event, index) => {
    const at = (index * 1_000) as Instant;
    const record: LogRecord = { version: index + 1, at, by: 1, events: [event] };
    return JSON.stringify(record);
  });
}

function moved(path: readonly number[], chargedMs: number): TableEvent {
  return { type: "moved", path, chargedMs, remainingMs: [300_000, 300_000] };
}

test("judges the moves on the board, each with its think time", async () => {
  const log = toLog([
    moved([F2, F3], 0),
    moved([E7, E5], 0),
    moved([A2, A3], 9_000),
    { type: "taken_back", seat: 1, plies: 1, remainingMs: [300_000, 300_000] },
    moved([G2, G4], 1_000),
    moved([D8, H4], 4_000),
    { type: "ended", winner: 2, reason: "checkmate", remainingMs: [300_000, 300_000] },
  ]);
  const game = { gameId: "game" as GameId, game: "chess", log, ratings: [1_500, 1_500] } as const;
  const { white, black, evaluation } = await judgeGame(game, null, async () => undefined);
  expect(white).toMatchObject({ moves: 2, choices: 2, errors: 1, freeMs: [1_000], medianMs: 1_000 });
  expect(white.lost).toBeGreaterThan(0.4);
  expect(black).toMatchObject({ moves: 2, errors: 0, freeMs: [4_000], spreadMs: 0 });
  expect(black.firstChoices).toBeGreaterThan(0);
  expect(evaluation.scores).toHaveLength(5);
  expect(Math.abs(evaluation.scores[0]!)).toBeLessThan(100);
  // Mate in one, then mate.
  expect(evaluation.scores.slice(3)).toEqual([-99_999, -100_000]);
});

/** Nothing yet, for as long as openings are known by heart. */
const OPENING = ["Nf3", "Nf6", "Ng1", "Ng8", "Nc3", "Nc6", "a3", "a6", "h3", "h6"];

async function judge(moves: readonly string[]) {
  const rules = rulesOf("chess");
  let position = rules.start();
  const played = moves.map((text): Move => {
    const move = rules.parseMove(position, text);
    if (!move.ok) throw new Error(`${text} is not legal`);
    const next = rules.play(position, move.value.path, move.value.promotion);
    if (!next.ok) throw new Error(`${text} is not legal`);
    position = next.value.position;
    return move.value;
  });
  return await judgeMoves(rules, played, await openOwnAnalyst("chess"));
}

test("finds the real choices, without openings and recaptures", async () => {
  const { moves } = await judge([...OPENING, "e4", "e5", "Nf3", "Nf6", "Nxe5", "Nxe5"]);
  const [attack, recapture] = [moves[12]!, moves[15]!];
  expect(attack).toMatchObject({ isFirst: true, lost: 0, seat: 1 });
  expect(attack.gap).toBeGreaterThan(0.02);
  expect(recapture).toMatchObject({ isFirst: true, gap: null, seat: 2 });
  expect(moves.slice(0, 10).map(({ gap }) => gap)).toEqual(Array(10).fill(null));
  expect(moves[14]!.lost).toBeGreaterThan(0.1);
});
