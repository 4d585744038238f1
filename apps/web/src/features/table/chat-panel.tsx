import { CHAT_CHARACTERS_MAX } from "@holo/protocol/frames.ts";
import { type KeyboardEvent, useEffect, useId, useRef } from "react";
import { countCharacters, cutMessage } from "../../lib/chat-reading.ts";
import { classes } from "../../ui/classes.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { setMuted } from "../../ui/people/acts.ts";
import { ChatLog, type ChatLogProps } from "./chat-log.tsx";
import { Clock } from "./clock.tsx";
import { type Scene, toOpponent } from "./scene.ts";
import "./chat-panel.css";

/** From here on it is said how much still fits. */
const COUNTED_FROM = 160;

interface ChatPanelProps extends Omit<ChatLogProps, "onUnmute"> {
  readonly scene: Scene;
  readonly draft: string;
  readonly onDraft: (draft: string) => void;
  readonly onSend: () => void;
  readonly onClose: () => void;
}

/** The 'Game Chat' beside the board; on phones a sheet whose head carries both clocks, since it may lie over those of the page. */
export default function ChatPanel(props: ChatPanelProps) {
  const { scene, seat, opponent, messages, pending, readBefore, isMuted, draft, onDraft, onSend, onClose } = props;
  const field = useRef<HTMLInputElement>(null);
  const noteId = useId();
  const count = countCharacters(draft);

  useEffect(() => field.current?.focus(), []);

  /** The button that was pressed goes away with it. */
  function mute(muted: boolean): void {
    void setMuted(opponent, muted);
    field.current?.focus();
  }

  function answerKey(event: KeyboardEvent): void {
    if (event.key === "Escape") {
      event.stopPropagation();
      onClose();
    }
  }

  function answerFieldKey(event: KeyboardEvent): void {
    // an Enter that only ends the composing of a sign sends nothing
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onSend();
  }

  return (
    <div className="chat-panel" role="dialog" aria-label="Game Chat" onKeyDown={answerKey}>
      <header>
        <h2>Game Chat</h2>
        <span className="clocks" aria-hidden="true">
          <Clock scene={scene} seat={toOpponent(seat)} />
          <Clock scene={scene} seat={seat} />
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
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSend();
          field.current?.focus();
        }}
      >
        <input
          ref={field}
          className="input"
          aria-label="Message"
          aria-describedby={noteId}
          placeholder="Message"
          autoComplete="off"
          enterKeyHint="send"
          value={draft}
          onChange={({ target, nativeEvent }) => {
            const isComposing = nativeEvent instanceof InputEvent && nativeEvent.isComposing;
            onDraft(isComposing ? target.value : cutMessage(target.value));
          }}
          onCompositionEnd={({ currentTarget }) => onDraft(cutMessage(currentTarget.value))}
          onKeyDown={answerFieldKey}
        />
        <span id={noteId} className={classes("count", count >= CHAT_CHARACTERS_MAX && "full")}>
          {count >= COUNTED_FROM && (
            <>
              {count}/{CHAT_CHARACTERS_MAX}
              <span className="visually-hidden"> characters</span>
            </>
          )}
        </span>
        <IconButton icon="send" label="Send" type="submit" />
      </form>
    </div>
  );
}
