import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { navigate } from "wouter/use-browser-location";
import { onCodeRequired } from "../lib/api/api.ts";
import { detectNativeHost } from "../lib/native/native-host.ts";
import { onSessionChanged } from "../lib/session/session.ts";
import { App } from "./app.tsx";
import { followNotices, registerWorker } from "./register-worker.ts";
import { prefetchOnHover } from "./routing/prefetch.ts";
import { findRoute, followOldAddresses } from "./routing/routes.tsx";
import { followSession } from "./session/follow-session.ts";
import "../ui/theme/base.css";

/** The first render waits this long for the session and the page's chunk. */
const FIRST_PAGE_MS_MAX = 300;
/** And this long for fonts. On a slow network the first page uses fallback fonts. */
const FONTS_MS_MAX = 100;
const FONTS = ['700 1em "Familjen Grotesk"', '400 1em "Hanken Grotesk"'];

detectNativeHost();
followOldAddresses((address) => navigate(address, { replace: true }));
const known = new Promise<void>((resolve) => {
  const stop = onSessionChanged(() => {
    stop();
    resolve();
  });
});
followSession();
onCodeRequired(async () => (await import("./prompts/code-prompt.tsx")).promptForCode());
prefetchOnHover();
followNotices((path) => navigate(path));

// The dev server has no service worker.
if (import.meta.env.PROD) registerWorker();

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root");
void renderWhenReady(root);

async function renderWhenReady(place: HTMLElement): Promise<void> {
  // Settled, since a font may fail before it is awaited.
  const faces = Promise.allSettled(FONTS.map((face) => document.fonts.load(face)));
  // The frame shows what could not be loaded.
  await settle([known, findRoute(window.location.pathname)?.page.prefetch()], FIRST_PAGE_MS_MAX);
  await settle([faces], FONTS_MS_MAX);
  createRoot(place).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}

function settle(awaited: readonly unknown[], msMax: number): Promise<unknown> {
  return Promise.race([Promise.allSettled(awaited), new Promise((resolve) => setTimeout(resolve, msMax))]);
}
