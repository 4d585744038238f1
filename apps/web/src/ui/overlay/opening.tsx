import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { usePathname } from "wouter/use-browser-location";
import { SlowConnection, useLate } from "../feedback/skeleton.tsx";
import { topModal } from "./modals.ts";
import "./opening.css";

interface OpeningProps {
  /**
   * Closes the dialog. Called if the player presses anything or leaves the page before the dialog
   * has loaded: it would cover what they are doing by then.
   */
  readonly onDropped: () => void;
  readonly children: ReactNode;
}

/** A lazily loaded dialog. Until its script is there, the page shows that the press arrived. */
export function Opening({ onDropped, children }: OpeningProps) {
  return <Suspense fallback={<OpeningNote onDropped={onDropped} />}>{children}</Suspense>;
}

function OpeningNote({ onDropped }: Pick<OpeningProps, "onDropped">) {
  const path = usePathname();
  const [pressedAt] = useState(path);
  const isLeft = path !== pressedAt;
  const late = useLate();
  const note = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (isLeft) onDropped();
    const drop = (event: Event) => {
      // On the way to the button, or on it.
      const isTab = event instanceof KeyboardEvent && event.key === "Tab";
      if (!isTab && !note.current?.contains(event.target as Node)) onDropped();
    };
    // Not `click`, which a piece that is dragged by a finger does not cause.
    addEventListener("pointerup", drop);
    addEventListener("keydown", drop);
    return () => {
      removeEventListener("pointerup", drop);
      removeEventListener("keydown", drop);
    };
  }, [isLeft, onDropped]);
  // Containers of the pressed button would clip it.
  return createPortal(
    <p className="opening" role="status" ref={note}>
      <span className="spinner" aria-hidden="true" />
      <span>
        Opening...
        {late && <SlowConnection />}
      </span>
    </p>,
    topModal() ?? document.body,
  );
}
