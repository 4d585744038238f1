import { useDeferredValue, useMemo } from "react";
import { Board } from "../../../shared/board/board.tsx";
import { toBoardView } from "../../../shared/board/board-view.ts";
import { PromotionChooser } from "../../../shared/board/promotion-chooser.tsx";
import { useBoardSettings } from "../../../shared/board/settings/board-settings.ts";
import { rewind } from "../history/history.ts";
import type { GameHistory } from "../history/use-history.ts";
import { mayMove, mayPremove, type TableViewModel } from "../view-model.ts";
import type { OwnMoveControls } from "./use-own-move.ts";

interface PlayedBoardProps {
  readonly viewModel: TableViewModel;
  readonly record: GameHistory;
  readonly ownMove: OwnMoveControls;
  readonly announcement: string;
  readonly isOver: boolean;
  readonly onPremoveCancel: () => void;
}

/** The current position with the chosen move, or an earlier position. */
export function PlayedBoard({ viewModel, record, ownMove, announcement, isOver, onPremoveCancel }: PlayedBoardProps) {
  const { premove } = useBoardSettings();
  const { move } = ownMove;
  const { rules, table, pending, premove: waiting } = viewModel.shown;
  const tentative = move.type === "tentative" && !record.isPast ? move.played : null;
  const { position, lastMove } = record.isPast ? rewind(viewModel, record.ply) : viewModel;
  const isPresent = !record.isPast;
  const isPending = isPresent && (pending !== null || tentative !== null);
  const isMover = isPresent && tentative === null && mayMove(viewModel);
  // Premoves are computed after the move itself is drawn.
  const isAhead = useDeferredValue(premove && mayPremove(viewModel)) && isPresent;
  const drawn = tentative?.position ?? position;
  const drawnMove = tentative?.move ?? lastMove;
  const view = useMemo(
    () => toBoardView(rules, drawn, { lastMove: drawnMove, isPending, mayMove: isMover, mayPremove: isAhead }),
    [rules, drawn, drawnMove, isPending, isMover, isAhead],
  );
  const isFlipped = viewModel.bottom === 2;

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
          seat={viewModel.bottom}
          square={move.path.at(-1)!}
          isFlipped={isFlipped}
          onChoose={ownMove.promote}
          onCancel={ownMove.undo}
        />
      )}
    </Board>
  );
}
