import type { BrowserNotification } from "../../../lib/preferences/browser-notification.ts";
import { toResultText } from "../result/result-text.ts";
import { type TableViewModel, toName, toOpponent } from "../view-model.ts";

/** A browser notification for the player's turn or the end of the game; null for none. */
export function toTableNotification(before: TableViewModel, now: TableViewModel): BrowserNotification | null {
  const { seat, turn, shown } = now;
  const { table, moveTexts } = shown;
  if (seat === null) return null;
  const tag = `game-${table.gameId}`;
  if (table.status !== before.shown.table.status) {
    const result = toResultText(now);
    return result === null ? null : { title: result.title, body: result.reason, tag };
  }
  if (turn !== seat || before.turn !== toOpponent(seat)) return null;
  const isMoved = table.moves.length > before.shown.table.moves.length;
  const body = isMoved ? `${toName(now, toOpponent(seat))} played ${moveTexts.at(-1)}.` : "";
  return { title: "Your turn", body, tag };
}
