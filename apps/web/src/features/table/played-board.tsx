import { useDeferredValue, useMemo } from "react";
import { useBoardSettings } from "../../lib/board-settings.ts";
import { Board } from "../../ui/board/board.tsx";
import { toBoardView } from "../../ui/board/board-view.ts";
import { PromotionChooser } from "../../ui/board/promotion-chooser.tsx";
import { rewind } from "./record.ts";
import { mayMove, mayPremove, type Scene } from "./scene.ts";
import type { OwnMoveActs } from "./use-own-move.ts";
import type { TableRecord } from "./use-record.ts";

interface PlayedBoardProps {
  readonly scene: Scene;
  readonly record: TableRecord;
  readonly ownMove: OwnMoveActs;
  readonly announcement: string;
  readonly isOver: boolean;
  readonly onPremoveCancel: () => void;
}

/** The board as it is looked at: the present with the move about to be made, or an earlier position. */
export function PlayedBoard({ scene, record, ownMove, announcement, isOver, onPremoveCancel }: PlayedBoardProps) {
  const { premove } = useBoardSettings();
  const { move } = ownMove;
  const { rules, table, pending, premove: waiting } = scene.shown;
  const tentative = move.type === "tentative" && !record.isPast ? move.played : null;
  const { position, lastMove } = record.isPast ? rewind(scene, record.ply) : scene;
  const isPresent = !record.isPast;
  const isPending = isPresent && (pending !== null || tentative !== null);
  const isMover = isPresent && tentative === null && mayMove(scene);
  // which premoves there are is asked once the move itself is drawn
  const isAhead = useDeferredValue(premove && mayPremove(scene)) && isPresent;
  const drawn = tentative?.position ?? position;
  const drawnMove = tentative?.move ?? lastMove;
  const view = useMemo(
    () => toBoardView(rules, drawn, { lastMove: drawnMove, isPending, mayMove: isMover, mayPremove: isAhead }),
    [rules, drawn, drawnMove, isPending, isMover, isAhead],
  );
  const isFlipped = scene.bottom === 2;

  return (
    <Board
      view={view}
      isFlipped={isFlipped}
      stake={table.game === "checkers" ? table.stake : null}
      onMove={(path) => ownMove.choose(view.moves, path)}
      announcement={announcement}
      isOver={isOver}
      isPast={record.isPast}
      premove={isPresent ? (waiting?.path ?? null) : null}
      onPremoveCancel={onPremoveCancel}
    >
      {move.type === "promoting" && isPresent && (
        <PromotionChooser
          seat={scene.bottom}
          square={move.path.at(-1)!}
          isFlipped={isFlipped}
          onChoose={ownMove.promote}
          onCancel={ownMove.undo}
        />
      )}
    </Board>
  );
}
