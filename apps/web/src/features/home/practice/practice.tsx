import { checkers } from "@holo/checkers/checkers.ts";
import type { Move } from "@holo/rules/rules.ts";
import { useEffect, useMemo } from "react";
import { Board } from "../../../shared/board/board.tsx";
import { toBoardView } from "../../../shared/board/board-view.ts";
import { chooseAtRandom, newPractice, type PracticeGame, toTurn } from "./practice-game.ts";
import { PracticeLayout } from "./practice-layout.tsx";
import { formatStatus } from "./practice-text.ts";
import { usePractice } from "./use-practice.ts";

/** Kept across pages, so that the player returns to the same game, even from the offline page. */
let savedGame = newPractice(checkers);

async function chooseMove(game: PracticeGame): Promise<Move> {
  return chooseAtRandom(game, Math.random);
}

/** Checkers against a computer that plays random moves. Sends no request once loaded. */
export default function Practice({ onPlayable }: { readonly onPlayable?: (() => void) | undefined }) {
  useEffect(() => onPlayable?.(), [onPlayable]);
  const { game, announcement, play, takeBack, restart } = usePractice(savedGame, chooseMove);
  useEffect(() => {
    savedGame = game;
  }, [game]);
  const board = useMemo(
    () =>
      toBoardView(game.rules, game.position, {
        lastMove: game.plies.at(-1)?.move ?? null,
        isPending: false,
        mayMove: toTurn(game) === game.player,
      }),
    [game],
  );
  return (
    <PracticeLayout onTakeBack={takeBack} onRestart={restart} status={formatStatus(game)}>
      <Board
        view={board}
        isFlipped={false}
        stake={null}
        onMove={play}
        announcement={announcement}
        isOver={game.outcome !== null}
      />
    </PracticeLayout>
  );
}
