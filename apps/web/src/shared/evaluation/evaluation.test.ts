import { checkers } from "@holo/checkers/checkers.ts";
import { chess } from "@holo/chess/chess.ts";
import type { LogView } from "@holo/protocol/game/games.ts";
import { parseSquare } from "@holo/rules/square.ts";
import { describe, expect, it } from "vitest";
import type { Rules } from "../board/game-rules.ts";
import type { OpenEngine } from "../engine/engine-client.ts";
import { doTask } from "../engine/engine-tasks.ts";
import { type Evaluation, evaluateGame } from "./evaluation.ts";
import { type ReviewedGame, readGame } from "./reviewed-game.ts";

const FOOLS_MATE = "f2-f3 e7-e5 g2-g4 d8-h4";

/** Steps are moves such as `c3-d4`, and `back/2` for two plies taken back. */
function makeLog(steps: string): LogView {
  const rows = steps.split(" ").map((step, index) => {
    const [, plies] = step.split("back/");
    const path = step.split("-").flatMap((name) => {
      const square = parseSquare(name);
      return square.ok ? [square.value] : [];
    });
    const event = plies === undefined ? { type: "moved", path } : { type: "taken_back", plies: Number(plies) };
    return { text: JSON.stringify({ version: index + 1, events: [event] }), hash: "" };
  });
  return { before: "", rows, finalHash: "" };
}

function read(rules: Rules, steps: string): Promise<ReviewedGame> {
  return readGame(rules, makeLog(steps), async () => undefined);
}

/** The engine without its worker. */
const ENGINE = {
  analyse: (game, start, moves) => doTask({ type: "analyse", game, start, moves, nodes: 2_000 }),
} as Pick<OpenEngine, "analyse">;

async function evaluate(rules: Rules, reviewed: ReviewedGame, known: readonly Evaluation[] = []) {
  const added: Evaluation[] = [];
  await evaluateGame(ENGINE, { rules, reviewed, known }, (evaluation) => added.push(evaluation));
  return added;
}

describe("a finished game that is read from its log", () => {
  it("has the moves that stayed on the board, with the forced ones marked", async () => {
    const reviewed = await read(checkers as Rules, "c3-b4 back/1 c3-d4 b6-c5 d4-b6 a7-c5");
    expect(reviewed.moves.map(({ text, seat, isForced }) => [text, seat, isForced])).toEqual([
      ["c3-d4", 1, false],
      ["b6-c5", 2, false],
      ["d4:b6", 1, true],
      ["a7:c5", 2, false],
    ]);
    expect(reviewed.positions).toHaveLength(5);
  });

  it("is refused if a move breaks the rules", async () => {
    await expect(read(chess as Rules, "e2-e5")).rejects.toThrow("illegal");
  });
});

describe("the evaluations of a game", () => {
  it("fall with the move that allowed the mate", async () => {
    const reviewed = await read(chess as Rules, FOOLS_MATE);
    const evaluations = await evaluate(chess as Rules, reviewed);
    expect(evaluations).toHaveLength(5);
    expect(evaluations.at(-1)).toEqual({ whiteChance: 0, best: null });
    expect(evaluations[2]!.whiteChance - evaluations[3]!.whiteChance).toBeGreaterThan(20);
  });

  it("go on from those that are known", async () => {
    const reviewed = await read(chess as Rules, FOOLS_MATE);
    const known = [1, 2, 3].map((whiteChance) => ({ whiteChance, best: null }));
    expect(await evaluate(chess as Rules, reviewed, known)).toHaveLength(2);
  });
});
