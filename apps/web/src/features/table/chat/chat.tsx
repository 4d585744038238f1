import type { GameId } from "@holo/kernel/ids.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import type { ChatMessageView } from "@holo/protocol/socket/server-frames.ts";
import { ofSeat } from "@holo/rules/by-seat.ts";
import type { Seat } from "@holo/rules/rules.ts";
import { type ReactNode, type Ref, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { retryUntilDone } from "../../../lib/api/retry.ts";
import { whenIdle } from "../../../lib/chunks/idle.ts";
import { idlePrefetchedChunk } from "../../../lib/chunks/lazy-chunk.ts";
import { serverClock } from "../../../lib/clock/server-clock.ts";
import { showBrowserNotification } from "../../../lib/preferences/browser-notification.ts";
import { loadRelation, useRelation } from "../../../lib/session/relations.ts";
import { useConnection } from "../../../lib/socket/socket.ts";
import { playSound } from "../../../lib/sound/sound.ts";
import { Icon } from "../../../ui/icon/icon.tsx";
import { Opening } from "../../../ui/overlay/opening.tsx";
import { classes } from "../../../ui/text/classes.ts";
import { Clock } from "../clock/clock.tsx";
import { type TableViewModel, toOpponent } from "../view-model.ts";
import { countUnread, isTooLong, loadRead, saveRead, sendMessage } from "./chat-messages.ts";
import type { ChatStore } from "./chat-store.ts";

const ChatPanel = idlePrefetchedChunk(() => import("./chat-panel.tsx"));
const PREFETCH_AFTER_MS = 2_000;

interface ChatProps {
  readonly viewModel: TableViewModel;
  readonly store: ChatStore;
}

export function Chat({ viewModel, store }: ChatProps): ReactNode {
  const { seat, shown } = viewModel;
  const opponent = seat === null ? null : ofSeat(shown.players, toOpponent(seat));
  if (seat === null || opponent == null) return null;
  return <OpenChat viewModel={viewModel} store={store} seat={seat} opponent={opponent} />;
}

interface OpenChatProps extends ChatProps {
  readonly seat: NonNullable<TableViewModel["seat"]>;
  readonly opponent: TableViewModel["shown"]["players"][0];
}

function OpenChat({ viewModel, store, seat, opponent }: OpenChatProps) {
  const { shown } = viewModel;
  const { gameId } = shown.table;
  const { messages, pending } = useSyncExternalStore(store.subscribe, store.view);
  const relation = useRelation(opponent.id);
  const connection = useConnection();
  const isConnected = connection === "connected" || connection === "silent";
  /** The newest read message when the panel was opened; null while it is closed. */
  const [openedAt, setOpenedAt] = useState<number | null>(null);
  const [draft, setDraft] = useState("");
  const button = useRef<HTMLButtonElement>(null);
  const isOpen = openedAt !== null;
  const read = useReadNumber(gameId, isOpen ? (messages.at(-1)?.number ?? 0) : 0);
  /** A request for the relation failed. */
  const [isUnknown, setUnknown] = useState(false);
  const isHeard = relation?.muted === false;
  // The opponent may be muted, so that the badge counts unread messages, but nothing sounds.
  const isCounted = isHeard || (relation === null && isUnknown);
  const unread = isCounted ? countUnread(messages, seat, read) : 0;

  useChatNotifications({ gameId, messages, seat, opponent, isHeard });

  useEffect(() => {
    if (!isConnected) return;
    return retryUntilDone(async () => {
      const isLoaded = await loadRelation(opponent.id);
      setUnknown(!isLoaded);
      return isLoaded;
    });
  }, [isConnected, opponent.id]);

  useEffect(() => whenIdle(() => void ChatPanel.prefetch(), PREFETCH_AFTER_MS), []);

  async function send(): Promise<void> {
    if (isTooLong(draft)) return;
    setDraft("");
    const refused = await sendMessage(store, seat, draft);
    if (refused !== null) setDraft((later) => (later === "" ? refused : `${refused} ${later}`));
  }

  /** Its text would lose the draft: a refused phrase is pressed again. */
  function sendPhrase(text: string): void {
    void sendMessage(store, seat, text);
  }

  function close(): void {
    setOpenedAt(null);
    button.current?.focus();
  }

  return (
    <>
      <ChatButton
        // A new element after the game, since its place in the row is another.
        key={shown.table.status}
        ref={button}
        unread={unread}
        isOpen={isOpen}
        onClick={() => (isOpen ? close() : setOpenedAt(read))}
      />
      {isOpen && (
        <Opening onDropped={() => setOpenedAt(null)}>
          <ChatPanel
            clocks={
              <>
                <Clock viewModel={viewModel} seat={toOpponent(seat)} />
                <Clock viewModel={viewModel} seat={seat} />
              </>
            }
            seat={seat}
            opponent={opponent}
            messages={messages}
            pending={pending}
            readBefore={openedAt}
            isMuted={relation?.muted === true}
            draft={draft}
            onDraft={setDraft}
            onSend={() => void send()}
            onPhrase={sendPhrase}
            onClose={close}
          />
        </Opening>
      )}
    </>
  );
}

interface ChatButtonProps {
  readonly ref: Ref<HTMLButtonElement>;
  readonly unread: number;
  readonly isOpen: boolean;
  readonly onClick: () => void;
}

function ChatButton({ ref, unread, isOpen, onClick }: ChatButtonProps) {
  return (
    <>
      <button
        ref={ref}
        type="button"
        className="button small wide table-action chat-button"
        aria-expanded={isOpen}
        onClick={onClick}
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
    </>
  );
}

/** The newest message read on this device. `shown` is the newest on the screen; 0 for none. */
function useReadNumber(gameId: GameId, shown: number): number {
  const [read, setRead] = useState(() => loadRead(gameId));
  useEffect(() => {
    if (shown === 0) return;
    setRead(shown);
    saveRead(gameId, shown);
  }, [shown, gameId]);
  return read;
}

interface ChatNotifications {
  readonly gameId: GameId;
  readonly messages: readonly ChatMessageView[];
  readonly seat: Seat;
  readonly opponent: PlayerView;
  readonly isHeard: boolean;
}

function useChatNotifications({ gameId, messages, seat, opponent, isHeard }: ChatNotifications): void {
  const [cameAt] = useState(serverClock.now);
  const seenCount = useRef(0);

  useEffect(() => {
    const fresh = messages
      .slice(seenCount.current)
      .findLast((message) => message.seat !== seat && message.at >= cameAt);
    seenCount.current = messages.length;
    if (fresh === undefined || !isHeard) return;
    playSound("chat");
    showBrowserNotification({ title: opponent.username, body: fresh.text, tag: `chat-${gameId}` });
  }, [messages, seat, isHeard, cameAt, opponent.username, gameId]);
}
