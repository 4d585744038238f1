import "../ui/base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { startLive } from "./live.ts";

const RELOADED_KEY = "holo.reloaded-for";

// A chunk that is gone means that a newer build is served: load it, but never twice for the same page.
window.addEventListener("vite:preloadError", (event) => {
  if (sessionStorage.getItem(RELOADED_KEY) === window.location.pathname) return;
  sessionStorage.setItem(RELOADED_KEY, window.location.pathname);
  event.preventDefault();
  window.location.reload();
});

startLive();

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
