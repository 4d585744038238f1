import { notify } from "../../../ui/overlay/notify.ts";
import type { TableViewModel } from "../view-model.ts";
import { cutMessage } from "./chat-reading.ts";
import type { ChatStore } from "./chat-store.ts";

/** Sends a message unless it is empty. Returns the text if it was refused, null otherwise. */
export async function sendMessage(
  store: Pick<ChatStore, "send">,
  seat: NonNullable<TableViewModel["seat"]>,
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
