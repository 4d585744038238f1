import { toGameId } from "@holo/kernel/ids.ts";
import { toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import type { ChatMessageView } from "@holo/protocol/socket/server-frames.ts";
import type { Seat } from "@holo/rules/rules.ts";
import { describe, expect, it } from "vitest";
import type { Command, CommandAnswer } from "../../../lib/socket/command-queue.ts";
import { createChatStore } from "./chat-store.ts";

const GAME = toGameId("11111111-1111-4111-8111-111111111111");

function setUp() {
  const sent: { command: Command; answer: (answer: CommandAnswer) => void }[] = [];
  const store = createChatStore(GAME, {
    sendCommand: (command) => new Promise((answer) => sent.push({ command, answer })),
  });
  const texts = () => store.view().messages.map(({ text }) => text);
  const pending = () => store.view().pending.map(({ text }) => text);
  return { store, sent, texts, pending };
}

function message(number: number, seat: Seat, text: string): ChatMessageView {
  return { number, seat, text, at: number };
}

function done(version: number): CommandAnswer {
  return { type: "done", gameId: GAME, version, status: "active" };
}

describe("the chat of a table", () => {
  it("shows a message when it is sent, and once after it is acknowledged", async () => {
    const { store, sent, texts, pending } = setUp();
    const outcome = store.send(1, "Good luck");
    expect(pending()).toEqual(["Good luck"]);
    expect(sent[0]?.command).toEqual({ type: "chat", gameId: GAME, text: "Good luck" });
    store.receive([message(1, 1, "Good luck")]);
    expect([texts(), pending()]).toEqual([["Good luck"], []]);
    sent[0]?.answer(done(1));
    expect(await outcome).toBeNull();
    expect([texts(), pending()]).toEqual([["Good luck"], []]);
  });

  it("keeps an acknowledged message pending until it arrives from the table", async () => {
    const { store, sent, texts, pending } = setUp();
    const outcome = store.send(2, "hello");
    sent[0]?.answer(done(2));
    await outcome;
    store.receive([message(1, 1, "hello")]);
    expect([texts(), pending()]).toEqual([["hello"], ["hello"]]);
    store.receive([message(2, 2, "hello")]);
    expect([texts(), pending()]).toEqual([["hello", "hello"], []]);
  });

  it("settles an acknowledged message also if the page holds only the newest of a long chat [GAME-12]", async () => {
    const { store, sent, texts, pending } = setUp();
    store.receive(Array.from({ length: 200 }, (_, index) => message(101 + index, 2, "hi")));
    // The server composes its characters, so it is matched by its number only.
    const outcome = store.send(1, "o\u0323\u0301");
    store.receive([message(301, 1, "\u1ECD\u0301")]);
    sent[0]?.answer(done(301));
    await outcome;
    expect([texts().at(-1), pending()]).toEqual(["\u1ECD\u0301", []]);
  });

  it("tells equal messages of both players apart", () => {
    const { store, pending } = setUp();
    void store.send(1, "gg");
    void store.send(1, "gg");
    store.receive([message(1, 2, "gg")]);
    expect(pending()).toEqual(["gg", "gg"]);
    store.receive([message(2, 1, "gg")]);
    expect(pending()).toEqual(["gg"]);
  });

  it("removes a refused message and returns the refusal", async () => {
    const { store, sent, pending } = setUp();
    const outcome = store.send(1, "something foul");
    const refusal = toRefusalView("chat_blocked");
    sent[0]?.answer({ type: "refused", refusal });
    expect(await outcome).toEqual(refusal);
    expect(pending()).toEqual([]);
  });

  it("notifies its listeners of each change", () => {
    const { store } = setUp();
    let calls = 0;
    const stop = store.subscribe(() => {
      calls += 1;
    });
    store.receive([message(1, 2, "hi")]);
    void store.send(1, "hi");
    stop();
    store.receive([message(2, 2, "you there?")]);
    expect(calls).toBe(2);
  });
});
