import type { Move } from "@holo/rules/rules.ts";
import { startTransition, useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { showBrowserNotification } from "../../../lib/preferences/browser-notification.ts";
import { playSound } from "../../../lib/sound/sound.ts";
import { notify } from "../../../ui/overlay/notify.ts";
import { toResultText } from "../result/result-text.ts";
import { type TableViewModel, toName } from "../view-model.ts";
import {
  formatAnnouncement,
  formatMoved,
  formatPremoveChange,
  formatTurn,
  toTableNotification,
} from "./announcement.ts";

/** After a cancellation both players go to the matches (specification 4). */
const LEAVE_AFTER_MS = 2_000;
const started = new Set<string>();

/**
 * Sounds, toasts, announcements and, if the page `leaves`, the redirect after a cancellation. What
 * happened before is silent. Returns the latest announcement.
 */
export function useTableEvents(viewModel: TableViewModel, leaves = true): string {
  const before = useRef<TableViewModel | null>(null);
  const [announcement, setAnnouncement] = useState("");
  const [isLeaving, setLeaving] = useState(false);
  const [, navigate] = useLocation();

  useEffect(() => {
    const { current: earlier } = before;
    before.current = viewModel;
    playStartSound(viewModel);
    if (earlier === null) return;
    // A transition, so that the table renders once before the press is drawn.
    const announce = (text: string) => startTransition(() => setAnnouncement(text));
    const notification = toTableNotification(earlier, viewModel);
    if (notification !== null) showBrowserNotification(notification);
    const premoved = formatPremoveChange(earlier.shown, viewModel.shown);
    const announced: string[] = [];
    const count = countShown(viewModel);
    if (count > countShown(earlier) && viewModel.lastMove !== null) {
      playMoveSound(earlier, viewModel, viewModel.lastMove);
      // A premove is played at once: the opponent's move is announced with it.
      if (count === countShown(earlier) + 2) announced.push(formatMoved(viewModel, count - 2));
      announced.push(formatAnnouncement(viewModel, count - 1));
    } else if (count < countShown(earlier)) announced.push("Taken back.", formatTurn(viewModel));
    if (premoved !== "") announced.push(premoved);
    const { status } = viewModel.shown.table;
    const isChanged = status !== earlier.shown.table.status;
    if (isChanged && status === "active")
      announced.push(`${toName(viewModel, 2)} joined. The game begins.`, formatTurn(viewModel));
    const result = isChanged ? toResultText(viewModel) : null;
    if (result !== null) {
      announced.push(`${result.title}. ${result.reason}`);
      notifyEnd(viewModel);
    }
    if (announced.length > 0) announce(announced.join(" "));
    if (isChanged && status === "cancelled" && viewModel.seat !== null) setLeaving(leaves);
  }, [viewModel, leaves]);

  useEffect(() => {
    if (!isLeaving) return;
    const timer = setTimeout(() => navigate("/matches"), LEAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isLeaving, navigate]);

  return announcement;
}

/** A move in flight counts when it is drawn, so it is announced once. */
function countShown({ shown }: TableViewModel): number {
  return shown.table.moves.length + (shown.pending === null ? 0 : 1);
}

function playStartSound({ shown: { table } }: TableViewModel): void {
  if (table.status !== "active" || started.has(table.gameId)) return;
  started.add(table.gameId);
  playSound("start");
}

function playMoveSound(earlier: TableViewModel, viewModel: TableViewModel, { path, captured }: Move): void {
  const { rules } = viewModel.shown;
  const from = rules.pieceAt(earlier.position, path[0]!);
  const to = rules.pieceAt(viewModel.position, path.at(-1)!);
  const isCrowned = from !== null && to !== null && from.kind !== to.kind;
  if (captured.length > 0) playSound("capture", captured.length);
  else if (!isCrowned) playSound("move");
  if (isCrowned) playSound("crown");
}

function notifyEnd({ shown, seat, isFree }: TableViewModel): void {
  const { table, cancelled } = shown;
  if (cancelled !== null) {
    // The players get a notice with the reason on any page.
    if (cancelled.reason === "staff" && seat !== null) return;
    const isOwnCommand = cancelled.reason === "player" && cancelled.seat === seat && table.players[1] !== null;
    const text = isFree
      ? "The game has been cancelled."
      : isOwnCommand
        ? "All coins have been refunded to both players."
        : "The game has been cancelled. All funds have been refunded.";
    notify({ kind: isOwnCommand ? "done" : "notice", title: "Game Cancelled", text });
    return;
  }
  const { result } = table;
  if (result === null) return;
  if (result.winner === null) playSound("draw");
  else if (seat !== null) playSound(result.winner === seat ? "win" : "lose");
}
