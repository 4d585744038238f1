import { gameOf } from "@holo/rules/registry.ts";
import { useDeferredValue, useEffect, useMemo } from "react";
import { Board } from "../../../shared/board/board.tsx";
import { toBoardView } from "../../../shared/board/board-view.ts";
import { PromotionChooser } from "../../../shared/board/promotion-chooser.tsx";
import { useBoardSettings } from "../../../shared/board/settings/board-settings.ts";
import { type GameHistory, rewind } from "../history/history.ts";
import { mayMove, mayPremove, type TableViewModel } from "../view-model.ts";
import { Drawings } from "./drawings.tsx";
import type { OwnMoveControls } from "./own-move.ts";

interface PlayedBoardProps {
  readonly viewModel: TableViewModel;
  readonly history: GameHistory;
  readonly ownMove: OwnMoveControls;
  readonly announcement: string;
  readonly isOver: boolean;
  readonly onPremoveCancel: () => void;
}

export function PlayedBoard({ viewModel, history, ownMove, announcement, isOver, onPremoveCancel }: PlayedBoardProps) {
  useFallbackFocus();
  const { premove } = useBoardSettings();
  const { move } = ownMove;
  const { rules, table, pending, premove: waiting } = viewModel.shown;
  const tentative = move.type === "tentative" && !history.isPast ? move.played : null;
  const { position, lastMove } = history.isPast ? rewind(viewModel, history.ply) : viewModel;
  const isPresent = !history.isPast;
  const isPending = isPresent && (pending !== null || tentative !== null);
  const isMover = isPresent && tentative === null && mayMove(viewModel);
  // Premoves are computed after the move itself is drawn.
  const arePremoves = useDeferredValue(premove && mayPremove(viewModel)) && isPresent;
  const drawn = tentative?.position ?? position;
  const drawnMove = tentative?.move ?? lastMove;
  const view = useMemo(
    () => toBoardView(rules, drawn, { lastMove: drawnMove, isPending, mayMove: isMover, mayPremove: arePremoves }),
    [rules, drawn, drawnMove, isPending, isMover, arePremoves],
  );
  const isFlipped = viewModel.bottom === 2;

  return (
    <Board
      view={view}
      isFlipped={isFlipped}
      stake={gameOf(table.game).look === "discs" && !viewModel.isFree ? table.stake : null}
      onMove={(path) => ownMove.choose(view.moves, path)}
      announcement={announcement}
      isOver={isOver}
      isPast={history.isPast}
      premove={isPresent ? (waiting?.path ?? null) : null}
      onPremoveCancel={onPremoveCancel}
    >
      <Drawings key={`${table.boardVersion} ${history.ply}`} isFlipped={isFlipped} />
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

/**
 * Moves the focus to the board when the focused element disappears, as bars do during a game.
 * Otherwise keyboard players would restart at the top of the page.
 */
function useFallbackFocus(): void {
  useEffect(() => {
    let focused: EventTarget | null = null;
    function keepFocused({ target }: FocusEvent): void {
      focused = target;
    }
    const observer = new MutationObserver(() => {
      const { activeElement, body } = document;
      if (!(focused instanceof Element) || focused.closest(".board") !== null) return;
      // A style sheet may hide it before the browser takes its focus away.
      if (activeElement !== body && activeElement !== focused) return;
      const isGone = !focused.checkVisibility({ visibilityProperty: true });
      if (activeElement === focused && !isGone) return;
      focused = null;
      // Otherwise a press elsewhere has moved the focus.
      if (isGone) document.querySelector<HTMLElement>(".board [tabindex='0']")?.focus({ preventScroll: true });
    });
    addEventListener("focusin", keepFocused);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      removeEventListener("focusin", keepFocused);
      observer.disconnect();
    };
  }, []);
}
