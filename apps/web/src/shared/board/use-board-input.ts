import { gameOf } from "@holo/rules/registry.ts";
import type { Move, Square } from "@holo/rules/rules.ts";
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  startTransition,
  useMemo,
  useRef,
  useState,
} from "react";
import type { BoardView } from "./board-view.ts";
import {
  type Chosen,
  keepSelectedPiece,
  NOTHING_CHOSEN,
  pressSquare,
  toLandings,
  toMovable,
  toVictims,
} from "./choice.ts";
import { nextSquare, stepSquare, toScreenIndex } from "./geometry.ts";
import { currentBoardSettings } from "./settings/board-settings.ts";
import { useDrag } from "./use-drag.ts";

const HAPTIC_TICK_MS = 8;
const NO_SQUARES: readonly Square[] = [];

interface BoardInputOptions {
  readonly view: BoardView;
  readonly isFlipped: boolean;
  readonly hasPremove: boolean;
  readonly onMove: (path: readonly Square[]) => void;
  readonly onPremoveCancel: (() => void) | undefined;
}

export function useBoardInput({ view, isFlipped, hasPremove, onMove, onPremoveCancel }: BoardInputOptions) {
  const { moves } = view;
  const { focused, hovered, draggedOver, setDraggedOver, pointProps } = usePointedSquares();
  const { chosen, setChosen, held, movable, landings, victims } = useSelection(view, [draggedOver, hovered, focused]);
  const grid = useRef<HTMLDivElement>(null);
  const { press, cancelPremove, walkedCount } = usePress({
    moves,
    chosen,
    setChosen,
    hasPremove,
    onMove,
    onPremoveCancel,
  });

  const drag = useDrag({
    grid,
    isFlipped,
    mayLift: (square) => movable.has(square) || square === held,
    onPress(square, isTouch) {
      // Pressing selects a piece; releasing plays a landing.
      const step = pressSquare(moves, chosen, square);
      const isSelected = step.type === "choose" && step.chosen.length === 1;
      if (isTouch && isSelected) vibrateBriefly();
      if (isSelected) press(square);
      return isSelected;
    },
    onLift: (square) => {
      cancelPremove();
      if (square !== held) setChosen([square]);
    },
    onOver: setDraggedOver,
    onDrop: (square) => {
      if (landings.has(square) || square !== held) press(square, square);
    },
    onCancel: () => setChosen(NOTHING_CHOSEN),
  });

  function handleClick(event: MouseEvent): void {
    const isHandled = drag.consumeHandled();
    const square = findSquare(event.target);
    if (square !== null && !isHandled) press(square);
  }

  function handleKey(event: KeyboardEvent): void {
    const at = findSquare(event.target);
    if (at === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const isNext = event.key === "m" || event.key === "M";
    const next = isNext ? nextSquare(movable, at, isFlipped) : stepSquare(at, event.key, isFlipped);
    if (next !== null) grid.current?.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus();
    else if (event.key === "Enter" || event.key === " ") press(at);
    else if (event.key === "Escape" && chosen.length > 0) setChosen(NOTHING_CHOSEN);
    else if (event.key === "Escape" && hasPremove) onPremoveCancel?.();
    else return;
    event.preventDefault();
  }

  return {
    chosen,
    held,
    movable,
    landings,
    target: draggedOver !== null && landings.has(draggedOver) ? draggedOver : null,
    victims,
    tabStop: focused ?? nextSquare(movable, toScreenIndex(63, isFlipped), isFlipped) ?? toScreenIndex(56, isFlipped),
    walkedCount,
    gridProps: {
      ref: grid,
      onClick: handleClick,
      onKeyDown: handleKey,
      // The right button cancels a drag and draws.
      onContextMenu: (event: MouseEvent) => event.preventDefault(),
      ...pointProps,
      ...drag.handlers,
    },
  };
}

/** The selection and what it allows. The first landing that is pointed at shows its captures. */
function useSelection(view: BoardView, pointedSquares: readonly (Square | null)[]) {
  const { moves } = view;
  const [chosen, setChosen] = useChosen(moves);
  const movable = useMemo(() => toMovable(moves), [moves]);
  const landings = useMemo(() => toLandings(moves, chosen), [moves, chosen]);
  const pointed = pointedSquares.find((square) => square !== null && landings.has(square)) ?? null;
  const held = chosen.at(-1) ?? null;
  // Memoized, so that the marks do not render for every square that the pointer crosses.
  const victims = useMemo(
    () => (gameOf(view.game).look === "figures" ? NO_SQUARES : toVictims(moves, chosen, pointed)),
    [view.game, moves, chosen, pointed],
  );
  return { chosen, setChosen, held, movable, landings, victims };
}

interface PressOptions extends Pick<BoardInputOptions, "hasPremove" | "onMove" | "onPremoveCancel"> {
  readonly moves: readonly Move[];
  readonly chosen: Chosen;
  readonly setChosen: (chosen: Chosen) => void;
}

/** What pressing a square does: it cancels a premove, selects, or plays. */
function usePress({ moves, chosen, setChosen, hasPremove, onMove, onPremoveCancel }: PressOptions) {
  /** How many squares of a move's path its piece had already gone. */
  const walkedCount = useRef(1);

  function cancelPremove(): void {
    if (hasPremove) onPremoveCancel?.();
  }

  function press(square: Square, walkedTo?: Square): void {
    cancelPremove();
    const step = pressSquare(moves, chosen, square);
    if (step.type === "choose") setChosen(step.chosen);
    if (step.type !== "play") return;
    walkedCount.current = walkedTo === undefined ? Math.max(1, chosen.length) : step.path.lastIndexOf(walkedTo) + 1;
    setChosen(NOTHING_CHOSEN);
    onMove(step.path);
  }

  return { press, cancelPremove, walkedCount };
}

function usePointedSquares() {
  const [focused, setFocused] = useState<Square | null>(null);
  const [hovered, setHovered] = useState<Square | null>(null);
  const [draggedOver, setDraggedOver] = useState<Square | null>(null);
  return {
    focused,
    hovered,
    draggedOver,
    setDraggedOver,
    pointProps: {
      // In a later task: a press focuses its square too, and its selection is drawn first.
      onFocus: ({ target }: FocusEvent) => startTransition(() => setFocused(findSquare(target))),
      onPointerOver: ({ target }: PointerEvent) => startTransition(() => setHovered(findSquare(target))),
      onPointerLeave: () => setHovered(null),
    },
  };
}

/** The selection among the legal moves. When they change, only a single held piece stays held. */
function useChosen(moves: readonly Move[]): readonly [Chosen, (chosen: Chosen) => void] {
  const [state, setState] = useState({ moves, chosen: NOTHING_CHOSEN });
  const chosen = state.moves === moves ? state.chosen : keepSelectedPiece(moves, state.chosen);
  if (state.moves !== moves) setState({ moves, chosen });
  return [chosen, (next) => setState({ moves, chosen: next })];
}

function findSquare(target: EventTarget): Square | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>("[data-index]") : null;
  return cell === null ? null : Number(cell.dataset.index);
}

/** A short vibration, if the device supports it and the player has not disabled it. */
function vibrateBriefly(): void {
  // Before the first touch has ended, browsers refuse it with an error in the console.
  const mayVibrate = navigator.userActivation?.hasBeenActive === true && currentBoardSettings().vibration;
  if (mayVibrate && !matchMedia("(prefers-reduced-motion: reduce)").matches) navigator.vibrate?.(HAPTIC_TICK_MS);
}
