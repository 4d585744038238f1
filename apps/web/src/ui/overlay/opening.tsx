import { type ReactNode, Suspense } from "react";
import { createPortal } from "react-dom";
import { topModal } from "./modals.ts";
import "./opening.css";

/** A lazily loaded dialog. Until its script is there, the page shows that the press arrived. */
export function Opening({ children }: { readonly children: ReactNode }) {
  return <Suspense fallback={<OpeningNote />}>{children}</Suspense>;
}

function OpeningNote() {
  // Containers of the pressed button would clip it.
  return createPortal(
    <p className="opening" role="status">
      <span className="spinner" aria-hidden="true" />
      Opening...
    </p>,
    topModal() ?? document.body,
  );
}
