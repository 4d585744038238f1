/** The child process of screener.ts: thinks about ended games. */
import type { GameType, Seat } from "@holo/rules/rules.ts";
import { answerRequests } from "../../platform/side-process/answer-requests.ts";
import { toFinalScore } from "./final-score.ts";

export interface FinalScoreRequest {
  readonly type: "final_score";
  readonly game: GameType;
  readonly board: string;
  readonly seat: Seat;
}

answerRequests(async ({ game, board, seat }: FinalScoreRequest) => await toFinalScore(game, board, seat));
