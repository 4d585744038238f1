import type { Square } from "@holo/rules/rules.ts";
import { useMemo, useState } from "react";
import { Board } from "../../ui/board/board.tsx";
import { toBoardView } from "../../ui/board/board-view.ts";
import { usePageTitle } from "../../ui/page-title.ts";
import { JoinSeat } from "./join-seat.tsx";
import { PlayerCard } from "./player-card.tsx";
import { ResultPanel } from "./result-panel.tsx";
import { type ResultText, toResultText } from "./result-text.ts";
import { mayMove, type Scene, toName, toOpponent } from "./scene.ts";
import { TableActions } from "./table-actions.tsx";
import { CapturedCard, MoveList, PaidPanel, StakePanel } from "./table-facts.tsx";
import { TurnBanner } from "./turn-banner.tsx";
import { useOwnClock } from "./use-own-clock.ts";
import { useTableEvents } from "./use-table-events.ts";

interface GameTableProps {
  readonly scene: Scene;
  readonly isSignedIn: boolean;
  readonly onMove: (path: readonly Square[]) => void;
}

export function GameTable({ scene, isSignedIn, onMove }: GameTableProps) {
  const { shown, bottom, seat } = scene;
  const { rules, table, pending } = shown;
  const result = toResultText(scene);
  const isWaiting = table.status === "waiting";
  usePageTitle(toPageTitle(scene, result));
  const moved = useTableEvents(scene);
  const announcement = useNewest(moved, useOwnClock(scene));

  const { position, lastMove } = scene;
  const isPending = pending !== null;
  const isMover = mayMove(scene);
  const board = useMemo(
    () => toBoardView(rules, position, { lastMove, isPending, mayMove: isMover }),
    [rules, position, lastMove, isPending, isMover],
  );

  return (
    <div className="game-page">
      <PlayerCard scene={scene} seat={toOpponent(bottom)} place="above" />
      <div className="board-place">
        <Board
          view={board}
          isFlipped={bottom === 2}
          stake={table.game === "checkers" ? table.stake : null}
          onMove={onMove}
          announcement={announcement}
          isOver={result !== null}
        />
      </div>
      <PlayerCard scene={scene} seat={bottom} place="below" />
      <div className="state-place">
        {result === null ? <TurnBanner scene={scene} /> : <ResultPanel scene={scene} text={result} />}
        <TableActions scene={scene} />
        {isWaiting && seat === null && isSignedIn && <JoinSeat scene={scene} />}
      </div>
      <div className="facts-place">
        <StakePanel scene={scene} />
        {isWaiting && seat !== null && <PaidPanel scene={scene} />}
        {!isWaiting && table.game === "checkers" && <CapturedCard scene={scene} />}
        {!isWaiting && <MoveList texts={shown.moveTexts} />}
      </div>
    </div>
  );
}

/** Of two texts the one that changed last, so that the other is not read out again. */
function useNewest(first: string, second: string): string {
  const [told, setTold] = useState({ first, second, newest: "" });
  if (told.first !== first) setTold({ first, second, newest: first });
  else if (told.second !== second) setTold({ first, second, newest: second });
  return told.newest;
}

function toPageTitle(scene: Scene, result: ResultText | null): string {
  const { turn, seat } = scene;
  if (result !== null) return result.title;
  if (turn === null) return "Waiting for opponent";
  if (seat === null) return `${toName(scene, turn)} to move`;
  return turn === seat ? "Your turn" : "Opponent's turn";
}
