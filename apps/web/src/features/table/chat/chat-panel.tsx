import { CHAT_CHARACTERS_MAX } from "@holo/protocol/socket/socket-terms.ts";
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef } from "react";
import { setMuted } from "../../../shared/people/relation-commands.ts";
import { IconButton } from "../../../ui/button/button.tsx";
import { classes } from "../../../ui/text/classes.ts";
import { ChatLog, type ChatLogProps } from "./chat-log.tsx";
import { countCharacters, isTooLong } from "./chat-messages.ts";
import "./chat-panel.css";

const PHRASES = ["Good luck", "Well played", "Nice move", "One moment", "Thanks", "Rematch?"] as const;

/** The counter of characters appears from this length. */
const COUNTED_FROM = 160;

interface ChatPanelProps extends Omit<ChatLogProps, "onUnmute"> {
  readonly clocks: ReactNode;
  readonly draft: string;
  readonly onDraft: (draft: string) => void;
  readonly onSend: () => void;
  /** Sends a text as it is; the draft stays. */
  readonly onPhrase: (text: string) => void;
  readonly onClose: () => void;
}

export default function ChatPanel(props: ChatPanelProps) {
  const { clocks, seat, opponent, messages, pending, readBefore, isMuted, draft, onDraft, onSend, onPhrase, onClose } =
    props;
  const field = useRef<HTMLInputElement>(null);

  useEffect(() => field.current?.focus(), []);

  /** The pressed button disappears, so the focus moves to the field. */
  function mute(muted: boolean): void {
    void setMuted(opponent, muted);
    field.current?.focus();
  }

  function handleKey(event: KeyboardEvent): void {
    if (event.key === "Escape") {
      event.stopPropagation();
      onClose();
    }
  }

  return (
    <div className="chat-panel" role="dialog" aria-label="Game Chat" onKeyDown={handleKey}>
      <header>
        <h2>Game Chat</h2>
        <span className="clocks" aria-hidden="true">
          {clocks}
        </span>
        {!isMuted && <IconButton icon="bell-off" label={`Mute ${opponent.username}`} onClick={() => mute(true)} />}
        <IconButton icon="close" label="Close chat" onClick={onClose} />
      </header>
      <ChatLog
        seat={seat}
        opponent={opponent}
        messages={messages}
        pending={pending}
        readBefore={readBefore}
        isMuted={isMuted}
        onUnmute={() => mute(false)}
      />
      <fieldset className="phrases" aria-label="Quick messages">
        {PHRASES.map((phrase) => (
          <button key={phrase} type="button" onClick={() => onPhrase(phrase)}>
            {phrase}
          </button>
        ))}
      </fieldset>
      <MessageForm field={field} draft={draft} onDraft={onDraft} onSend={onSend} />
    </div>
  );
}

interface MessageFormProps extends Pick<ChatPanelProps, "draft" | "onDraft" | "onSend"> {
  readonly field: RefObject<HTMLInputElement | null>;
}

function MessageForm({ field, draft, onDraft, onSend }: MessageFormProps) {
  const noteId = useId();
  const count = countCharacters(draft);
  const isCounted = count >= COUNTED_FROM;
  const isLong = isTooLong(draft);

  function handleKey(event: KeyboardEvent): void {
    // This Enter only ends an input method's composition.
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onSend();
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
        field.current?.focus();
      }}
    >
      <input
        ref={field}
        className={classes("input", isCounted && "counted")}
        aria-label="Message"
        aria-describedby={noteId}
        placeholder="Message"
        autoComplete="off"
        enterKeyHint="send"
        value={draft}
        aria-invalid={isLong || undefined}
        onChange={({ target }) => onDraft(target.value)}
        onKeyDown={handleKey}
      />
      <span id={noteId} className={classes("count", count >= CHAT_CHARACTERS_MAX && "full")}>
        {isCounted && (
          <>
            {isLong ? `${count - CHAT_CHARACTERS_MAX} too many` : `${count}/${CHAT_CHARACTERS_MAX}`}
            <span className="visually-hidden"> characters</span>
          </>
        )}
      </span>
      <IconButton icon="send" label="Send" type="submit" />
    </form>
  );
}
