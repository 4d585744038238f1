import { useEffect, useState, useSyncExternalStore } from "react";
import { type ChatStore, createChatStore } from "../../lib/chat-store.ts";
import { loadRules } from "../../lib/games.ts";
import { sendCommand, serverClock, watchTable } from "../../lib/socket.ts";
import { createTableStore, type TableStore, type TableView } from "../../lib/table-store.ts";
import { notify } from "../../ui/notify.ts";

const LOADING: TableView = { type: "loading" };

export interface WatchedTable {
  readonly view: TableView;
  readonly store: TableStore | null;
  readonly chat: ChatStore | null;
}

/** Watches a table and what is written there as long as the page is open. */
export function useTableStore(gameId: string): WatchedTable {
  const [{ store, chat }, setStores] = useState<Omit<WatchedTable, "view">>({ store: null, chat: null });

  useEffect(() => {
    const written = createChatStore(gameId, { sendCommand });
    const opened = createTableStore(gameId, {
      loadRules,
      sendCommand,
      watchTable,
      now: serverClock.now,
      onRefused: ({ title, text }) => notify({ kind: "failed", title, text }),
      onChat: written.take,
    });
    setStores({ store: opened, chat: written });
    return () => opened.close();
  }, [gameId]);

  const view = useSyncExternalStore(store?.subscribe ?? subscribeToNothing, store?.view ?? showLoading);
  return { view, store, chat };
}

function subscribeToNothing(): () => void {
  return () => {};
}

function showLoading(): TableView {
  return LOADING;
}
