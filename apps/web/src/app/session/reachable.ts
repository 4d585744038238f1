import { useSyncExternalStore } from "react";

let reachable = true;
const listeners = new Set<() => void>();

export function setReachable(next: boolean): void {
  if (next === reachable) return;
  reachable = next;
  for (const listener of listeners) listener();
}

export function useReachable(): boolean {
  return useSyncExternalStore(onReachableChanged, isReachable, isReachable);
}

export function untilUnreachable(): Promise<void> {
  if (!reachable) return Promise.resolve();
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
