import type { GameId } from "@holo/kernel/ids.ts";
import type { RefusalView } from "@holo/protocol/refusals/refusals.ts";
import type { ChatMessageView } from "@holo/protocol/socket/server-frames.ts";
import type { Seat } from "@holo/rules/rules.ts";
import type { Socket } from "../../../lib/socket/socket-core.ts";

export interface PendingMessage {
  readonly key: number;
  readonly text: string;
}

interface ChatView {
  /** In order. A page that is loaded during a long chat receives only the newest. */
  readonly messages: readonly ChatMessageView[];
  readonly pending: readonly PendingMessage[];
}

export interface ChatStore {
  view(): ChatView;
  subscribe(listener: () => void): () => void;
  /** Adds messages from the server, each once and in order. */
  receive(messages: readonly ChatMessageView[]): void;
  /** Shows a message and sends it until it is answered. Resolves with null, or with the refusal. */
  send(seat: Seat, text: string): Promise<RefusalView | null>;
}

interface Sent extends PendingMessage {
  readonly seat: Seat;
  /** Known once it is acknowledged. */
  readonly number: number | null;
}

export function createChatStore(gameId: GameId, { sendCommand }: Pick<Socket, "sendCommand">): ChatStore {
  const listeners = new Set<() => void>();
  let messages: readonly ChatMessageView[] = [];
  let sent: readonly Sent[] = [];
  let view: ChatView = { messages, pending: sent };
  let keys = 0;

  function publish(): void {
    view = { messages, pending: sent };
    for (const listener of listeners) listener();
  }

  /** The message and its acknowledgement arrive in either order. */
  function settle({ seat, text, number }: ChatMessageView): void {
    const own = sent.find((one) => one.number === number) ?? sent.find((one) => isSame(one, seat, text));
    sent = sent.filter((one) => one !== own);
  }

  return {
    view: () => view,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    receive(more) {
      messages = [...messages, ...more];
      for (const message of more) settle(message);
      publish();
    },
    async send(seat, text) {
      keys += 1;
      const key = keys;
      sent = [...sent, { key, seat, text, number: null }];
      publish();
      const answer = await sendCommand({ type: "chat", gameId, text });
      const isKnown = answer.type === "done" && answer.version <= (messages.at(-1)?.number ?? 0);
      sent = sent.flatMap((one) => {
        if (one.key !== key) return [one];
        return answer.type === "done" && !isKnown ? [{ ...one, number: answer.version }] : [];
      });
      publish();
      return answer.type === "refused" ? answer.refusal : null;
    },
  };
}

/** The server may have trimmed a message, which then is matched by its number. */
function isSame(one: Sent, seat: Seat, text: string): boolean {
  return one.number === null && one.seat === seat && one.text === text;
}
