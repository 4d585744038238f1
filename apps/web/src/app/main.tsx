import "../ui/base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { navigate } from "wouter/use-browser-location";
import { meetNativeHost } from "../lib/native-host.ts";
import { onSessionChanged } from "../lib/session.ts";
import { App } from "./app.tsx";
import { fetchAheadOfClicks } from "./fetch-ahead.ts";
import { startLive } from "./live.ts";
import { bringWorker } from "./offline-worker.ts";
import { followOldAddresses } from "./old-address.ts";
import { findRoute } from "./routes.tsx";

/** So long the frame waits for who is there and for the page in it, to be drawn with them at once. */
const TOGETHER_MS = 300;
/** And so long for the faces of its text, which are asked for once all scripts have come: who has a slow line sees the first page in another. */
const FACES_MS = 100;
const FACES = ['700 1em "Familjen Grotesk"', '400 1em "Hanken Grotesk"'];

meetNativeHost();
followOldAddresses((address) => navigate(address, { replace: true }));
const known = new Promise<void>((resolve) => {
  const stop = onSessionChanged(() => {
    stop();
    resolve();
  });
});
startLive();
fetchAheadOfClicks();

// Vite serves pages while they are written, and has no worker.
if (import.meta.env.PROD) bringWorker();

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root");
void drawTogether(root);

async function drawTogether(place: HTMLElement): Promise<void> {
  // at once, for one that cannot be fetched may say so before it is waited for
  const faces = Promise.allSettled(FACES.map((face) => document.fonts.load(face)));
  // what cannot be fetched is told of in the frame
  await settle([known, findRoute(window.location.pathname)?.page.fetchAhead()], TOGETHER_MS);
  await settle([faces], FACES_MS);
  createRoot(place).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}

function settle(awaited: readonly unknown[], msMax: number): Promise<unknown> {
  return Promise.race([Promise.allSettled(awaited), new Promise((resolve) => setTimeout(resolve, msMax))]);
}
