import type { GameId } from "@holo/kernel/ids.ts";
import type { ChatMessageView } from "@holo/protocol/frames.ts";
import { CHAT_CHARACTERS_MAX } from "@holo/protocol/frames.ts";
import type { Seat } from "@holo/rules/rules.ts";

const READ_KEY = "holo.chat-read";

/** Counts code points, so that a character outside the basic plane counts as one. */
export function countCharacters(text: string): number {
  return [...text].length;
}

/** Truncates a text to the length of a message. */
export function cutMessage(text: string): string {
  return countCharacters(text) <= CHAT_CHARACTERS_MAX ? text : [...text].slice(0, CHAT_CHARACTERS_MAX).join("");
}

/** How many of the opponent's messages are newer than `read`. */
export function countUnread(messages: readonly ChatMessageView[], seat: Seat, read: number): number {
  return messages.filter((message) => message.number > read && message.seat !== seat).length;
}

/** The newest message that was read on this device. Only the last game is stored. */
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
