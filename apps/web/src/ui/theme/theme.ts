import { useSyncExternalStore } from "react";

type Theme = "night" | "day";

/** `app/theme-early.js` reads the same key before the first paint. */
const THEME_KEY = "holo.theme";
const GROUNDS: Readonly<Record<Theme, string>> = { night: "#071f18", day: "#f4f1e8" };
const listeners = new Set<() => void>();

export function useTheme(): Theme {
  return useSyncExternalStore(onThemeChanged, currentTheme, () => "night");
}

/** Applies the theme and stores it on this device; the device's own theme then no longer counts. */
export function saveTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    localStorage.setItem(THEME_KEY, theme);
  } catch {
    // Storage is blocked: the choice lasts until the page is closed.
  }
}

/** Follows the device while the page is open. `app/theme-early.js` has applied its first theme. */
export function followDeviceTheme(): void {
  matchMedia("(prefers-color-scheme: light)").addEventListener("change", ({ matches }) => {
    if (!isThemeChosen()) applyTheme(matches ? "day" : "night");
  });
}

function isThemeChosen(): boolean {
  try {
    return localStorage.getItem(THEME_KEY) !== null;
  } catch {
    // Storage is blocked: nothing could be kept.
    return false;
  }
}

function applyTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", GROUNDS[theme]);
  for (const listener of listeners) listener();
}

function currentTheme(): Theme {
  return document.documentElement.dataset.theme === "day" ? "day" : "night";
}

function onThemeChanged(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
