import { useSyncExternalStore } from "react";

let reachable = true;
const listeners = new Set<() => void>();

/** Whether the last request for the session was answered. */
export function setReachable(next: boolean): void {
  if (next === reachable) return;
  reachable = next;
  for (const listener of listeners) listener();
}

export function useReachable(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => reachable,
  );
}
