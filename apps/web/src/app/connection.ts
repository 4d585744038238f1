import { useSyncExternalStore } from "react";

/** `lost`: the server could be reached neither by request nor by socket when last tried. */
export type Connection = "fine" | "lost";

let connection: Connection = "fine";
const listeners = new Set<() => void>();

export function setConnection(next: Connection): void {
  if (next === connection) return;
  connection = next;
  for (const listener of listeners) listener();
}

export function useConnection(): Connection {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => connection,
  );
}
