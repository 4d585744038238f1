import { startTransition, useEffect, useState } from "react";
import { whenIdle } from "./chunks/idle.ts";

/**
 * False until the page has been painted and the browser has nothing better to do. What comes with it comes as a transition: where it has
 * to be fetched first, what is shown stays until it is there.
 */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => startTransition(() => setIdle(true)), 0), []);
  return isIdle;
}
