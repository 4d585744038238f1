import type { Square } from "@holo/rules/rules.ts";
import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { toScreenIndex, toTransform } from "./geometry.ts";

/** A shorter movement is a press. */
const MOUSE_SLACK_PX = 5;
const TOUCH_SLACK_PX = 9;
/** How far above the finger a piece is drawn. Its target is the square below the finger. */
const TOUCH_LIFT_PX = 40;
/** `buttons` with the left button, a finger or the tip of a pen alone. */
const MAIN_BUTTON_ONLY = 1;

interface DragOptions {
  readonly grid: RefObject<HTMLElement | null>;
  readonly isFlipped: boolean;
  readonly mayLift: (square: Square) => boolean;
  /** True: the press is handled, and the click that follows is ignored. */
  readonly onPress: (square: Square, isTouch: boolean) => boolean;
  readonly onLift: (square: Square) => void;
  readonly onOver: (square: Square | null) => void;
  readonly onDrop: (square: Square) => void;
  readonly onCancel: () => void;
}

interface Drag {
  readonly pointerId: number;
  readonly square: Square;
  readonly startX: number;
  readonly startY: number;
  readonly liftPx: number;
  x: number;
  y: number;
  piece: HTMLElement | null;
}

/**
 * Drags pieces with pointer events. A drag changes only the transform; nothing renders. Another
 * button, pointer or Escape cancels it. The board is measured whenever its place matters.
 */
export function useDrag(options: DragOptions) {
  const drag = useRef<Drag | null>(null);
  /** The next click belongs to a press or a drop that was handled, and is ignored. */
  const isHandled = useRef(false);
  const latest = useRef(options);
  useLayoutEffect(() => {
    latest.current = options;
  });

  function start(event: ReactPointerEvent): void {
    const cell = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-index]") : null;
    // A second pointer only cancels. A pointer that presses again has ended its drag unseen.
    if (drag.current !== null && drag.current.pointerId !== event.pointerId) return;
    release();
    isHandled.current = false;
    if (cell === null || !event.isPrimary || event.button !== 0) return;
    const square = Number(cell.dataset.index);
    if (!options.mayLift(square)) return;
    drag.current = {
      pointerId: event.pointerId,
      square,
      startX: event.clientX,
      startY: event.clientY,
      liftPx: event.pointerType === "mouse" ? 0 : TOUCH_LIFT_PX,
      x: event.clientX,
      y: event.clientY,
      piece: null,
    };
    // The cell still gets the click, and all else that the pointer does anywhere.
    cell.setPointerCapture(event.pointerId);
    isHandled.current = options.onPress(square, event.pointerType === "touch");
  }

  function move(event: ReactPointerEvent): void {
    const { current: held } = drag;
    if (held === null || event.pointerId !== held.pointerId) return;
    if (event.buttons !== MAIN_BUTTON_ONLY) return cancel(true);
    held.x = event.clientX;
    held.y = event.clientY;
    const slackPx = event.pointerType === "mouse" ? MOUSE_SLACK_PX : TOUCH_SLACK_PX;
    if (held.piece === null && Math.hypot(held.x - held.startX, held.y - held.startY) >= slackPx) lift(held);
  }

  function lift(held: Drag): void {
    const piece = options.grid.current?.parentElement?.querySelector<HTMLElement>(`[data-at="${held.square}"]`);
    if (piece == null) return;
    held.piece = piece;
    piece.classList.add("held");
    options.onLift(held.square);
    follow(held);
  }

  /** In each frame, since the board also moves without the pointer: by scrolling or a new bar. */
  function follow(held: Drag): void {
    const bounds = latest.current.grid.current?.getBoundingClientRect();
    if (drag.current !== held || held.piece === null || bounds === undefined) return;
    const size = bounds.width / 8;
    const x = held.x - bounds.left - size / 2;
    const y = held.y - bounds.top - held.liftPx - size / 2;
    held.piece.style.transform = `translate(${x}px, ${y}px) scale(1.08)`;
    latest.current.onOver(squareUnder(held.x, held.y));
    requestAnimationFrame(() => follow(held));
  }

  function end(event: ReactPointerEvent): void {
    const { current: held } = drag;
    if (held === null || event.pointerId !== held.pointerId) return;
    release();
    if (held.piece === null) return;
    isHandled.current = true;
    const square = squareUnder(event.clientX, event.clientY);
    if (square !== null) options.onDrop(square);
  }

  function lose(event: ReactPointerEvent): void {
    if (event.pointerId === drag.current?.pointerId) cancel(false);
  }

  /** Puts the piece back and selects nothing. */
  function cancel(isClickExpected: boolean): void {
    if (drag.current === null) return;
    release();
    isHandled.current = isClickExpected;
    latest.current.onCancel();
  }

  function release(): void {
    const piece = drag.current?.piece ?? null;
    drag.current = null;
    if (piece === null) return;
    piece.classList.remove("held");
    // The piece may have moved since it was lifted.
    piece.style.transform = toTransform(Number(piece.dataset.at), latest.current.isFlipped);
    latest.current.onOver(null);
  }

  function squareUnder(x: number, y: number): Square | null {
    const { grid, isFlipped } = latest.current;
    const bounds = grid.current?.getBoundingClientRect();
    if (bounds === undefined) return null;
    const column = Math.floor(((x - bounds.left) / bounds.width) * 8);
    const row = Math.floor(((y - bounds.top) / bounds.height) * 8);
    const isOnBoard = column >= 0 && column < 8 && row >= 0 && row < 8;
    return isOnBoard ? toScreenIndex(row * 8 + column, isFlipped) : null;
  }

  useEffect(() => {
    const leave = () => cancel(false);
    function press({ pointerId }: PointerEvent): void {
      if (drag.current !== null && drag.current.pointerId !== pointerId) cancel(true);
    }
    function key(event: KeyboardEvent): void {
      if (event.key === "Escape") cancel(true);
    }
    addEventListener("blur", leave);
    addEventListener("pointerdown", press);
    addEventListener("keydown", key);
    return () => {
      removeEventListener("blur", leave);
      removeEventListener("pointerdown", press);
      removeEventListener("keydown", key);
    };
  });

  return {
    handlers: {
      onPointerDown: start,
      onPointerMove: move,
      onPointerUp: end,
      onPointerCancel: lose,
      onLostPointerCapture: lose,
    },
    consumeHandled(): boolean {
      const was = isHandled.current;
      isHandled.current = false;
      return was;
    },
  };
}
