import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { useMaybeSession } from "../../lib/session/session.ts";

/** The delay after the opponent appears (specification 4), so that the notice can be read. */
const START_DELAY_MS = 500;

/**
 * Opens the active game on load, on login and when the game becomes active. Afterwards the player
 * may navigate freely (ruling 21).
 */
export function ActiveGameRedirect({ undisturbed }: { readonly undisturbed: boolean }) {
  const session = useMaybeSession();
  const [location, navigate] = useLocation();
  const taken = useRef<string | null>(null);
  const loaded = useRef(false);
  const activeGame = session?.openGame?.status === "active" ? session.openGame.gameId : null;
  const known = session !== null;

  useEffect(() => {
    if (!known) return;
    const first = !loaded.current;
    loaded.current = true;
    if (activeGame === null || activeGame === taken.current) return;
    const address = `/game/${activeGame}`;
    if (location === address) {
      taken.current = activeGame;
      return;
    }
    if (undisturbed) return;
    const timer = setTimeout(
      () => {
        taken.current = activeGame;
        navigate(address, { replace: first });
      },
      first ? 0 : START_DELAY_MS,
    );
    return () => clearTimeout(timer);
  }, [activeGame, known, location, navigate, undisturbed]);

  return null;
}
