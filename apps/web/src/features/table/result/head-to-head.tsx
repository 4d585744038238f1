import type { HeadToHeadView } from "@holo/protocol/games.ts";
import type { Seat } from "@holo/rules/rules.ts";
import { useEffect, useState } from "react";
import { type TableViewModel, toName, toOpponent } from "../view-model.ts";
import { loadSettlement } from "./load-settlement.ts";

/** "You 3 : 2 kola_king", beside the rematch. Its line is kept free until the score is known. */
export function HeadToHead({ viewModel, seat }: { readonly viewModel: TableViewModel; readonly seat: Seat }) {
  const { gameId } = viewModel.shown.table;
  const [score, setScore] = useState<HeadToHeadView | null>(null);

  useEffect(() => {
    let isWanted = true;
    void loadSettlement(gameId).then((answer) => {
      if (isWanted && answer.ok) setScore(answer.value.headToHead);
    });
    return () => {
      isWanted = false;
    };
  }, [gameId]);

  return (
    <p className="head-to-head">{score !== null && formatScore(score, seat, toName(viewModel, toOpponent(seat)))}</p>
  );
}

/** "You 3 : 2 kola_king, 1 draw" */
export function formatScore({ white, black, draws }: HeadToHeadView, seat: Seat, opponent: string): string {
  const [own, theirs] = seat === 1 ? [white, black] : [black, white];
  const drawn = draws === 0 ? "" : draws === 1 ? ", 1 draw" : `, ${draws} draws`;
  return `You ${own} : ${theirs} ${opponent}${drawn}`;
}
