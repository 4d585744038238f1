import type { OpenGameView } from "@holo/protocol/game/games.ts";
import type { PaymentView } from "@holo/protocol/payments/payments.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import { onLoginRequired } from "../../lib/api/api.ts";
import { retryUntilDone } from "../../lib/api/retry.ts";
import { loadChunk } from "../../lib/chunks/load-chunk.ts";
import { closeBrowserNotifications, showBrowserNotification } from "../../lib/preferences/browser-notification.ts";
import { currentSession, loadSession, onSessionChanged, receiveSessionFrame } from "../../lib/session/session.ts";
import { notify } from "../../ui/overlay/notify.ts";
import { toPaymentNotice } from "./payment-notice.ts";
import { setReachable } from "./reachable.ts";

const WALLET = "/wallet";
/** The server is then reported as unreachable. A late answer still counts. */
const UNREACHABLE_AFTER_MS = 6_000;

let playerId: string | null | undefined;
let isListening = false;
let isEnding = false;

/**
 * Loads the session and keeps the player's data up to date over the socket. Visitors get a socket
 * only from pages that need one.
 */
export function followSession(): void {
  onSessionChanged(followPlayer);
  onLoginRequired(() => void followEndedSession());
  addEventListener("offline", () => setReachable(false));
  addEventListener("online", () => setReachable(true));
  retryUntilDone(async () => {
    const unreachableTimer = setTimeout(() => setReachable(false), UNREACHABLE_AFTER_MS);
    const reached = await loadSession();
    clearTimeout(unreachableTimer);
    setReachable(reached);
    return reached;
  });
}

/** The login has expired, or the browser has forgotten it: the page must offer another. */
async function followEndedSession(): Promise<void> {
  if (isEnding || currentSession()?.player == null) return;
  isEnding = true;
  await loadSession();
  isEnding = false;
  if (currentSession()?.player !== null) return;
  notify({ kind: "failed", title: "You are logged out", text: "Please log in and try again." });
}

function followPlayer(): void {
  const id = currentSession()?.player?.id ?? null;
  if (id === playerId) return;
  const isFirst = playerId === undefined;
  playerId = id;
  // They may quote the chat, and the next person at this device could read them.
  if (!isFirst) closeBrowserNotifications();
  if (isFirst && id === null) return;
  void connectSocket(!isFirst);
}

/** `isRenewed`: an open connection belongs to the previous player. */
async function connectSocket(isRenewed: boolean): Promise<void> {
  const { onFrame, reconnectSocket } = await loadChunk(() => import("../../lib/socket/socket.ts"));
  if (isRenewed) reconnectSocket();
  if (isListening) return;
  isListening = true;
  onFrame(receiveFrame);
}

function receiveFrame(frame: ServerFrame): void {
  const before = currentSession()?.openGame ?? null;
  receiveSessionFrame(frame);
  if (frame.type === "open_game") notifyGameStart(before, currentSession()?.openGame ?? null);
  if (frame.type === "payment") notifyPayment(frame.payment);
  if (frame.type === "notice") notify({ kind: "notice", title: frame.title, text: frame.text });
}

function notifyPayment(payment: PaymentView): void {
  const notice = location.pathname === WALLET ? null : toPaymentNotice(payment);
  if (notice !== null) notify(notice);
}

/** On any page: the first move must be made within a minute. */
function notifyGameStart(before: OpenGameView | null, now: OpenGameView | null): void {
  if (now?.status !== "active" || before?.status === "active") return;
  showBrowserNotification({
    title: "Opponent joined",
    body: "Your game begins. Make your first move within a minute.",
    tag: `game-${now.gameId}`,
    path: `/game/${now.gameId}`,
  });
}
