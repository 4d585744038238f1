import type { GameId } from "@holo/kernel/ids.ts";
import type { ChatMessageView } from "@holo/protocol/socket/server-frames.ts";
import { CHAT_CHARACTERS_MAX } from "@holo/protocol/socket/socket-terms.ts";
import type { Seat } from "@holo/rules/rules.ts";
import { notify } from "../../../ui/overlay/notify.ts";
import type { ChatStore } from "./chat-store.ts";

const READ_KEY = "holo.chat-read";

/** Counts code points, so that a character outside the basic plane counts as one. */
export function countCharacters(text: string): number {
  return [...text].length;
}

/** Nothing is cut: a message that is too long waits to be shortened. */
export function isTooLong(draft: string): boolean {
  return countCharacters(draft.trim()) > CHAT_CHARACTERS_MAX;
}

export function countUnread(messages: readonly ChatMessageView[], seat: Seat, read: number): number {
  return messages.filter((message) => message.number > read && message.seat !== seat).length;
}

export function loadRead(gameId: GameId): number {
  try {
    const [keptGame, number] = (localStorage.getItem(READ_KEY) ?? "").split(" ");
    return keptGame === gameId ? Number(number) || 0 : 0;
  } catch {
    // Storage is blocked: everything counts as unread.
    return 0;
  }
}

export function saveRead(gameId: GameId, number: number): void {
  try {
    localStorage.setItem(READ_KEY, `${gameId} ${number}`);
  } catch {
    // See `loadRead`.
  }
}

export async function sendMessage(store: Pick<ChatStore, "send">, seat: Seat, draft: string): Promise<string | null> {
  const text = draft.trim();
  if (text === "") return null;
  const refusal = await store.send(seat, text);
  if (refusal === null) return null;
  switch (refusal.code) {
    case "chat_blocked":
      notify({ kind: "message", title: refusal.title, text: refusal.text });
      break;
    case "something_went_wrong":
    case "unavailable":
      notify({ kind: "failed", title: "Error", text: "Failed to send message. Please try again." });
      break;
    default:
      notify({ kind: "failed", title: refusal.title, text: refusal.text });
  }
  return text;
}
