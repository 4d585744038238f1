import type { Square } from "@holo/rules/rules.ts";
import { useEffect, useRef, useState } from "react";
import { Arrow } from "../../../shared/board/arrow.tsx";
import { toScreenIndex } from "../../../shared/board/geometry.ts";

interface Shape {
  readonly from: Square;
  readonly to: Square;
}

const NO_SHAPES: readonly Shape[] = [];
const RIGHT_BUTTON = 2;
/** `buttons` with the right button alone. */
const RIGHT_BUTTON_ONLY = 2;

/**
 * Arrows and rings that the viewer draws with the right mouse button. They stay on this page until
 * the next press with another button or the next position.
 */
export function Drawings({ isFlipped }: { readonly isFlipped: boolean }) {
  const layer = useRef<SVGSVGElement>(null);
  const [shapes, setShapes] = useState(NO_SHAPES);

  useEffect(() => {
    const board = layer.current?.closest<HTMLElement>(".board");
    if (board == null) return;
    let from: Square | null = null;

    function begin(event: PointerEvent): void {
      from = event.button === RIGHT_BUTTON ? findSquare(event.target) : null;
      if (event.button !== RIGHT_BUTTON) setShapes(NO_SHAPES);
    }

    function end(event: PointerEvent): void {
      if (event.button !== RIGHT_BUTTON || from === null) return;
      const to = findSquare(document.elementFromPoint(event.clientX, event.clientY));
      const shape = { from, to };
      from = null;
      if (to !== null) setShapes((now) => toggleShape(now, { ...shape, to }));
    }

    /** Another button, or a release outside the window: as a drag, the drawing is cancelled. */
    function move({ buttons }: PointerEvent): void {
      if (buttons !== RIGHT_BUTTON_ONLY) from = null;
    }

    board.addEventListener("pointerdown", begin);
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    return () => {
      board.removeEventListener("pointerdown", begin);
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
    };
  }, []);

  return (
    <svg ref={layer} className="drawings" viewBox="0 0 8 8" aria-hidden="true" focusable="false">
      {shapes.map(({ from, to }) => (
        <Arrow key={`${from}-${to}`} path={[from, to].map((square) => toScreenIndex(square, isFlipped))} />
      ))}
    </svg>
  );
}

function toggleShape(shapes: readonly Shape[], { from, to }: Shape): readonly Shape[] {
  const others = shapes.filter((shape) => shape.from !== from || shape.to !== to);
  return others.length < shapes.length ? others : [...shapes, { from, to }];
}

function findSquare(target: EventTarget | null): Square | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>("[data-index]") : null;
  return cell === null ? null : Number(cell.dataset.index);
}
