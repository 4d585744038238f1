import type { ChatMessageView } from "@holo/protocol/views.ts";
import type { Seat } from "@holo/rules/rules.ts";
import { useEffect, useRef, useState } from "react";
import { currentSession } from "../../lib/session.ts";
import { serverClock } from "../../lib/socket.ts";
import { playSound } from "../../lib/sound.ts";

/** A note when the other player writes; what was written before the page came makes none. */
export function useChatSound(messages: readonly ChatMessageView[], seat: Seat, isHeard: boolean): void {
  const [cameAt] = useState(serverClock.now);
  const sounded = useRef(0);
  const newest = messages.at(-1);

  useEffect(() => {
    if (newest === undefined || newest.number <= sounded.current) return;
    const fresh = messages.slice(sounded.current).some((message) => message.seat !== seat && message.at >= cameAt);
    sounded.current = newest.number;
    if (fresh && isHeard && currentSession()?.player?.notificationsEnabled !== false) playSound("chat");
  }, [newest, messages, seat, isHeard, cameAt]);
}
