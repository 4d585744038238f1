import { useEffect } from "react";

/** Names the page in the browser's tab: "Matches · Holo Arena". */
export function usePageTitle(title: string): void {
  useEffect(() => {
    // In a task of its own: it changes with each move, and to tell the browser takes as long as to draw one.
    const timer = setTimeout(() => {
      document.title = `${title} · Holo Arena`;
    });
    return () => clearTimeout(timer);
  }, [title]);
}
