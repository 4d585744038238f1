import type { GameId } from "@holo/kernel/ids.ts";
import { useEffect, useState } from "react";
import { type ApiAnswer, callApi } from "../../../lib/api/api.ts";
import { retryUntilDone } from "../../../lib/api/retry.ts";

type SettlementAnswer = ApiAnswer<"settlement">;
export type Settlement = Extract<SettlementAnswer, { readonly ok: true }>["value"];

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

/** Null until it is loaded, however long the network needs. */
export function useSettlement(gameId: GameId): Settlement | null {
  const [settlement, setSettlement] = useState<Settlement | null>(null);
  useEffect(
    () =>
      retryUntilDone(async () => {
        const answer = await loadSettlement(gameId);
        if (answer.ok) setSettlement(answer.value);
        return answer.ok || answer.refusal.code !== "unavailable";
      }),
    [gameId],
  );
  return settlement;
}
