import type { ResultText } from "./result-text.ts";
import { type Scene, toName } from "./scene.ts";

/** What the page is about in a few words: whose turn it is, or how it ended. */
export function toPageTitle(scene: Scene, result: ResultText | null): string {
  const { turn, seat } = scene;
  if (result !== null) return result.title;
  if (turn === null) return "Waiting for opponent";
  if (seat === null) return `${toName(scene, turn)} to move`;
  return turn === seat ? "Your turn" : "Opponent's turn";
}
