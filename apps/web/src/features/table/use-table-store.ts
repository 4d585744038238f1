import { useEffect, useState, useSyncExternalStore } from "react";
import { loadRules } from "../../lib/games.ts";
import { sendCommand, serverClock, watchTable } from "../../lib/socket.ts";
import { createTableStore, type TableStore, type TableView } from "../../lib/table-store.ts";
import { notify } from "../../ui/notify.ts";

const LOADING: TableView = { type: "loading" };

/** Watches a table as long as the page is open. */
export function useTableStore(gameId: string): { readonly view: TableView; readonly store: TableStore | null } {
  const [store, setStore] = useState<TableStore | null>(null);

  useEffect(() => {
    const opened = createTableStore(gameId, {
      loadRules,
      sendCommand,
      watchTable,
      now: serverClock.now,
      onRefused: ({ title, text }) => notify({ kind: "failed", title, text }),
    });
    setStore(opened);
    return () => opened.close();
  }, [gameId]);

  const view = useSyncExternalStore(store?.subscribe ?? subscribeToNothing, store?.view ?? showLoading);
  return { view, store };
}

function subscribeToNothing(): () => void {
  return () => {};
}

function showLoading(): TableView {
  return LOADING;
}
