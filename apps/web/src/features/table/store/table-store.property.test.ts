import { checkers } from "@holo/checkers/checkers.ts";
import { chess } from "@holo/chess/chess.ts";
import type { CommandId, GameId, PlayerId } from "@holo/kernel/ids.ts";
import { toInstant } from "@holo/kernel/instant.ts";
import { ofSeat } from "@holo/rules/by-seat.ts";
import { NO_DELIVERY } from "@holo/table/clock.ts";
import { decide, decideCreate } from "@holo/table/decide.ts";
import { openTable } from "@holo/table/evolve.ts";
import type { LogRecord } from "@holo/table/log-record.ts";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Rules } from "../../../shared/board/game-rules.ts";
import { foldRecords, type TableFold } from "./table-fold.ts";

if (!process.env.DEEP) fc.configureGlobal({ seed: 20_261_123 });

const GAME = "11111111-1111-4111-8111-111111111111" as GameId;
const PLAYERS = ["player-ada", "player-bola"] as const;

function playGame(rules: Rules, choices: readonly number[]): { log: LogRecord[]; position: string; texts: string[] } {
  const first = decideCreate(
    rules.game,
    1,
    300_000,
    740,
    PLAYERS[0] as PlayerId,
    toInstant(0),
    "command-0" as CommandId,
  );
  let state = openTable(rules, GAME, first);
  const log = [first];
  const texts: string[] = [];
  const joinId = "command-join" as CommandId;
  const join = { type: "join", id: joinId, player: PLAYERS[1] as PlayerId, pairing: "address" } as const;
  const joined = decide(rules, state, join, toInstant(0));
  if (!joined.ok || joined.value.type !== "decided") throw new Error("nobody could join");
  log.push(joined.value.record);
  state = joined.value.next;
  for (const choice of choices) {
    const moves = rules.legalMoves(state.position);
    const move = moves[choice % Math.max(1, moves.length)];
    if (move === undefined || state.status !== "active") break;
    const decided = decide(
      rules,
      state,
      {
        type: "move",
        id: `command-${log.length}` as CommandId,
        player: ofSeat(PLAYERS, rules.toMove(state.position)) as PlayerId,
        atVersion: state.boardVersion,
        path: move.path,
        ...(move.promotion === undefined ? {} : { promotion: move.promotion }),
        delivery: NO_DELIVERY,
      },
      toInstant(log.length),
    );
    if (!decided.ok || decided.value.type !== "decided") throw new Error("a legal move was refused");
    texts.push(rules.formatMove(state.position, move));
    log.push(decided.value.record);
    state = decided.value.next;
  }
  return { log, position: rules.formatPosition(state.position), texts };
}

it("folds a log to the server's table for any split into deliveries", () => {
  fc.assert(
    fc.property(
      fc.constantFrom<Rules>(checkers, chess),
      fc.array(fc.nat(1_000), { maxLength: 60 }),
      fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 20 }),
      (rules, choices, cuts) => {
        const { log, position, texts } = playGame(rules, choices);
        let fold: TableFold | null = null;
        for (let at = 0, cut = 0; at < log.length; cut += 1) {
          const length = cuts[cut % cuts.length] ?? 1;
          fold = foldRecords(rules, GAME, fold, log.slice(at, at + length));
          at += length;
        }
        expect(fold?.table.version).toBe(log.length);
        expect(fold?.moveTexts).toEqual(texts);
        expect(rules.formatPosition(fold?.table.position)).toBe(position);
        expect(fold?.records).toEqual(log);
        expect(fold?.positions.length).toBe(texts.length + 1);
        fold?.table.moves.slice().forEach(({ move }, ply) => {
          expect(rules.formatMove(fold?.positions[ply], move)).toBe(texts[ply]);
        });
      },
    ),
    { numRuns: 60 },
  );
});
