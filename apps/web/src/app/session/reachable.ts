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
  return useSyncExternalStore(onReachableChanged, isReachable, isReachable);
}

/** Resolves once the server could not be reached. */
export function untilUnreachable(): Promise<void> {
  return new Promise((resolve) => {
    const stop = onReachableChanged(() => {
      stop();
      resolve();
    });
  });
}

function onReachableChanged(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function isReachable(): boolean {
  return reachable;
}
