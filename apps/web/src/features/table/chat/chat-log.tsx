import type { PlayerView } from "@holo/protocol/game/games.ts";
import type { ChatMessageView } from "@holo/protocol/socket/server-frames.ts";
import type { Seat } from "@holo/rules/rules.ts";
import { Fragment, useLayoutEffect, useRef } from "react";
import { classes } from "../../../ui/text/classes.ts";
import { countUnread } from "./chat-messages.ts";
import type { PendingMessage } from "./chat-store.ts";

export interface ChatLogProps {
  readonly seat: Seat;
  readonly opponent: PlayerView;
  readonly messages: readonly ChatMessageView[];
  readonly pending: readonly PendingMessage[];
  /** The newest message that was read before the chat was opened. */
  readonly readBefore: number;
  readonly isMuted: boolean;
  readonly onUnmute: () => void;
}

/** Scrolled this close to the end, the log follows new messages. */
const NEAR_PX = 48;

/** The newest message is last. A line precedes the unread ones. */
export function ChatLog({ seat, opponent, messages, pending, readBefore, isMuted, onUnmute }: ChatLogProps) {
  const log = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const shown = isMuted ? messages.filter((message) => message.seat === seat) : messages;
  const firstNew = isMuted ? undefined : shown.find(({ number, seat: by }) => number > readBefore && by !== seat);
  // Counted once: messages that arrive while the chat is open are read at once.
  const newAtOpening = useRef(countUnread(messages, seat, readBefore));
  const length = shown.length + pending.length;
  const pendingCount = pending.length;

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on each new message
  useLayoutEffect(() => {
    const { current } = log;
    if (current !== null && (isAtEnd.current || pendingCount > 0)) current.scrollTop = current.scrollHeight;
  }, [length, pendingCount]);

  return (
    <div
      ref={log}
      className="log"
      role="log"
      aria-label="Messages"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a log that scrolls is reached by keys
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_PX;
      }}
    >
      {isMuted && (
        <p className="aside">
          <span>
            You have muted <b>{opponent.username}</b>.
          </span>
          <button type="button" className="link" onClick={onUnmute}>
            Unmute
          </button>
        </p>
      )}
      {length === 0 && !isMuted && (
        <p className="aside">
          <span>
            Only you and <b>{opponent.username}</b> can read this.
          </span>
        </p>
      )}
      {shown.map((message) => (
        <Fragment key={message.number}>
          {message === firstNew && newAtOpening.current > 0 && <p className="new">{newAtOpening.current} new</p>}
          <Message message={message} who={message.seat === seat ? null : opponent.username} />
        </Fragment>
      ))}
      {pending.map(({ key, text }) => (
        <p key={key} className="message own">
          <span className="visually-hidden">You: </span>
          {text} <span className="when sending">Sending...</span>
        </p>
      ))}
    </div>
  );
}

function Message({ message, who }: { readonly message: ChatMessageView; readonly who: string | null }) {
  const at = new Date(message.at);
  return (
    <p className={classes("message", who === null && "own")}>
      <span className="visually-hidden">{who ?? "You"}: </span>
      {message.text}{" "}
      <time className="when" dateTime={at.toISOString()}>
        {`${at.getHours()}`.padStart(2, "0")}:{`${at.getMinutes()}`.padStart(2, "0")}
      </time>
    </p>
  );
}
