import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { showBrowserNotification } from "../../../lib/preferences/browser-notification.ts";
import { playSound } from "../../../lib/sound/sound.ts";
import { notify } from "../../../ui/overlay/notify.ts";
import type { TableViewModel } from "../view-model.ts";
import { toOfferNotifications } from "./offer-notifications.ts";
import { toReceived } from "./offers-view.ts";

/** Both players go to the new game after this delay (specification 4). */
const OPEN_AFTER_MS = 100;

export function useOfferNotifications(viewModel: TableViewModel): string {
  const before = useRef<TableViewModel | null>(null);
  const [announcement, setAnnouncement] = useState("");
  const [nextGameId, setNextGameId] = useState<string | null>(null);
  const [, navigate] = useLocation();

  useEffect(() => {
    const { current: earlier } = before;
    before.current = viewModel;
    if (earlier === null) return;
    // The same offer made again is announced again.
    if (toReceived(viewModel).length === 0) setAnnouncement("");
    for (const notification of toOfferNotifications(earlier, viewModel)) {
      if (notification.type === "received") {
        playSound("offer");
        setAnnouncement(`${notification.title}. ${notification.text}`);
        const { gameId } = viewModel.shown.table;
        showBrowserNotification({
          title: notification.title,
          body: notification.text,
          tag: `${notification.kind}-${gameId}`,
          path: `/game/${gameId}`,
        });
      } else {
        notify(notification.notice);
        if (notification.type === "rematch") setNextGameId(notification.gameId);
      }
    }
  }, [viewModel]);

  useEffect(() => {
    if (nextGameId === null) return;
    const timer = setTimeout(() => navigate(`/game/${nextGameId}`, { replace: true }), OPEN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [nextGameId, navigate]);

  return announcement;
}
