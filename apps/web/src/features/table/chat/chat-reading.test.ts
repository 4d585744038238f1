import { gameIdOf } from "@holo/kernel/testing/test-ids.ts";
import type { ChatMessageView } from "@holo/protocol/frames.ts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { stubStorage } from "../../../lib/testing/stub-storage.ts";
import { countCharacters, countUnread, cutMessage, loadRead, saveRead } from "./chat-reading.ts";

const MESSAGES: readonly ChatMessageView[] = [
  { number: 1, seat: 1, text: "hi", at: 1 },
  { number: 2, seat: 2, text: "hello", at: 2 },
  { number: 3, seat: 2, text: "your move", at: 3 },
];

describe("what a message holds", () => {
  it("is counted in code points, not in units of UTF-16", () => {
    expect(countCharacters("a👍é")).toBe(3);
  });

  it("is cut after 200 of them, never in the middle of one [VALID-16]", () => {
    expect(cutMessage("👍".repeat(200))).toBe("👍".repeat(200));
    expect(cutMessage(`${"a".repeat(199)}👍👍`)).toBe(`${"a".repeat(199)}👍`);
  });
});

describe("what is unread", () => {
  it("is what the other player wrote since", () => {
    expect(countUnread(MESSAGES, 1, 0)).toBe(2);
    expect(countUnread(MESSAGES, 1, 2)).toBe(1);
    expect(countUnread(MESSAGES, 2, 0)).toBe(1);
  });
});

describe("how far was read", () => {
  beforeEach(() => {
    stubStorage("localStorage");
  });
  afterEach(() => vi.unstubAllGlobals());

  it("is kept for the game played last", () => {
    expect(loadRead(gameIdOf("game-1"))).toBe(0);
    saveRead(gameIdOf("game-1"), 3);
    expect(loadRead(gameIdOf("game-1"))).toBe(3);
    expect(loadRead(gameIdOf("game-2"))).toBe(0);
    saveRead(gameIdOf("game-2"), 1);
    expect(loadRead(gameIdOf("game-1"))).toBe(0);
  });
});
