import { CLOSE } from "@holo/protocol/socket/socket-terms.ts";
import type { Clock } from "./heartbeat.ts";

export type ConnectionState =
  /** Only the first time. */
  | "connecting"
  | "connected"
  | "silent"
  | "reconnecting"
  /** The server does not answer, although the browser does not report the device as offline. */
  | "unreachable"
  | "busy"
  /** The browser reports the device as offline, which it did not at the last hello. */
  | "offline"
  /** The player's newer tabs took the connections; nothing is retried until this tab is used. */
  | "displaced";

interface ConnectionStatusDeps extends Clock {
  isOnline(): boolean;
}

const UNREACHABLE_AFTER_MS = 4_000;

/** What the page shows of its connection. */
export function createConnectionStatus(deps: ConnectionStatusDeps, isSilent: () => boolean, onChanged: () => void) {
  let state: ConnectionState = "connecting";
  let isOpen = false;
  let hasBeenOpen = false;
  let isDisplaced = false;
  let isBusy = false;
  /** A device may reach the server without the route by which its browser judges. */
  let isReportWrong = false;
  /** Since when there has been no connection. */
  let lostAt = 0;

  function update(): void {
    const next = readState();
    if (state === next) return;
    state = next;
    onChanged();
  }

  function readState(): ConnectionState {
    if (isOpen && !isSilent()) return "connected";
    if (isDisplaced) return "displaced";
    if (!deps.isOnline() && !isReportWrong) return "offline";
    if (isOpen) return "silent";
    if (isBusy) return "busy";
    if (deps.now() - lostAt >= UNREACHABLE_AFTER_MS) return "unreachable";
    return hasBeenOpen ? "reconnecting" : "connecting";
  }

  return {
    state: () => state,
    isOpen: () => isOpen,
    isDisplaced: () => isDisplaced,
    /** Calls back if the facts changed what is shown. */
    update,
    connecting() {
      isDisplaced = false;
    },
    opened() {
      isOpen = true;
      hasBeenOpen = true;
      isBusy = false;
      isReportWrong = !deps.isOnline();
    },
    closed(code: number) {
      // Another tab took over this player's connection. Reconnecting would close that one in turn.
      isDisplaced = code === CLOSE.tooMany;
      isBusy = code === CLOSE.busy;
    },
    /** From now on there is no connection; later the server counts as unreachable. */
    lost() {
      isOpen = false;
      lostAt = deps.now();
      deps.after(UNREACHABLE_AFTER_MS, update);
    },
  };
}
