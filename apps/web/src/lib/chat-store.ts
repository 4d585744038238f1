import type { RefusalView } from "@holo/protocol/refusals.ts";
import type { ChatMessageView } from "@holo/protocol/views.ts";
import type { Seat } from "@holo/rules/rules.ts";
import type { Socket } from "./socket-core.ts";

/** A message of one's own that is drawn before it stands. */
export interface PendingMessage {
  /** Tells it from others on this page. */
  readonly key: number;
  readonly text: string;
}

export interface ChatView {
  /** In order, numbered from 1 without gaps. */
  readonly messages: readonly ChatMessageView[];
  readonly pending: readonly PendingMessage[];
}

export interface ChatStore {
  view(): ChatView;
  subscribe(listener: () => void): () => void;
  /** What has come from the table, each message once and in order. */
  take(messages: readonly ChatMessageView[]): void;
  /** Shows a message at once and sends it until it is answered. Resolves with null once it stands, else with what the house says. */
  send(seat: Seat, text: string): Promise<RefusalView | null>;
}

interface Sent extends PendingMessage {
  readonly seat: Seat;
  /** Its number among the messages, once it has one. */
  readonly number: number | null;
}

/** What two players write at one table, as this page sees it. */
export function createChatStore(gameId: string, { sendCommand }: Pick<Socket, "sendCommand">): ChatStore {
  const listeners = new Set<() => void>();
  let messages: readonly ChatMessageView[] = [];
  let sent: readonly Sent[] = [];
  let view: ChatView = { messages, pending: sent };
  let keys = 0;

  function publish(): void {
    view = { messages, pending: sent };
    for (const listener of listeners) listener();
  }

  /** The message and its acknowledgement come in either order; with the first of them it is no longer on its way. */
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
    take(more) {
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
      const isKnown = answer.type === "done" && answer.version <= messages.length;
      sent = sent.flatMap((one) => {
        if (one.key !== key) return [one];
        return answer.type === "done" && !isKnown ? [{ ...one, number: answer.version }] : [];
      });
      publish();
      return answer.type === "refused" ? answer.refusal : null;
    },
  };
}

/** Whether it is this message that has come: the house may have trimmed it. */
function isSame(one: Sent, seat: Seat, text: string): boolean {
  return one.number === null && one.seat === seat && one.text === text;
}
