import { useEffect, useRef } from "react";

/**
 * Returns what opens a checkout. On a slow network the player may have left meanwhile, perhaps for
 * a game: then nothing takes them away, and the deposit waits in the wallet.
 */
export function useVisitCheckout(): (authorizationUrl: string) => void {
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return (authorizationUrl) => {
    if (isShown.current) location.assign(authorizationUrl);
  };
}
