import { useSyncExternalStore } from "react";

type Theme = "night" | "day";

/** `app/theme-early.js` reads the same key before the first paint. */
const THEME_KEY = "holo.theme";
const GROUNDS: Readonly<Record<Theme, string>> = { night: "#071f18", day: "#f4f1e8" };
const listeners = new Set<() => void>();

export function useTheme(): Theme {
  return useSyncExternalStore(onThemeChanged, currentTheme, () => "night");
}

/** Applies the theme and stores it on this device. */
export function saveTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", GROUNDS[theme]);
  localStorage.setItem(THEME_KEY, theme);
  for (const listener of listeners) listener();
}

function currentTheme(): Theme {
  return document.documentElement.dataset.theme === "day" ? "day" : "night";
}

function onThemeChanged(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
