import type { GameId } from "@holo/kernel/ids.ts";
import { toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { useSession } from "../../../lib/session/session.ts";
import { notify } from "../../../ui/overlay/notify.ts";

/** The game created here: `waitingId` while the player waits for an opponent on this page. */
export function useCreatedGame(busy: boolean, startGame: (gameId: GameId) => void) {
  const { openGame } = useSession();
  const [, navigate] = useLocation();
  const [waitingId, setWaitingId] = useState<GameId | null>(null);
  const createdId = useRef<GameId | null>(null);

  // A game opened in another tab leads to the matches. The push of the own game may precede the
  // answer.
  useEffect(() => {
    if (busy || openGame?.status !== "waiting" || openGame.gameId === createdId.current) return;
    notifyPendingGame();
    navigate("/matches", { replace: true });
  }, [busy, openGame, navigate]);

  const isFound = waitingId !== null && openGame?.gameId === waitingId && openGame.status === "active";
  const lastOpen = useRef(openGame);
  useEffect(() => {
    // Staff or another tab cancelled it.
    if (openGame === null && lastOpen.current !== null && lastOpen.current.gameId === waitingId) setWaitingId(null);
    lastOpen.current = openGame;
  }, [openGame, waitingId]);
  useEffect(() => {
    if (isFound) startGame(waitingId);
  }, [isFound, startGame, waitingId]);

  return { createdId, waitingId, setWaitingId, isFound };
}

function notifyPendingGame() {
  const { title, text } = toRefusalView("pending_game_exists");
  notify({ kind: "failed", title, text });
}
