import type { ChatMessageView, PlayerView } from "@holo/protocol/views.ts";
import type { Seat } from "@holo/rules/rules.ts";
import { useEffect, useRef, useState } from "react";
import { showBrowserNotice } from "../../lib/browser-notice.ts";
import { serverClock } from "../../lib/socket.ts";
import { playSound } from "../../lib/sound.ts";

interface ChatNews {
  readonly gameId: string;
  readonly messages: readonly ChatMessageView[];
  readonly seat: Seat;
  readonly opponent: PlayerView;
  /** Not where they are muted, or it is not known yet whether they are. */
  readonly isHeard: boolean;
}

/** A note, and a notice of the browser for who looks elsewhere, when the other player writes. What was written before the page came makes none. */
export function useChatNews({ gameId, messages, seat, opponent, isHeard }: ChatNews): void {
  const [cameAt] = useState(serverClock.now);
  const told = useRef(0);

  useEffect(() => {
    const fresh = messages.slice(told.current).findLast((message) => message.seat !== seat && message.at >= cameAt);
    told.current = messages.length;
    if (fresh === undefined || !isHeard) return;
    playSound("chat");
    showBrowserNotice({ title: opponent.username, body: fresh.text, tag: `chat-${gameId}` });
  }, [messages, seat, isHeard, cameAt, opponent.username, gameId]);
}
