import type { Square } from "@holo/rules/rules.ts";
import { type PointerEvent, type RefObject, useRef } from "react";
import { toScreenIndex, toTransform } from "./geometry.ts";

/** A shorter movement is a press. */
const MOUSE_SLACK_PX = 5;
const TOUCH_SLACK_PX = 9;
/** How far above the finger a piece is drawn. Its target is the square below the finger. */
const TOUCH_LIFT_PX = 40;

interface DragOptions {
  readonly grid: RefObject<HTMLElement | null>;
  readonly isFlipped: boolean;
  readonly mayLift: (square: Square) => boolean;
  /** True: the press is handled, and the click that follows is ignored. */
  readonly onPress: (square: Square, isTouch: boolean) => boolean;
  readonly onLift: (square: Square) => void;
  readonly onOver: (square: Square | null) => void;
  readonly onDrop: (square: Square) => void;
}

interface Drag {
  readonly pointerId: number;
  readonly square: Square;
  readonly startX: number;
  readonly startY: number;
  readonly liftPx: number;
  readonly bounds: DOMRect;
  piece: HTMLElement | null;
}

/** Drags pieces with pointer events. A drag changes only the transform; nothing renders. */
export function useDrag(options: DragOptions) {
  const drag = useRef<Drag | null>(null);
  /** The next click belongs to a press or a drop that was handled, and is ignored. */
  const isHandled = useRef(false);

  function start(event: PointerEvent): void {
    isHandled.current = false;
    const cell = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-index]") : null;
    const { current: grid } = options.grid;
    if (drag.current !== null || cell === null || grid === null || event.button !== 0) return;
    const square = Number(cell.dataset.index);
    if (!options.mayLift(square)) return;
    drag.current = {
      pointerId: event.pointerId,
      square,
      startX: event.clientX,
      startY: event.clientY,
      liftPx: event.pointerType === "mouse" ? 0 : TOUCH_LIFT_PX,
      bounds: grid.getBoundingClientRect(),
      piece: null,
    };
    isHandled.current = options.onPress(square, event.pointerType === "touch");
  }

  function move(event: PointerEvent): void {
    const { current: held } = drag;
    if (held === null || event.pointerId !== held.pointerId) return;
    if (held.piece === null && !lift(held, event)) return;
    const size = held.bounds.width / 8;
    const x = event.clientX - held.bounds.left - size / 2;
    const y = event.clientY - held.bounds.top - held.liftPx - size / 2;
    if (held.piece !== null) held.piece.style.transform = `translate(${x}px, ${y}px) scale(1.08)`;
    options.onOver(squareUnder(held, event));
  }

  function lift(held: Drag, event: PointerEvent): boolean {
    const slackPx = event.pointerType === "mouse" ? MOUSE_SLACK_PX : TOUCH_SLACK_PX;
    if (Math.hypot(event.clientX - held.startX, event.clientY - held.startY) < slackPx) return false;
    const { current: grid } = options.grid;
    const piece = grid?.parentElement?.querySelector<HTMLElement>(`[data-at="${held.square}"]`) ?? null;
    if (grid === null || piece === null) return false;
    grid.setPointerCapture(event.pointerId);
    held.piece = piece;
    piece.classList.add("held");
    options.onLift(held.square);
    return true;
  }

  function end(event: PointerEvent): void {
    const { current: held } = drag;
    if (held === null || event.pointerId !== held.pointerId) return;
    drag.current = null;
    if (event.type === "pointercancel") isHandled.current = false;
    if (held.piece === null) return;
    held.piece.classList.remove("held");
    // The piece may have moved since it was lifted.
    held.piece.style.transform = toTransform(Number(held.piece.dataset.at), options.isFlipped);
    isHandled.current = event.type === "pointerup";
    const square = event.type === "pointerup" ? squareUnder(held, event) : null;
    options.onOver(null);
    if (square !== null) options.onDrop(square);
  }

  function squareUnder(held: Drag, event: PointerEvent): Square | null {
    const column = Math.floor(((event.clientX - held.bounds.left) / held.bounds.width) * 8);
    const row = Math.floor(((event.clientY - held.bounds.top) / held.bounds.height) * 8);
    const isOnBoard = column >= 0 && column < 8 && row >= 0 && row < 8;
    return isOnBoard ? toScreenIndex(row * 8 + column, options.isFlipped) : null;
  }

  return {
    handlers: { onPointerDown: start, onPointerMove: move, onPointerUp: end, onPointerCancel: end },
    consumeHandled(): boolean {
      const was = isHandled.current;
      isHandled.current = false;
      return was;
    },
  };
}
