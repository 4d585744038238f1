import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { navigate as navigateOutside } from "wouter/use-browser-location";
import { findActiveGame, type Session, useMaybeSession } from "../../lib/session/session.ts";

/** The delay after the opponent appears (specification 4), so that the notice can be read. */
const START_DELAY_MS = 500;

function toActiveGameAddress(session: Session | null): string | null {
  const gameId = findActiveGame(session);
  return gameId === null ? null : `/game/${gameId}`;
}

/**
 * The address of the active game that was opened last. Players can leave it without a redirect.
 * Players can press an outline link before the session is known, or before the script runs.
 */
let opened = findLeftGame() ?? window.location.pathname;

/** The game whose link the browser followed by itself: before the script ran, or in a new tab. */
function findLeftGame(): string | null {
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const { origin, pathname } = window.location;
  const isFromGame = document.referrer.startsWith(`${origin}/game/`) && !pathname.startsWith("/game/");
  return isFromGame && entry?.type === "navigate" ? new URL(document.referrer).pathname : null;
}

/**
 * Opens the active game before the first page renders: a later replacement would shift the layout.
 * Returns the opened address; null if the player stays.
 */
export function openActiveGame(session: Session | null): string | null {
  const address = toActiveGameAddress(session);
  if (address === null || address === opened) return null;
  opened = address;
  navigateOutside(address, { replace: true });
  return address;
}

/**
 * Opens the active game on load, on login and when the game becomes active. Afterwards the player
 * may navigate freely (ruling 21).
 */
export function ActiveGameRedirect({ staysDuringGame }: { readonly staysDuringGame: boolean }) {
  const session = useMaybeSession();
  const [location, navigate] = useLocation();
  /** The active game at the last look; undefined before the first. */
  const seen = useRef<string | null>(undefined);
  const address = toActiveGameAddress(session);
  const known = session !== null;

  useEffect(() => {
    if (!known) return;
    const first = seen.current === undefined;
    const hasBegun = seen.current === null;
    seen.current = address;
    // The loaded page may be a waiting game. Its start must still redirect the player.
    if (first && address === null) opened = "";
    if (address === null || address === opened) return;
    if (location === address) {
      opened = address;
      return;
    }
    // A table of others has no bar that would call its watcher.
    if (staysDuringGame && !(hasBegun && location.startsWith("/game/"))) return;
    const timer = setTimeout(
      () => {
        opened = address;
        navigate(address, { replace: first });
      },
      first ? 0 : START_DELAY_MS,
    );
    return () => clearTimeout(timer);
  }, [address, known, location, navigate, staysDuringGame]);

  return null;
}
