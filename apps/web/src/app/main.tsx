import "../ui/base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { navigate } from "wouter/use-browser-location";
import { meetNativeHost } from "../lib/native-host.ts";
import { isNewerBuildServed } from "../lib/part.ts";
import { App } from "./app.tsx";
import { startLive } from "./live.ts";
import { bringWorker } from "./offline-worker.ts";
import { followOldAddresses } from "./old-address.ts";

const RELOADED_KEY = "holo.reloaded-for";

// A chunk that could not be fetched is gone where a newer build is served: load that, but never twice for the same page. Where merely the
// network is away, to load the page again would lose it in the middle of a game.
window.addEventListener("vite:preloadError", () => void followBuild());

async function followBuild(): Promise<void> {
  if (sessionStorage.getItem(RELOADED_KEY) === window.location.pathname || !(await isNewerBuildServed())) return;
  sessionStorage.setItem(RELOADED_KEY, window.location.pathname);
  window.location.reload();
}

meetNativeHost();
followOldAddresses((address) => navigate(address, { replace: true }));
startLive();

// Vite serves pages while they are written, and has no worker.
if (import.meta.env.PROD) bringWorker();

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
