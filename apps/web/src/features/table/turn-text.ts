import { FIRST_MOVE_LIMIT_MS } from "@holo/table/clock.ts";
import type { ConnectionState } from "../../lib/socket-line.ts";
import { isTimed, type Scene, toName } from "./scene.ts";

/** What the banner says. A detail may end in a countdown. */
export interface TurnText {
  readonly title: string;
  readonly detail: string;
  /** ms since 1970 by the server's clock; null for no countdown. */
  readonly until: number | null;
  readonly unit: "seconds" | "minutes";
  /** The bar beside it is bright when it is one's own turn. */
  readonly isOwn: boolean;
}

/** What the banner says while a table is open. */
export function toTurnText(scene: Scene, connection: ConnectionState): TurnText {
  const { shown, seat, turn } = scene;
  const { table } = shown;
  const isOwn = turn !== null && turn === seat;
  const base: TurnText = { title: toTitle(scene), detail: "", until: null, unit: "seconds", isOwn };
  const isCutOff = connection === "reconnecting" || connection === "offline";
  if (isCutOff) return { ...base, detail: connection === "offline" ? "You are offline." : "Reconnecting..." };
  const { waitingUntil, returnBy, turnStartedAt } = table.clock;
  if (waitingUntil !== null) {
    return { ...base, detail: "Closes and refunds by itself in", until: waitingUntil, unit: "minutes" };
  }
  if (returnBy !== null) return { ...base, detail: "Waiting for both players to come back:", until: returnBy };
  if (shown.pending !== null) return { ...base, detail: "" };
  if (!isTimed(scene) && turnStartedAt !== null) {
    const detail = isOwn ? "Make your first move:" : "First move within";
    return { ...base, detail, until: turnStartedAt + FIRST_MOVE_LIMIT_MS };
  }
  return { ...base, detail: toNeed(scene, isOwn) };
}

function toTitle(scene: Scene): string {
  const { seat, turn } = scene;
  if (turn === null) return "Waiting for opponent to join...";
  if (seat === null) return `${toName(scene, turn)} to move`;
  return seat === turn ? "Your turn" : "Opponent's turn";
}

/** What the rules ask of who is to move. */
function toNeed({ shown, position }: Scene, isOwn: boolean): string {
  if (!isOwn) return "";
  if (shown.rules.checkedSquare(position) !== null) return "Your king is in check.";
  return shown.rules.mustCapture(position) ? "You must capture." : "";
}
