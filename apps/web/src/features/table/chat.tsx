import { type ReactNode, Suspense, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { countUnread, loadRead, saveRead } from "../../lib/chat-reading.ts";
import type { ChatStore } from "../../lib/chat-store.ts";
import { whenIdle } from "../../lib/idle.ts";
import { nearPart } from "../../lib/late-part.ts";
import { loadRelation, useRelation } from "../../lib/relations.ts";
import { useConnection } from "../../lib/socket.ts";
import { classes } from "../../ui/classes.ts";
import { Icon } from "../../ui/icon.tsx";
import { sendMessage } from "./chat-send.ts";
import { type Scene, toOpponent } from "./scene.ts";
import { useChatNews } from "./use-chat-news.ts";
import "./chat.css";

const ChatPanel = nearPart(() => import("./chat-panel.tsx"));

interface ChatProps {
  readonly scene: Scene;
  readonly store: ChatStore;
}

/** What the two players write to each other: the button with what is unread, and the panel it opens. Nobody else is shown either. */
export function Chat({ scene, store }: ChatProps): ReactNode {
  const { seat, shown } = scene;
  const opponent = seat === null ? null : shown.players[toOpponent(seat) - 1];
  if (seat === null || opponent == null) return null;
  return <OpenChat scene={scene} store={store} seat={seat} opponent={opponent} />;
}

interface OpenChatProps extends ChatProps {
  readonly seat: NonNullable<Scene["seat"]>;
  readonly opponent: Scene["shown"]["players"][0];
}

function OpenChat({ scene, store, seat, opponent }: OpenChatProps) {
  const { gameId } = scene.shown.table;
  const { messages, pending } = useSyncExternalStore(store.subscribe, store.view);
  const relation = useRelation(opponent.id);
  const isConnected = useConnection() === "connected";
  const [read, setRead] = useState(() => loadRead(gameId));
  /** What had been read when the panel was opened; null while it is closed. */
  const [openedAt, setOpenedAt] = useState<number | null>(null);
  const [draft, setDraft] = useState("");
  const button = useRef<HTMLButtonElement>(null);
  const isOpen = openedAt !== null;
  const newest = messages.length;
  // until it is known whether they are muted, nothing of theirs is made a noise about
  const isHeard = relation?.muted === false;
  const unread = isHeard ? countUnread(messages, seat, read) : 0;

  useChatNews({ gameId, messages, seat, opponent, isHeard });

  useEffect(() => {
    if (isConnected) void loadRelation(opponent.id);
  }, [isConnected, opponent.id]);

  useEffect(() => {
    if (!isOpen || newest === 0) return;
    setRead(newest);
    saveRead(gameId, newest);
  }, [isOpen, newest, gameId]);

  useEffect(preloadWhenIdle, []);

  async function send(): Promise<void> {
    setDraft("");
    const back = await sendMessage(store, seat, draft);
    if (back !== null) setDraft((later) => (later === "" ? back : `${back} ${later}`));
  }

  function close(): void {
    setOpenedAt(null);
    button.current?.focus();
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        className="button small wide table-action chat-button"
        aria-expanded={isOpen}
        onClick={() => (isOpen ? close() : setOpenedAt(read))}
      >
        <Icon name="chat" />
        <span className="word">Chat</span>
        {unread > 0 && (
          <span className={classes("unread", unread > 9 && "many")}>
            {unread > 9 ? "9+" : unread}
            <span className="visually-hidden"> unread</span>
          </span>
        )}
      </button>
      <span className="visually-hidden" role="status">
        {unread > 0 && !isOpen && `${unread === 1 ? "A new message" : `${unread} new messages`} in the chat.`}
      </span>
      {isOpen && (
        <Suspense>
          <ChatPanel
            scene={scene}
            seat={seat}
            opponent={opponent}
            messages={messages}
            pending={pending}
            readBefore={openedAt}
            isMuted={relation?.muted === true}
            draft={draft}
            onDraft={setDraft}
            onSend={() => void send()}
            onClose={close}
          />
        </Suspense>
      )}
    </>
  );
}

/** The panel is at hand by the time somebody writes. */
function preloadWhenIdle(): () => void {
  return whenIdle(() => void ChatPanel.fetchAhead(), PRELOAD_AFTER_MS);
}

const PRELOAD_AFTER_MS = 2_000;
