import type { GameId } from "@holo/kernel/ids.ts";
import { type ApiAnswer, callApi } from "../../../lib/api/api.ts";

type SettlementAnswer = ApiAnswer<"settlement">;

let newest: { readonly gameId: GameId; readonly answer: Promise<SettlementAnswer> } | null = null;

/** The settlement of a finished game, requested once for the page unless that fails. */
export function loadSettlement(gameId: GameId, isAnew = false): Promise<SettlementAnswer> {
  if (!isAnew && newest?.gameId === gameId) return newest.answer;
  const answer = callApi("settlement", { params: { id: gameId } });
  newest = { gameId, answer };
  void answer.then(({ ok }) => {
    if (!ok && newest?.answer === answer) newest = null;
  });
  return answer;
}
