import { useConnection } from "../../lib/socket/socket.ts";
import { Note } from "./note.tsx";

/** For acts that take coins or cannot be undone: they are not sent later, unseen. */
export function useOffline(): boolean {
  return useConnection() === "offline";
}

export function OfflineNote() {
  return (
    <div role="status">
      <Note icon="warn">You are offline. This works again as soon as you're back online.</Note>
    </div>
  );
}
