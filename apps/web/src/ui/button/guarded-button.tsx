import { type MouseEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Button, type ButtonProps, type PressGuard } from "./button.tsx";
import {
  followPlace,
  hasSettled,
  hasSettledUnder,
  type PlaceTrack,
  type Point,
  SETTLED_AFTER_MS,
} from "./press-guard.ts";

/** Between two looks at a button's place. A press looks again. */
const LOOK_EVERY_MS = 100;

/** Where the mouse is in the window; null for other pointers, which rest nowhere. */
let mouse: Point | null = null;

globalThis.document?.addEventListener(
  "pointermove",
  ({ pointerType, clientX, clientY }) => {
    mouse = pointerType === "mouse" ? { x: clientX, y: clientY } : null;
  },
  { capture: true, passive: true },
);
// A player who types rests on no button: one that a form's answer has moved may be pressed.
for (const typed of ["keydown", "input"]) {
  globalThis.document?.addEventListener(
    typed,
    () => {
      mouse = null;
    },
    { capture: true, passive: true },
  );
}

interface GuardedButtonProps extends Omit<ButtonProps, "guard"> {
  /** What a press would mean, such as the board's version; a change starts the wait again. */
  readonly meaning?: number;
}

/**
 * A button that costs something. It ignores presses that may be meant for what was at its place
 * before.
 */
export function GuardedButton({ meaning = 0, ...rest }: GuardedButtonProps) {
  return <Button {...rest} guard={usePressGuard(meaning)} />;
}

function usePressGuard(meaning: number): PressGuard {
  const button = useRef<HTMLButtonElement>(null);
  const track = useRef<PlaceTrack | null>(null);
  const since = useRef(0);
  const begun = useRef<boolean | null>(null);
  const [isArming, setArming] = useState(true);

  function check(): void {
    const { current } = button;
    if (current === null) return;
    track.current = followPlace(track.current, toPlace(current), performance.now(), mouse && toPagePoint(mouse));
    setArming(!hasSettled(track.current, performance.now()));
  }

  function isSettledUnder({ clientX: x, clientY: y }: MouseEvent): boolean {
    check();
    return track.current !== null && hasSettledUnder(track.current, toPagePoint({ x, y }), performance.now());
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: another meaning starts again
  useEffect(() => {
    track.current = null;
    since.current = performance.now();
    check();
    const timer = setInterval(check, LOOK_EVERY_MS);
    addEventListener("resize", check);
    return () => {
      clearInterval(timer);
      removeEventListener("resize", check);
    };
  }, [meaning]);

  // What moves the button usually renders it too.
  useLayoutEffect(() => {
    if (track.current !== null) check();
  });

  return {
    ref: (element) => {
      button.current = element;
    },
    isArming,
    begin(event) {
      begun.current = isSettledUnder(event);
    },
    accepts(event) {
      const hasBegunWell = begun.current;
      begun.current = null;
      // A key, or a screen reader's press, which has no place.
      if (hasBegunWell === null) return performance.now() - since.current >= SETTLED_AFTER_MS;
      return hasBegunWell && isSettledUnder(event);
    },
  };
}

/** In the page: a player who scrolls means what they see. */
function toPlace(element: Element): DOMRect {
  const { left, top, width, height } = element.getBoundingClientRect();
  return new DOMRect(left + scrollX, top + scrollY, width, height);
}

function toPagePoint({ x, y }: Point): Point {
  return { x: x + scrollX, y: y + scrollY };
}
