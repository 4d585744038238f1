import { StrictMode, startTransition } from "react";
import { navigate } from "wouter/use-browser-location";
import { onCodeRequired } from "../lib/api/api.ts";
import { loadChunk } from "../lib/chunks/load-chunk.ts";
import { tolerateMovedNodes } from "../lib/jsx/moved-nodes.ts";
import { detectNativeHost } from "../lib/native/native-host.ts";
import { currentSession, onSessionChanged } from "../lib/session/session.ts";
import { followDeviceTheme } from "../ui/theme/theme.ts";
import { App } from "./app.tsx";
import { followOutline } from "./outline/follow-outline.ts";
import { followNotices, registerWorker } from "./register-worker.ts";
import { openActiveGame } from "./routing/active-game-redirect.tsx";
import { prefetchOnHover } from "./routing/prefetch.ts";
import { findRoute, followOldAddresses } from "./routing/routes.tsx";
import { followSession } from "./session/follow-session.ts";
import { untilUnreachable } from "./session/reachable.ts";
import "../ui/theme/tokens.css";
import "../ui/theme/base.css";
import "./outline/outline.css";

/**
 * The outline of the HTML is shown until the session and the page's chunk have arrived, and at most
 * this long. Then the layout shows what is missing.
 */
const OUTLINE_MS_MAX = 6_000;
const PAINT_MS_MAX = 100;
/** The wait for fonts. On a slow network the first page uses fallback fonts. */
const FONTS_MS_MAX = 100;
/** `theme-early.js` reads it: the outline uses fonts only if the browser has them. */
const FONTS_KEY = "holo.fonts";
const FONTS = ['700 1em "Familjen Grotesk"', '400 1em "Hanken Grotesk"'];

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root");
void start(root);

/** In several tasks, so that the outline is painted early and answers to a press meanwhile. */
async function start(place: HTMLElement): Promise<void> {
  followOutline(place);
  detectNativeHost();
  followOldAddresses((address) => navigate(address, { replace: true }));
  const known = new Promise<void>((resolve) => {
    const stop = onSessionChanged(() => {
      stop();
      resolve();
    });
  });
  followSession();
  // The worker may have sent a pressed notice already.
  followNotices((path) => navigate(path));
  await afterPaint();
  followDeviceTheme();
  onCodeRequired(async () => {
    const { promptForCode } = await loadChunk(() => import("./prompts/code-prompt.tsx"), { isOptional: true });
    return await promptForCode();
  });
  prefetchOnHover();
  // The dev server has no service worker.
  if (import.meta.env.PROD) registerWorker();
  // The layout shows what could not be loaded.
  const firstPage = Promise.allSettled([
    known.then(openFirstPage),
    findRoute(window.location.pathname)?.page.prefetch(),
  ]);
  // Fonts that cannot be loaded are not used.
  const faces = Promise.all(FONTS.map((face) => document.fonts.load(face))).then(rememberFonts, () => undefined);
  await afterPaint();
  // A static import would evaluate it in the first task.
  const { createRoot } = await import("react-dom/client");
  await settle([Promise.race([firstPage, untilUnreachable()])], OUTLINE_MS_MAX);
  await settle([faces], FONTS_MS_MAX);
  tolerateMovedNodes();
  const reactRoot = createRoot(place);
  // In slices, so that a press on the outline is answered meanwhile.
  startTransition(() =>
    reactRoot.render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  );
}

/** Resolves in a task after the next frame, or soon if the page is hidden and has none. */
function afterPaint(): Promise<unknown> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, PAINT_MS_MAX);
  });
}

/** Loads the page of the active game instead of the addressed one. */
function openFirstPage(): Promise<unknown> | undefined {
  if (findRoute(window.location.pathname)?.staysDuringGame === true) return undefined;
  const address = openActiveGame(currentSession());
  return address === null ? undefined : findRoute(address)?.page.prefetch();
}

function rememberFonts(): void {
  try {
    localStorage.setItem(FONTS_KEY, "1");
  } catch {
    // Storage is blocked: every outline uses fallback fonts.
  }
}

function settle(awaited: readonly unknown[], msMax: number): Promise<unknown> {
  return Promise.race([Promise.allSettled(awaited), new Promise((resolve) => setTimeout(resolve, msMax))]);
}
