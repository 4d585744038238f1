import { CHAT_CHARACTERS_MAX } from "@holo/protocol/frames.ts";
import type { ChatMessageView } from "@holo/protocol/views.ts";
import type { Seat } from "@holo/rules/rules.ts";

const READ_KEY = "holo.chat-read";

/** Characters as people count them: code points, so that a sign beyond the first plane is one. */
export function countCharacters(text: string): number {
  return [...text].length;
}

/** As much of a text as a message holds. */
export function cutMessage(text: string): string {
  return countCharacters(text) <= CHAT_CHARACTERS_MAX ? text : [...text].slice(0, CHAT_CHARACTERS_MAX).join("");
}

/** How many messages of the other player are newer than `read`. */
export function countUnread(messages: readonly ChatMessageView[], seat: Seat, read: number): number {
  return messages.filter((message) => message.number > read && message.seat !== seat).length;
}

/** The number of the newest message that was read on this device; only the game played last is kept. */
export function loadRead(gameId: string): number {
  try {
    const [keptGame, number] = (localStorage.getItem(READ_KEY) ?? "").split(" ");
    return keptGame === gameId ? Number(number) || 0 : 0;
  } catch {
    // Storage is closed to this page: what was written before it came counts as unread.
    return 0;
  }
}

export function saveRead(gameId: string, number: number): void {
  try {
    localStorage.setItem(READ_KEY, `${gameId} ${number}`);
  } catch {
    // As above.
  }
}
