import { useEffect, useState } from "react";
import { useLocation } from "wouter";

/** About half a second after the opponent appears (specification 4). */
const START_DELAY_MS = 500;

/** Goes to a game that has just become this player's, after a moment for the words about it. */
export function useGameStart(): (gameId: string) => void {
  const [, navigate] = useLocation();
  const [gameId, setGameId] = useState<string | null>(null);

  useEffect(() => {
    if (gameId === null) return;
    const timer = setTimeout(() => navigate(`/game/${gameId}`), START_DELAY_MS);
    return () => clearTimeout(timer);
  }, [gameId, navigate]);

  return setGameId;
}
