import type { ServerFrame } from "@holo/protocol/frames.ts";
import type { OpenGameView } from "@holo/protocol/views.ts";
import type { PaymentView } from "@holo/protocol/wallet-views.ts";
import { showBrowserNotice } from "../lib/browser-notice.ts";
import { loadPart } from "../lib/part.ts";
import { currentSession, loadSession, onSessionChanged, takeSessionFrame } from "../lib/session.ts";
import { notify } from "../ui/notify.ts";
import { toPaymentNotice } from "./payment-news.ts";
import { setReachable } from "./reachable.ts";

const WALLET = "/wallet";
/** A network that takes longer to say who is there is one to tell the player of; its answer is still taken. */
const ANSWER_MS_MAX = 6_000;
const RETRY_MIN_MS = 500;
const RETRY_MAX_MS = 15_000;

/** Undefined until the session is known, null for a visitor. */
let playerId: string | null | undefined;
let isListening = false;

/**
 * Learns who is at the page, and keeps what belongs to the player up to date by the socket. Visitors get a socket only from pages that
 * need one.
 */
export function startLive(): void {
  onSessionChanged(followPlayer);
  addEventListener("offline", () => setReachable(false));
  addEventListener("online", () => setReachable(true));
  void learnSession(RETRY_MIN_MS);
}

async function learnSession(retryMs: number): Promise<void> {
  const patience = setTimeout(() => setReachable(false), ANSWER_MS_MAX);
  const reached = await loadSession();
  clearTimeout(patience);
  setReachable(reached);
  if (reached) return;
  await sleepUntilOnline(retryMs);
  void learnSession(Math.min(retryMs * 2, RETRY_MAX_MS));
}

/** At most so long. */
function sleepUntilOnline(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      removeEventListener("online", wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    addEventListener("online", wake);
  });
}

function followPlayer(): void {
  const id = currentSession()?.player?.id ?? null;
  if (id === playerId) return;
  const isFirst = playerId === undefined;
  playerId = id;
  if (isFirst && id === null) return;
  void meetServer(!isFirst);
}

/** @param isRenewed the connection there may be belongs to who was here before */
async function meetServer(isRenewed: boolean): Promise<void> {
  const { onFrame, renewSocket } = await loadPart(() => import("../lib/socket.ts"));
  if (isRenewed) renewSocket();
  if (isListening) return;
  isListening = true;
  onFrame(takeFrame);
}

function takeFrame(frame: ServerFrame): void {
  const before = currentSession()?.openGame ?? null;
  takeSessionFrame(frame);
  if (frame.type === "open_game") tellStart(before, currentSession()?.openGame ?? null);
  if (frame.type === "payment") tellPayment(frame.payment);
  if (frame.type === "notice") notify({ kind: "notice", title: frame.title, text: frame.text });
}

/** The wallet shows its payments itself. */
function tellPayment(payment: PaymentView): void {
  const notice = location.pathname === WALLET ? null : toPaymentNotice(payment);
  if (notice !== null) notify(notice);
}

/** Wherever a player waits: the first move has to be made within a minute. */
function tellStart(before: OpenGameView | null, now: OpenGameView | null): void {
  if (now?.status !== "active" || before?.status === "active") return;
  showBrowserNotice({ title: "Opponent joined", body: "Your game begins.", tag: `game-${now.gameId}` });
}
