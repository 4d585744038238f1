import { useEffect } from "react";

export function usePageTitle(title: string): void {
  useEffect(() => {
    // In its own task: it changes with each move and costs as much as drawing one.
    const timer = setTimeout(() => {
      document.title = `${title} · Holo Arena`;
    });
    return () => clearTimeout(timer);
  }, [title]);
}
