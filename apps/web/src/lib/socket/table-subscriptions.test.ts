import { toGameId, toPlayerId } from "@holo/kernel/ids.ts";
import type { WatchFrame } from "@holo/protocol/socket/client-frames.ts";
import type { ChatMessageView, TableFrame } from "@holo/protocol/socket/server-frames.ts";
import { describe, expect, it } from "vitest";
import { createTableSubscriptions, type TableHandlers } from "./table-subscriptions.ts";

const GAME = toGameId("11111111-1111-4111-8111-111111111111");

const SILENT: TableHandlers = { onTable: () => {}, onRecord: () => {}, onPresence: () => {}, onMissing: () => {} };
const TABLE: TableFrame = {
  type: "table",
  gameId: GAME,
  since: 0,
  records: [],
  version: 0,
  position: "",
  players: [{ id: toPlayerId("player-ada"), username: "ada" }, null],
  awaySinceAt: [null, null],
  watchers: 0,
  serverNow: 0,
};

function setUp() {
  const asked: WatchFrame[] = [];
  const numbers: number[] = [];
  const tables = createTableSubscriptions(
    (frame) => asked.push(frame) > 0,
    () => 0,
  );
  tables.subscribe(GAME, { ...SILENT, onChat: (messages) => numbers.push(...messages.map(({ number }) => number)) });
  tables.receive(TABLE);
  const say = (...given: number[]) => tables.receive({ type: "chat", gameId: GAME, messages: given.map(message) });
  return { tables, asked, numbers, say };
}

function message(number: number): ChatMessageView {
  return { number, seat: 1, text: `message ${number}`, at: number };
}

describe("the chat of a watched table", () => {
  it("is delivered once and in order", () => {
    const { numbers, say } = setUp();
    say(1, 2);
    say(2, 3);
    say(1);
    say(4);
    expect(numbers).toEqual([1, 2, 3, 4]);
  });

  it("is requested from the newest known message if one is missing", () => {
    const { asked, numbers, say } = setUp();
    say(1);
    say(3);
    say(4);
    expect(numbers).toEqual([1]);
    expect(asked.slice(1)).toEqual([{ type: "watch", gameId: GAME, since: 0, chatSince: 1 }]);
    say(2, 3, 4);
    expect(numbers).toEqual([1, 2, 3, 4]);
  });

  it("is requested again on a new connection", () => {
    const { tables, asked, say } = setUp();
    say(1, 2);
    tables.onDisconnected();
    tables.requestAll();
    expect(asked.at(-1)).toEqual({ type: "watch", gameId: GAME, since: 0, chatSince: 2 });
  });

  it("is not requested without a handler", () => {
    const asked: WatchFrame[] = [];
    const tables = createTableSubscriptions(
      (frame) => asked.push(frame) > 0,
      () => 0,
    );
    tables.subscribe(GAME, SILENT);
    expect(asked).toEqual([{ type: "watch", gameId: GAME, since: 0 }]);
  });
});
