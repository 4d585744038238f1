/** The child process of screener.ts: thinks about ended games. */
import type { GameType, Seat } from "@holo/rules/rules.ts";
import { performance, sleep } from "../../platform/runtime.ts";
import { answerRequests, workWhenIdle } from "../../platform/side-process/answer-requests.ts";
import { type Analyst, makeUciAnalyst } from "./analyst.ts";
import { toFinalScore } from "./final-score.ts";
import { type GameFigures, type GameToJudge, judgeGame } from "./judge-game.ts";
import { openUciProgram, UciFault, type UciProgram } from "./uci.ts";

interface Pace {
  /** Works when nothing else does, and rests as long as it works: half a core at most. */
  readonly isSlow: boolean;
}

interface FinalScoreRequest extends Pace {
  readonly type: "final_score";
  readonly game: GameType;
  readonly board: string;
  readonly seat: Seat;
}

interface MovesRequest extends Pace, GameToJudge {
  readonly type: "moves";
  /** Null: our own engine judges chess, too. */
  readonly chessEngine: string | null;
}

export type EngineRequest = FinalScoreRequest | MovesRequest;
export type EngineAnswer =
  | { readonly type: "final_score"; readonly score: number }
  /** `fault`: what the chess engine did wrong; our own has judged instead. */
  | { readonly type: "moves"; readonly figures: GameFigures; readonly fault: string | null };

let isIdle = false;
let program: { readonly file: string; readonly opened: UciProgram } | null = null;

let resting: Promise<void> = Promise.resolve();

answerRequests(async (request: EngineRequest): Promise<EngineAnswer> => {
  await resting;
  const rest = makeRest(request);
  if (request.type === "moves") return await judge(request, rest);
  const score = await toFinalScore(request.game, request.board, request.seat);
  // The answer does not wait: meanwhile the server sends the next game.
  resting = rest();
  return { type: "final_score", score };
});

function makeRest({ isSlow }: Pace): () => Promise<void> {
  if (!isSlow) return async () => undefined;
  if (!isIdle) workWhenIdle();
  isIdle = true;
  let startedMs = performance.now();
  return async () => {
    await sleep(performance.now() - startedMs);
    startedMs = performance.now();
  };
}

async function judge(request: MovesRequest, rest: () => Promise<void>): Promise<EngineAnswer> {
  let fault: string | null = null;
  if (request.chessEngine !== null && request.game === "chess") {
    try {
      const analyst = await openAnalyst(request.chessEngine);
      return { type: "moves", figures: await judgeGame(request, analyst, rest), fault };
    } catch (error) {
      if (!(error instanceof UciFault)) throw error;
      program?.opened.close();
      program = null;
      fault = error.message;
    }
  }
  return { type: "moves", figures: await judgeGame(request, null, rest), fault };
}

async function openAnalyst(file: string): Promise<Analyst> {
  if (program?.file !== file) {
    program?.opened.close();
    program = null;
    program = { file, opened: await openUciProgram(file) };
  }
  return makeUciAnalyst(program.opened);
}
