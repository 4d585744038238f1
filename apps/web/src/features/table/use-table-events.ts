import { formatCoins } from "@holo/kernel/money.ts";
import type { Move, Seat } from "@holo/rules/rules.ts";
import { startTransition, useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { showBrowserNotice } from "../../lib/browser-notice.ts";
import { playSound } from "../../lib/sound.ts";
import { notify } from "../../ui/notify.ts";
import { formatAnnouncement, formatMoved, formatTurn } from "./announcement.ts";
import { formatPremoveChange } from "./premove-text.ts";
import { formatDraw, isDrawReason, toResultText } from "./result-text.ts";
import { type Scene, toName, toOpponent } from "./scene.ts";
import { toTableNotice } from "./table-notice.ts";

/** After a cancelled game both players go to the matches (specification 4). */
const LEAVE_AFTER_MS = 2_000;
/** Games whose start has sounded on this page already. */
const started = new Set<string>();

/**
 * What happens at the table while somebody looks: sounds, toasts, what is read out, and the way to the matches after a cancelled game. What was
 * over before the page came makes no noise. Returns the newest announcement.
 */
export function useTableEvents(scene: Scene): string {
  const before = useRef<Scene | null>(null);
  const [announcement, setAnnouncement] = useState("");
  const [isLeaving, setLeaving] = useState(false);
  const [, navigate] = useLocation();

  useEffect(() => {
    const { current: earlier } = before;
    before.current = scene;
    soundStart(scene);
    if (earlier === null) return;
    // After the press that made the move: within it, the whole table would be rendered twice before the screen shows it.
    const announce = (text: string) => startTransition(() => setAnnouncement(text));
    const notice = toTableNotice(earlier, scene);
    if (notice !== null) showBrowserNotice(notice);
    const moved = findMove(earlier, scene);
    const premoved = formatPremoveChange(earlier.shown, scene.shown);
    const said: string[] = [];
    if (moved !== null) {
      soundMove(earlier, scene, moved.move);
      const answered = findAnswered(earlier, scene, moved);
      if (answered !== null) said.push(formatMoved(scene, answered.by, answered.move));
      said.push(formatAnnouncement(scene, moved.by, moved.move));
    } else if (countShown(scene) < countShown(earlier)) said.push(formatTurn(scene));
    if (premoved !== "") said.push(premoved);
    const { status } = scene.shown.table;
    const isChanged = status !== earlier.shown.table.status;
    if (isChanged && status === "active") said.push(`${toName(scene, 2)} joined. The game begins.`, formatTurn(scene));
    const result = isChanged ? toResultText(scene) : null;
    if (result !== null) {
      said.push(`${result.title}. ${result.reason}`);
      tellEnd(scene);
    }
    if (said.length > 0) announce(said.join(" "));
    if (isChanged && status === "cancelled" && scene.seat !== null) setLeaving(true);
  }, [scene]);

  useEffect(() => {
    if (!isLeaving) return;
    const timer = setTimeout(() => navigate("/matches"), LEAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isLeaving, navigate]);

  return announcement;
}

interface Moved {
  readonly move: Move;
  readonly by: Seat;
}

/** The move that is on the board now and was not before: one's own as soon as it is drawn, so it is told once. */
function findMove(earlier: Scene, scene: Scene): Moved | null {
  const count = countShown(scene);
  if (count <= countShown(earlier) || scene.lastMove === null) return null;
  return { move: scene.lastMove, by: count % 2 === 1 ? 1 : 2 };
}

/** The opponent's move that a premove answered before anybody saw it. */
function findAnswered(earlier: Scene, scene: Scene, { by }: Moved): Moved | null {
  const { pending, table } = scene.shown;
  const move = table.moves.at(-1)?.move;
  if (pending === null || move === undefined || countShown(scene) !== countShown(earlier) + 2) return null;
  return { move, by: toOpponent(by) };
}

function countShown({ shown }: Scene): number {
  return shown.table.moves.length + (shown.pending === null ? 0 : 1);
}

function soundStart({ shown: { table } }: Scene): void {
  if (table.status !== "active" || started.has(table.gameId)) return;
  started.add(table.gameId);
  playSound("start");
}

function soundMove(earlier: Scene, scene: Scene, { path, captured }: Move): void {
  const { rules } = scene.shown;
  const from = rules.pieceAt(earlier.position, path[0]!);
  const to = rules.pieceAt(scene.position, path.at(-1)!);
  const isCrowned = from !== null && to !== null && from.kind !== to.kind;
  if (captured.length > 0) playSound("capture", captured.length);
  else if (!isCrowned) playSound("move");
  if (isCrowned) playSound("crown");
}

function tellEnd({ shown, seat, terms }: Scene): void {
  const { table, cancelled } = shown;
  if (cancelled !== null) {
    // its players are told wherever they are, with the reason
    if (cancelled.reason === "house" && seat !== null) return;
    const isOwnAct = cancelled.reason === "player" && cancelled.seat === seat && table.players[1] !== null;
    const text = isOwnAct
      ? "All coins have been refunded to both players."
      : "The game has been cancelled. All funds have been refunded.";
    notify({ kind: isOwnAct ? "done" : "notice", title: "Game Cancelled", text });
    return;
  }
  const { result } = table;
  if (result === null) return;
  if (isDrawReason(result.reason)) {
    const isAgreed = result.reason === "agreement";
    const title = isAgreed ? "Draw Accepted" : formatDraw(result.reason);
    const back = `Stakes returned (minus holo fee). Each receives ${formatCoins(terms.drawReturn)} HC.`;
    notify({ kind: "notice", title, text: isAgreed ? `Game ended in a draw. ${back}` : back });
  }
  if (result.reason === "time") notify({ kind: "notice", title: "Time's up!", text: "Game over - time limit reached" });
  if (result.reason === "resignation" && seat !== null && seat !== result.winner) {
    notify({ kind: "done", title: "Game Resigned", text: "You have resigned from the game." });
  }
  if (result.winner === null) playSound("draw");
  else if (seat !== null) playSound(result.winner === seat ? "win" : "lose");
}
