import type { GameId } from "@holo/kernel/ids.ts";
import { useEffect, useState, useSyncExternalStore } from "react";
import { serverClock } from "../../../lib/clock/server-clock.ts";
import { holdNotices } from "../../../lib/preferences/browser-notification.ts";
import { sendCommand, watchTable } from "../../../lib/socket/socket.ts";
import { loadRules } from "../../../shared/board/game-rules.ts";
import { notify } from "../../../ui/overlay/notify.ts";
import { type ChatStore, createChatStore } from "../chat/chat-store.ts";
import { createTableStore, type TableStore } from "./table-store.ts";
import type { TableView } from "./table-view.ts";

const LOADING: TableView = { type: "loading" };

interface WatchedTable {
  readonly view: TableView;
  readonly store: TableStore | null;
  readonly chat: ChatStore | null;
}

export function useTableStore(gameId: GameId): WatchedTable {
  const [{ store, chat }, setStores] = useState<Omit<WatchedTable, "view">>({ store: null, chat: null });

  useEffect(() => {
    const written = createChatStore(gameId, { sendCommand });
    const opened = createTableStore(gameId, {
      loadRules,
      sendCommand,
      watchTable,
      now: serverClock.now,
      onRefused: ({ title, text }) => notify({ kind: "failed", title, text }),
      onChat: written.receive,
    });
    setStores({ store: opened, chat: written });
    // The next page may watch the table too: its player has not left.
    return () => queueMicrotask(opened.close);
  }, [gameId]);

  useEffect(() => holdNotices(`/game/${gameId}`), [gameId]);

  const view = useSyncExternalStore(store?.subscribe ?? subscribeToNothing, store?.view ?? showLoading);
  return { view, store, chat };
}

function subscribeToNothing(): () => void {
  return () => {};
}

function showLoading(): TableView {
  return LOADING;
}
