import { toGameId } from "@holo/kernel/ids.ts";
import { type RefusalCode, toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { afterEach, describe, expect, it } from "vitest";
import type { Command } from "../../../lib/socket/command-queue.ts";
import { dismissNotice, shownNotices } from "../../../ui/overlay/notify.ts";
import { sendMessage } from "./chat-send.ts";
import { createChatStore } from "./chat-store.ts";

const GAME = toGameId("11111111-1111-4111-8111-111111111111");

afterEach(() => {
  for (const { id } of shownNotices()) dismissNotice(id);
});

/** A chat whose table refuses every message, and the commands it received. */
function refuseAll(code: RefusalCode) {
  const asked: Command[] = [];
  const store = createChatStore(GAME, {
    sendCommand: async (command) => {
      asked.push(command);
      return { type: "refused", refusal: toRefusalView(code) };
    },
  });
  return { store, asked };
}

describe("a message that is not taken", () => {
  it("comes back with the words of the specification where the fault is ours [ERR-17]", async () => {
    for (const code of ["something_went_wrong", "unavailable", "chat_failed"] as const) {
      const { store } = refuseAll(code);
      expect(await sendMessage(store, 1, "well played")).toBe("well played");
      expect(shownNotices()).toMatchObject([
        { kind: "failed", title: "Error", text: "Failed to send message. Please try again." },
      ]);
    }
  });

  it("comes back with the reason where it has one", async () => {
    expect(await sendMessage(refuseAll("chat_blocked").store, 1, "an insult")).toBe("an insult");
    expect(shownNotices()).toMatchObject([
      { title: "Message Blocked", text: "Please avoid using abusive or inappropriate language." },
    ]);
  });

  it("is not even sent where there is nothing to read in it [VALID-15b]", async () => {
    const { store, asked } = refuseAll("chat_empty");
    expect(await sendMessage(store, 1, " \n ")).toBeNull();
    expect(asked).toEqual([]);
  });
});
