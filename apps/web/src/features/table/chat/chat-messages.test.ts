import { toGameId } from "@holo/kernel/ids.ts";
import { gameIdOf } from "@holo/kernel/testing/test-ids.ts";
import { type RefusalCode, toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import type { ChatMessageView } from "@holo/protocol/socket/server-frames.ts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Command } from "../../../lib/socket/command-queue.ts";
import { stubStorage } from "../../../lib/testing/stub-storage.ts";
import { dismissNotice, shownNotices } from "../../../ui/overlay/notify.ts";
import { countUnread, isTooLong, loadRead, saveRead, sendMessage } from "./chat-messages.ts";
import { createChatStore } from "./chat-store.ts";

const MESSAGES: readonly ChatMessageView[] = [
  { number: 1, seat: 1, text: "hi", at: 1 },
  { number: 2, seat: 2, text: "hello", at: 2 },
  { number: 3, seat: 2, text: "your move", at: 3 },
];

describe("the length of a message", () => {
  // [VALID-16 §5,9] A chat message has at most 200 characters. A longer one is not cut: the field counts what is too
  // many, and it is not sent.
  it("is at most 200 code points, and a longer one is not cut [VALID-16]", () => {
    expect(isTooLong("👍".repeat(200))).toBe(false);
    expect(isTooLong(` ${"a".repeat(199)}👍👍`)).toBe(true);
  });
});

describe("countUnread", () => {
  it("counts the opponent's newer messages", () => {
    expect(countUnread(MESSAGES, 1, 0)).toBe(2);
    expect(countUnread(MESSAGES, 1, 2)).toBe(1);
    expect(countUnread(MESSAGES, 2, 0)).toBe(1);
  });
});

describe("the read position", () => {
  beforeEach(() => {
    stubStorage("localStorage");
  });
  afterEach(() => vi.unstubAllGlobals());

  it("is stored for the last game only", () => {
    expect(loadRead(gameIdOf("game-1"))).toBe(0);
    saveRead(gameIdOf("game-1"), 3);
    expect(loadRead(gameIdOf("game-1"))).toBe(3);
    expect(loadRead(gameIdOf("game-2"))).toBe(0);
    saveRead(gameIdOf("game-2"), 1);
    expect(loadRead(gameIdOf("game-1"))).toBe(0);
  });
});

const GAME = toGameId("11111111-1111-4111-8111-111111111111");

afterEach(() => {
  for (const { id } of shownNotices()) dismissNotice(id);
});

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

describe("sendMessage", () => {
  // [ERR-17 §8] A message that cannot be sent shows 'Failed to send message. Please try again.', and its text returns
  // to the field.
  it("returns the text and shows the specification's message after a fault [ERR-17]", async () => {
    for (const code of ["something_went_wrong", "unavailable"] as const) {
      const { store } = refuseAll(code);
      expect(await sendMessage(store, 1, "well played")).toBe("well played");
      expect(shownNotices()).toMatchObject([
        { kind: "failed", title: "Error", text: "Failed to send message. Please try again." },
      ]);
    }
  });

  it("returns the text and shows the refusal's reason", async () => {
    expect(await sendMessage(refuseAll("chat_blocked").store, 1, "an insult")).toBe("an insult");
    expect(shownNotices()).toMatchObject([
      { title: "Message Blocked", text: "Please avoid using abusive or inappropriate language." },
    ]);
  });

  it("does not send a blank message [VALID-15]", async () => {
    const { store, asked } = refuseAll("chat_empty");
    expect(await sendMessage(store, 1, " \n ")).toBeNull();
    expect(asked).toEqual([]);
  });
});
