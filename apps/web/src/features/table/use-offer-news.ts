import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { showBrowserNotice } from "../../lib/browser-notice.ts";
import { playSound } from "../../lib/sound.ts";
import { notify } from "../../ui/notify.ts";
import { toOfferNews } from "./offer-news.ts";
import { toReceived } from "./offers-view.ts";
import type { Scene } from "./scene.ts";

/** Both go to the new game so soon after a rematch was accepted (specification 4). */
const OPEN_AFTER_MS = 100;

/** Tells of offers as they come and go, and leads both players on to a rematch. Returns what is to be read out. */
export function useOfferNews(scene: Scene): string {
  const before = useRef<Scene | null>(null);
  const [spoken, setSpoken] = useState("");
  const [nextGameId, setNextGameId] = useState<string | null>(null);
  const [, navigate] = useLocation();

  useEffect(() => {
    const { current: earlier } = before;
    before.current = scene;
    if (earlier === null) return;
    // the same question put again later is news again
    if (toReceived(scene).length === 0) setSpoken("");
    for (const news of toOfferNews(earlier, scene)) {
      if (news.type === "received") {
        playSound("offer");
        setSpoken(`${news.title}. ${news.text}`);
        const { gameId } = scene.shown.table;
        showBrowserNotice({ title: news.title, body: news.text, tag: `${news.kind}-${gameId}` });
      } else {
        notify(news.notice);
        if (news.type === "rematch") setNextGameId(news.gameId);
      }
    }
  }, [scene]);

  useEffect(() => {
    if (nextGameId === null) return;
    const timer = setTimeout(() => navigate(`/game/${nextGameId}`, { replace: true }), OPEN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [nextGameId, navigate]);

  return spoken;
}
