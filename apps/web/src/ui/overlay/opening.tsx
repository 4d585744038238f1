import { type ReactNode, Suspense, useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { usePathname } from "wouter/use-browser-location";
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
  useEffect(() => {
    if (isLeft) onDropped();
    // Not `click`, which a piece that is dragged by a finger does not cause.
    addEventListener("pointerup", onDropped);
    addEventListener("keydown", onDropped);
    return () => {
      removeEventListener("pointerup", onDropped);
      removeEventListener("keydown", onDropped);
    };
  }, [isLeft, onDropped]);
  // Containers of the pressed button would clip it.
  return createPortal(
    <p className="opening" role="status">
      <span className="spinner" aria-hidden="true" />
      Opening...
    </p>,
    topModal() ?? document.body,
  );
}
