import { cutMessage } from "../../lib/chat-reading.ts";
import type { ChatStore } from "../../lib/chat-store.ts";
import { notify } from "../../ui/notify.ts";
import type { Scene } from "./scene.ts";

/** Sends what was written, if it is anything. Where it was refused the player is told why, and gets their text back. */
export async function sendMessage(
  store: Pick<ChatStore, "send">,
  seat: NonNullable<Scene["seat"]>,
  draft: string,
): Promise<string | null> {
  const text = cutMessage(draft.trim());
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
