import { FIRST_MOVE_LIMIT_MS } from "@holo/table/clock.ts";
import type { ConnectionState } from "../../../lib/socket/connection-status.ts";
import type { ResultText } from "../result/result-text.ts";
import { isTimed, type TableViewModel, toName } from "../view-model.ts";

interface TurnText {
  readonly title: string;
  readonly detail: string;
  /** ms since 1970 by the server's clock; null for no countdown. */
  readonly until: number | null;
  readonly unit: "seconds" | "minutes";
  readonly isOwn: boolean;
  /** The detail is a button that cancels the premove. */
  readonly hasPremove: boolean;
}

/** The banner of an open table. `isUnsent`: the drawn move may not have arrived. */
export function toTurnText(viewModel: TableViewModel, connection: ConnectionState, isUnsent = false): TurnText {
  const { shown, seat, turn } = viewModel;
  const { table } = shown;
  const isOwn = turn !== null && turn === seat;
  const base: TurnText = {
    title: toTitle(viewModel),
    detail: "",
    until: null,
    unit: "seconds",
    isOwn,
    hasPremove: false,
  };
  if (isUnsent) {
    const words = [CUT_OFF_WORDS[connection], isTimed(viewModel) ? "Your clock may run on." : ""];
    return { ...base, title: "Sending your move...", detail: words.join(" ").trim(), isOwn: true };
  }
  if (isCutOff(connection)) return { ...base, detail: CUT_OFF_WORDS[connection] };
  const { waitingUntil, returnBy, awaited, turnStartedAt } = table.clock;
  if (waitingUntil !== null) {
    const detail = seat === null || viewModel.isFree ? "Closes in" : "If nobody joins, you're refunded in";
    return { ...base, detail, until: waitingUntil, unit: "minutes" };
  }
  if (returnBy !== null && awaited.length === 2) {
    return { ...base, detail: "Waiting for both players to come back:", until: returnBy, unit: "minutes" };
  }
  // The player who returned continues; the absent player's clock starts later (ruling 31).
  if (returnBy !== null && turn !== null && awaited.includes(turn)) {
    return { ...base, detail: "Not back yet. Their clock starts in", until: returnBy, unit: "minutes" };
  }
  if (shown.premove !== null) return { ...base, hasPremove: true };
  if (shown.pending !== null) return { ...base, detail: "" };
  if (!isTimed(viewModel) && turnStartedAt !== null) {
    const detail = isOwn ? "Make your first move:" : "First move within";
    return { ...base, detail, until: turnStartedAt + FIRST_MOVE_LIMIT_MS };
  }
  return { ...base, detail: toNeed(viewModel, isOwn) };
}

/** Empty while the server answers. */
export function toCutOffText(connection: ConnectionState): string {
  return CUT_OFF_WORDS[connection];
}

export function isCutOff(connection: ConnectionState): boolean {
  return CUT_OFF_WORDS[connection] !== "";
}

const CUT_OFF_WORDS: Readonly<Record<ConnectionState, string>> = {
  connecting: "",
  connected: "",
  silent: "Connection problem. Trying again...",
  reconnecting: "Reconnecting...",
  unreachable: "Holo Arena is not answering. Trying again...",
  busy: "Holo Arena is busy right now. Trying again...",
  offline: "You are offline.",
  displaced: "You have too many tabs open. Close one and reload.",
};

function toTitle(viewModel: TableViewModel): string {
  const { seat, turn } = viewModel;
  if (turn === null) return "Waiting for opponent to join...";
  if (seat === null) return `${toName(viewModel, turn)} to move`;
  return seat === turn ? "Your turn" : "Opponent's turn";
}

function toNeed({ shown, position }: TableViewModel, isOwn: boolean): string {
  if (!isOwn) return "";
  if (shown.rules.checkedSquare(position) !== null) return "Your king is in check.";
  return shown.rules.mustCapture(position) ? "You must capture." : "";
}

export function toPageTitle(viewModel: TableViewModel, result: ResultText | null): string {
  const { turn, seat } = viewModel;
  if (result !== null) return result.title;
  if (turn === null) return "Waiting for opponent";
  if (seat === null) return `${toName(viewModel, turn)} to move`;
  return turn === seat ? "Your turn" : "Opponent's turn";
}
