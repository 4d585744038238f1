import type { BrowserNotice } from "../../lib/browser-notice.ts";
import { toResultText } from "./result-text.ts";
import { type Scene, toName, toOpponent } from "./scene.ts";

/** What a player who looks elsewhere is told of their game: that it is their turn, and how it ended. Null for nothing. */
export function toTableNotice(before: Scene, now: Scene): BrowserNotice | null {
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
