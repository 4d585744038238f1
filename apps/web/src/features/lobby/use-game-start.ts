import type { GameId } from "@holo/kernel/ids.ts";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";

/** Specification 4 requires about half a second. */
const START_DELAY_MS = 500;

/** Opens a game after a short delay, so that the notification can be read. */
export function useGameStart(): (gameId: GameId) => void {
  const [, navigate] = useLocation();
  const [gameId, setGameId] = useState<string | null>(null);

  useEffect(() => {
    if (gameId === null) return;
    const timer = setTimeout(() => navigate(`/game/${gameId}`), START_DELAY_MS);
    return () => clearTimeout(timer);
  }, [gameId, navigate]);

  return setGameId;
}
