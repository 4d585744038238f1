import { checkers } from "@holo/checkers/checkers.ts";
import { useEffect, useMemo } from "react";
import { Board } from "../../../shared/board/board.tsx";
import { toBoardView } from "../../../shared/board/board-view.ts";
import { PLAYER, toTurn } from "./practice-game.ts";
import { PracticeLayout } from "./practice-layout.tsx";
import { formatStatus } from "./practice-text.ts";
import { usePractice } from "./use-practice.ts";

/** Checkers against a computer that plays random moves. Needs no server once loaded. */
export default function Practice({ onPlayable }: { readonly onPlayable?: (() => void) | undefined }) {
  useEffect(() => onPlayable?.(), [onPlayable]);
  const { game, announcement, play, takeBack, restart } = usePractice();
  const board = useMemo(
    () =>
      toBoardView(checkers, game.position, {
        lastMove: game.plies.at(-1)?.move ?? null,
        isPending: false,
        mayMove: toTurn(game) === PLAYER,
      }),
    [game],
  );
  return (
    <PracticeLayout
      onTakeBack={game.plies.length > 0 ? takeBack : null}
      onRestart={restart}
      status={formatStatus(game)}
    >
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
