import { useEffect } from "react";

/** Names the page in the browser's tab: "Matches · Holo Arena". */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Holo Arena`;
  }, [title]);
}
