import type { Square } from "@holo/rules/rules.ts";
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { classes } from "../../ui/text/classes.ts";
import { BoardCells } from "./board-cells.tsx";
import { BoardMarks, BoardRings } from "./board-marks.tsx";
import { BoardPieces } from "./board-pieces.tsx";
import type { BoardView } from "./board-view.ts";
import { loadChessSet } from "./chess-set/chess-set.ts";
import { NOTHING_CHOSEN, pressSquare, toLandings, toMovable, toVictims } from "./choice.ts";
import { nextSquare, stepSquare, toScreenIndex } from "./geometry.ts";
import { DARK_SQUARES } from "./picture/dark-squares.ts";
import { useBoardSettings } from "./settings/board-settings.ts";
import { useChosen } from "./use-chosen.ts";
import { useDrag } from "./use-drag.ts";
import "./board.css";

const ROWS = [0, 1, 2, 3, 4, 5, 6, 7] as const;

interface BoardProps {
  readonly view: BoardView;
  /** From player 2's side. */
  readonly isFlipped: boolean;
  /** Holocoins on each piece; null for none. */
  readonly stake: number | null;
  readonly onMove: (path: readonly Square[]) => void;
  /** Announced politely on every change. */
  readonly announcement: string;
  /** The game is over: the board fades for a moment. */
  readonly isOver?: boolean;
  /** Shows an earlier position. */
  readonly isPast?: boolean;
  /** From and to of the premove. */
  readonly premove?: readonly [Square, Square] | null;
  /** Something else was pressed, or Escape. */
  readonly onPremoveCancel?: () => void;
  /** Rendered over the squares. */
  readonly children?: ReactNode;
}

/** The board of both games, playable by clicks, dragging or keyboard. */
export function Board(props: BoardProps) {
  const { view, isFlipped, stake, onMove, announcement, isOver = false, isPast = false, premove = null } = props;
  const { moves } = view;
  const { coordinates } = useBoardSettings();
  const [chosen, setChosen] = useChosen(moves);
  const [focused, setFocused] = useState<Square | null>(null);
  const [hovered, setHovered] = useState<Square | null>(null);
  /** The square below the dragged piece. */
  const [draggedOver, setDraggedOver] = useState<Square | null>(null);
  const grid = useRef<HTMLDivElement>(null);
  /** How much of a move's path its piece had gone before it was played. */
  const walkedCount = useRef(1);

  const isChess = view.game === "chess";
  useEffect(() => {
    if (isChess) void loadChessSet();
  }, [isChess]);

  const movable = useMemo(() => toMovable(moves), [moves]);
  const landings = useMemo(() => toLandings(moves, chosen), [moves, chosen]);
  const target = draggedOver !== null && landings.has(draggedOver) ? draggedOver : null;
  const looked = [draggedOver, hovered, focused].find((square) => square !== null && landings.has(square)) ?? null;
  const victims = isChess ? [] : toVictims(moves, chosen, looked);
  const home = focused ?? nextSquare(movable, toScreenIndex(63, isFlipped), isFlipped) ?? toScreenIndex(56, isFlipped);
  const held = chosen.at(-1) ?? null;
  // The names of the cells render in a later task, so that the press is drawn sooner.
  const cells = useDeferredValue(
    useMemo(
      () => ({ view, movable, landings, held, home, stake, isFlipped }),
      [view, movable, landings, held, home, stake, isFlipped],
    ),
  );

  function press(square: Square, walkedTo?: Square): void {
    if (premove !== null) props.onPremoveCancel?.();
    const step = pressSquare(moves, chosen, square);
    if (step.type === "choose") setChosen(step.chosen);
    if (step.type !== "play") return;
    walkedCount.current = walkedTo === undefined ? Math.max(1, chosen.length) : step.path.lastIndexOf(walkedTo) + 1;
    setChosen(NOTHING_CHOSEN);
    onMove(step.path);
  }

  const drag = useDrag({
    grid,
    isFlipped,
    mayLift: (square) => movable.has(square) || square === chosen.at(-1),
    onLift: (square) => {
      if (premove !== null) props.onPremoveCancel?.();
      if (square !== chosen.at(-1)) setChosen([square]);
    },
    onOver: setDraggedOver,
    onDrop: (square) => {
      if (landings.has(square) || square !== chosen.at(-1)) press(square, square);
    },
  });

  function focusSquare(square: Square): void {
    grid.current?.querySelector<HTMLElement>(`[data-index="${square}"]`)?.focus();
  }

  function handleKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = toIndex(event.target);
    if (at === null) return;
    const next =
      event.key === "m" || event.key === "M"
        ? nextSquare(movable, at, isFlipped)
        : stepSquare(at, event.key, isFlipped);
    if (next !== null) focusSquare(next);
    else if (event.key === "Enter" || event.key === " ") press(at);
    else if (event.key === "Escape" && chosen.length > 0) setChosen(NOTHING_CHOSEN);
    else if (event.key === "Escape" && premove !== null) props.onPremoveCancel?.();
    else return;
    event.preventDefault();
  }

  function handleClick(event: MouseEvent): void {
    const isDrop = drag.hasJustDropped();
    const square = toIndex(event.target);
    if (square !== null && !isDrop) press(square);
  }

  return (
    <div className={classes("board-frame", isOver && "over", isPast && "past", toCoordinatesClass(coordinates))}>
      <ol className="ranks" aria-hidden="true">
        {ROWS.map((row) => (
          <li key={row}>{isFlipped ? row + 1 : 8 - row}</li>
        ))}
      </ol>
      <div className={classes("board", view.game)}>
        <svg className="squares" viewBox="0 0 8 8" preserveAspectRatio="none" aria-hidden="true" focusable="false">
          <path d={DARK_SQUARES} shapeRendering="crispEdges" />
        </svg>
        <BoardMarks
          view={view}
          chosen={chosen}
          landings={landings}
          target={target}
          premove={premove}
          isFlipped={isFlipped}
        />
        <BoardPieces
          view={view}
          chosen={chosen}
          isFlipped={isFlipped}
          stake={stake}
          walkedCount={walkedCount}
          premove={premove}
        />
        <BoardRings
          movable={view.mustCapture && chosen.length === 0 ? movable : null}
          victims={victims}
          isFlipped={isFlipped}
        />
        {/* biome-ignore lint/a11y/useSemanticElements: a board is no table of data; its cells are pressed */}
        <div
          ref={grid}
          className="cells"
          role="grid"
          aria-label="Board"
          onClick={handleClick}
          onKeyDown={handleKey}
          onFocus={(event) => setFocused(toIndex(event.target))}
          onPointerOver={(event) => setHovered(toIndex(event.target))}
          onPointerLeave={() => setHovered(null)}
          {...drag.handlers}
        >
          <BoardCells {...cells} />
        </div>
        {props.children}
      </div>
      <ol className="files" aria-hidden="true">
        {[..."abcdefgh"].map((file, index, files) => (
          <li key={file}>{isFlipped ? files[7 - index] : file}</li>
        ))}
      </ol>
      <p className="visually-hidden" aria-live="polite">
        {announcement}
      </p>
    </div>
  );
}

/** By default on desktops only, where the frame has room. */
function toCoordinatesClass(coordinates: boolean | null): string | false {
  return coordinates === null ? false : coordinates ? "with-coordinates" : "without-coordinates";
}

function toIndex(target: EventTarget): Square | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>("[data-index]") : null;
  return cell === null ? null : Number(cell.dataset.index);
}
