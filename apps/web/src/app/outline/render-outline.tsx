import { renderToStaticMarkup } from "react-dom/server";
import { Router } from "wouter";
import { Layout } from "../layout/layout.tsx";
import { findRoute } from "../routing/routes.tsx";
import { OUTLINES } from "./outlines.tsx";

interface RenderedOutline {
  /** Null for a page whose title is not known yet. */
  readonly title: string | null;
  readonly html: string;
}

/**
 * The layout and the outline of `route` (as ROUTES writes it; null: the layout alone), rendered by
 * the build. Its buttons are disabled; its links work.
 */
export function renderOutline(route: string | null): RenderedOutline {
  const outline = route === null ? undefined : OUTLINES[route];
  const path = route ?? "/nowhere";
  Object.assign(globalThis, { location: new URL(path, "http://localhost") });
  const html = renderToStaticMarkup(
    <Router ssrPath={path}>
      <Layout bare={findRoute(path)?.bare === true}>
        {outline !== undefined && (
          <div className={outline.playersOnly === true ? "outline for-players" : "outline"} aria-hidden="true">
            {outline.content}
          </div>
        )}
      </Layout>
    </Router>,
  );
  return { title: outline?.title ?? null, html: html.replaceAll("<button", "<button disabled") };
}
