import { type CommandId, toCommandId, toGameId, toPlayerId } from "@holo/kernel/ids.ts";
import { toInstant } from "@holo/kernel/instant.ts";
import type { ServerFrame, TableFrame } from "@holo/protocol/socket/server-frames.ts";
import { CLOSE } from "@holo/protocol/socket/socket-terms.ts";
import type { LogRecord } from "@holo/table/log-record.ts";
import { describe, expect, it } from "vitest";
import type { CommandAnswer } from "./command-queue.ts";
import { createSocket } from "./socket-core.ts";
import type { TableHandlers } from "./table-subscriptions.ts";
import { StandInNetwork } from "./testing/socket-stand-in.ts";

const GAME = toGameId("11111111-1111-4111-8111-111111111111");
const ADA = { id: toPlayerId("player-ada"), username: "ada" };
const CREATE = {
  type: "create",
  game: "chess",
  stake: 10,
  limitMinutes: 5,
  feeBps: 740,
  byInvitation: false,
} as const;
const MOVE = { type: "move", gameId: GAME, atVersion: 2, path: [42, 33] } as const;

function hello(player: typeof ADA | null = ADA): ServerFrame {
  return { type: "hello", protocol: 1, player, serverNow: 0 };
}

function record(version: number, commandId?: CommandId): LogRecord {
  const moved = { type: "moved", path: [42, 33], chargedMs: 0, remainingMs: [1, 1] } as const;
  return {
    version,
    at: toInstant(version),
    by: 1,
    events: version === 1 ? [created()] : [moved],
    ...(commandId === undefined ? {} : { commandId }),
  };
}

function created() {
  return {
    type: "created",
    game: "checkers",
    stake: 1,
    limitMs: 1,
    feeBps: 0,
    player: ADA.id,
  } as const;
}

function table(since: number, version: number): TableFrame {
  const records = Array.from({ length: Math.max(0, version - since) }, (_, index) => record(since + index + 1));
  return {
    type: "table",
    gameId: GAME,
    since,
    records,
    version,
    position: "",
    players: [ADA, null],
    awaySinceAt: [null, null],
    watchers: 0,
    serverNow: 0,
  };
}

function setUp() {
  const world = new StandInNetwork();
  world.opened = (connection) => connection.send(hello());
  const socket = createSocket(world, () => {});
  return { world, socket };
}

function collect() {
  const versions: number[] = [];
  const handlers: TableHandlers = {
    onTable: (frame) => versions.push(...frame.records.map((given) => given.version)),
    onRecord: (given) => versions.push(given.version),
    onPresence: () => {},
    onMissing: () => {},
  };
  return { versions, handlers };
}

async function settled(promise: Promise<CommandAnswer>): Promise<CommandAnswer | "open"> {
  return Promise.race([promise, Promise.resolve("open" as const)]);
}

describe("the connection", () => {
  it("reconnects at once, then with growing delays up to four seconds", () => {
    const { world, socket } = setUp();
    const openedAt: number[] = [];
    world.opened = (connection) => {
      openedAt.push(world.clock.time);
      connection.close();
    };
    socket.onFrame(() => {});
    world.clock.advance(16_000);
    expect(openedAt).toEqual([0, 0, 250, 750, 1_750, 3_750, 7_750, 11_750, 15_750]);
    expect(socket.connectionState()).toBe("unreachable");
  });

  it("is connected after the hello, then reconnecting, then the server is unreachable [PRES-04]", () => {
    const { world, socket } = setUp();
    socket.onFrame(() => {});
    world.clock.advance(10);
    expect(socket.connectionState()).toBe("connected");
    world.opened = (connection) => connection.close();
    world.last.close();
    expect(socket.connectionState()).toBe("reconnecting");
    world.clock.advance(10_000);
    expect(socket.connectionState()).toBe("unreachable");
    world.online = false;
    socket.sleep();
    expect(socket.connectionState()).toBe("offline");
    world.online = true;
    socket.wake();
    expect(socket.connectionState()).toBe("reconnecting");
    world.opened = (connection) => connection.send(hello());
    world.clock.advance(4_000);
    expect(socket.connectionState()).toBe("connected");
  });

  it("is no player's being offline where the browser reports that even while connected [PRES-04]", () => {
    const { world, socket } = setUp();
    world.online = false;
    socket.onFrame(() => {});
    world.clock.advance(10);
    world.opened = (connection) => connection.close();
    world.last.close();
    expect(socket.connectionState()).toBe("reconnecting");
    world.clock.advance(10_000);
    expect(socket.connectionState()).toBe("unreachable");
  });

  it("retries at once when the device is back", () => {
    const { world, socket } = setUp();
    socket.onFrame(() => {});
    world.clock.advance(10);
    world.online = false;
    world.opened = (connection) => connection.close();
    world.last.close();
    world.clock.advance(9_000);
    const before = world.connections.length;
    world.online = true;
    socket.wake();
    expect(world.connections.length).toBe(before + 1);
  });

  // [PRES-05 §4] A lost connection is said within two seconds of a missed beat, which is due after four silent
  // seconds.
  it("is in doubt two seconds after a missed beat, and trusted again with the next frame [PRES-05]", () => {
    const { world, socket } = setUp();
    socket.watchTable(GAME, collect().handlers);
    world.clock.advance(10);
    world.last.send(table(0, 1));
    world.last.isSilent = true;
    world.clock.advance(4_500);
    expect(world.last.received.length).toBe(2);
    expect(socket.connectionState()).toBe("connected");
    world.clock.advance(2_000);
    expect(socket.connectionState()).toBe("silent");
    world.last.isSilent = false;
    world.last.send({ type: "wallet", balance: "1", sequence: 1 });
    expect(socket.connectionState()).toBe("connected");
    expect(world.connections.length).toBe(1);
  });

  it("says within two seconds that a device is offline, unless frames still arrive [PRES-05]", () => {
    const { world, socket } = setUp();
    socket.watchTable(GAME, collect().handlers);
    world.clock.advance(10);
    world.last.send(table(0, 1));
    world.online = false;
    socket.sleep();
    world.last.send(table(1, 1));
    world.clock.advance(2_000);
    expect(socket.connectionState()).toBe("connected");
    world.last.isSilent = true;
    socket.sleep();
    world.clock.advance(2_000);
    expect(socket.connectionState()).toBe("offline");
    world.online = true;
    world.last.isSilent = false;
    socket.wake();
    world.last.send(table(1, 1));
    expect(socket.connectionState()).toBe("connected");
  });

  it("calls a server unreachable that accepts connections and stays silent", () => {
    const { world, socket } = setUp();
    world.opened = () => {};
    socket.onFrame(() => {});
    world.clock.advance(3_900);
    expect(socket.connectionState()).toBe("connecting");
    world.clock.advance(200);
    expect(socket.connectionState()).toBe("unreachable");
  });

  it("gives up an attempt without an answer after nine seconds", () => {
    const { world, socket } = setUp();
    world.opened = () => {};
    socket.onFrame(() => {});
    world.clock.advance(8_900);
    expect(world.connections.length).toBe(1);
    world.clock.advance(700);
    expect(world.connections.length).toBe(2);
    expect(world.connections[0]?.isDropped).toBe(true);
  });

  it.each(["greeted", "not admitted"])("waits as long as the server asks: %s [CALL-26]", (state) => {
    const { world, socket } = setUp();
    if (state === "not admitted") world.opened = () => {};
    socket.onFrame(() => {});
    world.clock.advance(10);
    world.last.send({ type: "restarting", reconnectInMs: 3_000 });
    world.last.close(CLOSE.restarting);
    world.clock.advance(2_900);
    expect(world.connections.length).toBe(1);
    world.clock.advance(200);
    expect(world.connections.length).toBe(2);
  });

  it("does not displace another tab of the player", () => {
    const { world, socket } = setUp();
    socket.onFrame(() => {});
    world.clock.advance(10);
    world.last.close(CLOSE.tooMany);
    world.clock.advance(60_000);
    expect(world.connections.length).toBe(1);
    expect(socket.connectionState()).toBe("displaced");
    socket.wake();
    expect(world.connections.length).toBe(2);
  });

  it("goes on trying while the server has no room for its address", () => {
    const { world, socket } = setUp();
    socket.onFrame(() => {});
    world.clock.advance(5);
    world.last.close(CLOSE.busy);
    expect(socket.connectionState()).toBe("busy");
    world.clock.advance(1_900);
    expect(world.connections.length).toBe(1);
    world.clock.advance(4_200);
    expect(world.connections.length).toBe(2);
    expect(socket.connectionState()).toBe("connected");
  });

  it("ignores a connection that it left", () => {
    const { world, socket } = setUp();
    const heard: ServerFrame[] = [];
    socket.onFrame((frame) => heard.push(frame));
    world.clock.advance(10);
    socket.reconnect();
    world.clock.advance(10);
    heard.length = 0;
    world.connections[0]?.send({ type: "wallet", balance: "1", sequence: 1 });
    world.connections[0]?.close();
    expect(heard).toEqual([]);
    expect(socket.connectionState()).toBe("connected");
  });
});

describe("a command", () => {
  it("is answered by a done, a refusal or a record with its id", async () => {
    const { world, socket } = setUp();
    const cancel = socket.sendCommand({ type: "cancel", gameId: GAME, whileWaiting: false });
    const resign = socket.sendCommand({ type: "resign", gameId: GAME });
    const move = socket.sendCommand(MOVE);
    world.clock.advance(10);
    expect(world.last.received.map((frame) => frame.type)).toEqual(["cancel", "resign", "move"]);
    const refusal = { code: "not_started", title: "Error", text: "" } as const;
    world.last.send({ type: "done", commandId: toCommandId("command-1"), gameId: GAME, version: 3, status: "ended" });
    world.last.send({ type: "refused", commandId: toCommandId("command-2"), refusal });
    world.last.send({ type: "record", gameId: GAME, record: record(4, toCommandId("command-3")) });
    expect(await cancel).toEqual({ type: "done", gameId: GAME, version: 3, status: "ended" });
    expect(await resign).toEqual({ type: "refused", refusal });
    expect(await move).toEqual({ type: "moved", gameId: GAME, record: record(4, toCommandId("command-3")) });
  });

  it("is sent again with its id after 2.5 seconds and on each new connection", async () => {
    const { world, socket } = setUp();
    const move = socket.sendCommand(MOVE);
    world.clock.advance(2_400);
    expect(world.last.received.length).toBe(1);
    world.clock.advance(600);
    expect(world.last.received.length).toBe(2);
    world.last.close();
    world.clock.advance(10);
    expect(world.connections.length).toBe(2);
    expect(world.last.received).toEqual([{ ...MOVE, commandId: toCommandId("command-1") }]);
    expect(await settled(move)).toBe("open");
  });

  it("stays open when its outcome is unknown, and is sent again with its id [ERR-38]", async () => {
    const { world, socket } = setUp();
    const create = socket.sendCommand(CREATE);
    const commandId = toCommandId("command-1");
    for (let copies = 1; copies <= 6; copies += 1) {
      world.clock.advance(10);
      expect(world.last.received.map((frame) => "commandId" in frame && frame.commandId)).toEqual(
        Array.from({ length: copies }, () => commandId),
      );
      world.last.send({ type: "retry", commandId });
      world.clock.advance(2_990);
    }
    expect(world.connections.length).toBe(1);
    expect(await settled(create)).toBe("open");
    world.last.send({ type: "done", commandId, gameId: GAME, version: 1, status: "waiting" });
    expect(await create).toMatchObject({ type: "done", gameId: GAME });
  });

  // [ERR-42 §8 r1] A match that could not be created or joined for 20 seconds without a connection is given up:
  // 'Failed to create match. Please try again.' or 'Failed to join match. Please try again.' Nothing is taken once
  // the connection is back.
  it("that takes coins is given up if no connection took it for 20 seconds, and is never sent later [ERR-42]", async () => {
    const { world, socket } = setUp();
    socket.onFrame(() => {});
    world.clock.advance(10);
    world.opened = (connection) => connection.close();
    world.last.close();
    const join = socket.sendCommand({ type: "join", gameId: GAME });
    const resign = socket.sendCommand({ type: "resign", gameId: GAME });
    world.clock.advance(19_000);
    expect(await settled(join)).toBe("open");
    world.clock.advance(1_000);
    expect(await join).toMatchObject({ type: "refused", refusal: { code: "unavailable" } });
    world.opened = (connection) => connection.send(hello());
    world.clock.advance(10_000);
    expect(new Set(world.last.received.map((frame) => frame.type))).toEqual(new Set(["resign"]));
    expect(await settled(resign)).toBe("open");
  });

  // [ERR-44 §8 r1] A match or rematch whose request reaches the server over 30 seconds after the click, because the
  // connection was dead, takes nothing: 'That took too long'. If it had arrived the first time, its game is shown.
  it("that takes coins and was sent once is asked for until its outcome is known, and says how old it is [ERR-44]", async () => {
    const { world, socket } = setUp();
    const join = socket.sendCommand({ type: "join", gameId: GAME });
    world.clock.advance(10);
    world.opened = (connection) => connection.close();
    world.last.close();
    world.clock.advance(60_000);
    world.opened = (connection) => connection.send(hello());
    world.clock.advance(10_000);
    const frame = { type: "join", gameId: GAME, commandId: toCommandId("command-1") };
    expect(world.last.received[0]).toEqual({ ...frame, sentAgoMs: expect.toSatisfy((ms) => ms >= 60_000) });
    expect(await settled(join)).toBe("open");
  });

  it("that was sent on a dead connection says how long the device slept since; a move says nothing [ERR-44]", async () => {
    const { world, socket } = setUp();
    world.clock.advance(10);
    socket.sendCommand(CREATE);
    socket.sendCommand(MOVE);
    world.clock.advance(3_000);
    world.sleptMs = 600_000;
    world.last.close();
    world.clock.advance(10);
    const [first, move, resent, , late, lateMove] = world.connections.flatMap(({ received }) => received);
    expect(first).toMatchObject({ type: "create", sentAgoMs: 0 });
    expect(resent).toEqual({ ...first, sentAgoMs: 2_500 });
    expect(late).toEqual({ ...first, sentAgoMs: expect.toSatisfy((ms) => ms >= 600_000 && ms < 700_000) });
    expect(lateMove).toEqual(move);
  });

  it("is answered by a record that arrives after a reconnect", async () => {
    const { world, socket } = setUp();
    socket.watchTable(GAME, collect().handlers);
    const move = socket.sendCommand(MOVE);
    world.clock.advance(10);
    world.last.send({ ...table(0, 1), records: [record(1), record(2, toCommandId("command-1"))], version: 2 });
    expect(await move).toMatchObject({ type: "moved", record: { version: 2 } });
  });

  it("gives up a connection that is silent for nine seconds", () => {
    const { world, socket } = setUp();
    socket.onFrame(() => {});
    world.clock.advance(60_000);
    world.last.isSilent = true;
    void socket.sendCommand(MOVE);
    world.clock.advance(8_500);
    expect(world.connections.length).toBe(1);
    world.clock.advance(1_000);
    expect(world.connections.length).toBe(2);
    expect(world.last.received).toEqual([{ ...MOVE, commandId: toCommandId("command-1") }]);
  });

  it("is never sent for another player", async () => {
    const { world, socket } = setUp();
    socket.onFrame(() => {});
    world.clock.advance(10);
    world.last.isSilent = true;
    const move = socket.sendCommand(MOVE);
    world.opened = (connection) => connection.send(hello({ id: toPlayerId("player-bola"), username: "bola" }));
    world.last.close();
    world.clock.advance(10);
    expect(world.last.received).toEqual([]);
    expect(await move).toMatchObject({ type: "refused", refusal: { code: "login_required" } });
  });
});

describe("a watched table", () => {
  it("requests missing records once and delivers each record once", () => {
    const { world, socket } = setUp();
    const { versions, handlers } = collect();
    socket.watchTable(GAME, handlers);
    world.clock.advance(10);
    world.last.send(table(0, 2));
    world.last.send({ type: "record", gameId: GAME, record: record(2) });
    world.last.send({ type: "record", gameId: GAME, record: record(4) });
    world.last.send({ type: "record", gameId: GAME, record: record(5) });
    expect(world.last.received.slice(1)).toEqual([{ type: "watch", gameId: GAME, since: 2 }]);
    world.last.send(table(2, 5));
    world.last.send({ type: "record", gameId: GAME, record: record(6) });
    expect(versions).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it("resumes from its version after a lost connection [CALL-07]", () => {
    const { world, socket } = setUp();
    const { versions, handlers } = collect();
    socket.watchTable(GAME, handlers);
    world.clock.advance(10);
    world.last.send(table(0, 3));
    world.last.close();
    world.clock.advance(10);
    expect(world.last.received).toEqual([{ type: "watch", gameId: GAME, since: 3 }]);
    world.last.send(table(3, 4));
    expect(versions).toEqual([1, 2, 3, 4]);
  });

  it("restarts on request, despite answers in flight", () => {
    const { world, socket } = setUp();
    const { versions, handlers } = collect();
    const watch = socket.watchTable(GAME, handlers);
    world.clock.advance(10);
    world.last.send(table(0, 3));
    versions.length = 0;
    watch.restart();
    world.last.send(table(3, 4));
    expect(versions).toEqual([]);
    world.last.send(table(0, 4));
    expect(versions).toEqual([1, 2, 3, 4]);
  });

  // [CONST-12 §9 r2] Where the specification polls, no view is older than its interval: changes are pushed and quiet
  // connections are probed.
  it("probes a quiet connection and gives it up after nine seconds [CONST-12]", () => {
    const { world, socket } = setUp();
    socket.watchTable(GAME, collect().handlers);
    world.clock.advance(10);
    world.last.send(table(0, 1));
    world.last.isSilent = true;
    world.clock.advance(3_500);
    expect(world.last.received.length).toBe(1);
    world.clock.advance(1_000);
    expect(world.last.received.length).toBe(2);
    expect(world.connections.length).toBe(1);
    world.clock.advance(9_000);
    expect(world.connections.length).toBe(2);
  });

  it("requests a silent table until it is answered, despite other traffic", () => {
    const { world, socket } = setUp();
    socket.watchTable(GAME, collect().handlers);
    world.clock.advance(10);
    world.last.send(table(0, 1));
    const chatter = (ms: number): void => {
      for (let passed = 0; passed < ms; passed += 500) {
        world.last.send({ type: "stats", playersOnline: 1, gamesPlaying: 0 });
        world.clock.advance(500);
      }
    };
    chatter(5_000);
    expect(world.last.received.length).toBe(2);
    chatter(3_000);
    expect(world.last.received.length).toBe(3);
    world.last.send(table(1, 2));
    chatter(3_000);
    expect(world.last.received.length).toBe(3);
  });

  it("accepts a chat whose oldest messages are no longer sent, once", () => {
    const { world, socket } = setUp();
    const heard: number[] = [];
    const { handlers } = collect();
    socket.watchTable(GAME, { ...handlers, onChat: (messages) => heard.push(...messages.map(({ number }) => number)) });
    world.clock.advance(10);
    world.last.send(table(0, 1));
    const asked = world.last.received.length;
    const message = (number: number) => ({ number, seat: 1, text: "gg", at: 0 }) as const;
    world.last.send({ type: "chat", gameId: GAME, messages: [message(150), message(151)], isRest: true });
    world.last.send({ type: "chat", gameId: GAME, messages: [message(151)] });
    expect(heard).toEqual([150, 151]);
    expect(world.last.received.length).toBe(asked);
    world.last.send({ type: "chat", gameId: GAME, messages: [message(153)] });
    expect(heard).toEqual([150, 151]);
    expect(world.last.received.at(-1)).toEqual({ type: "watch", gameId: GAME, since: 1, chatSince: 151 });
  });

  it("gives up a connection that died while the device slept", () => {
    const { world, socket } = setUp();
    socket.watchTable(GAME, collect().handlers);
    world.clock.advance(10);
    world.last.send(table(0, 1));
    world.last.isSilent = true;
    world.clock.time += 60_000;
    socket.wake();
    world.clock.advance(2_400);
    expect(world.connections.length).toBe(1);
    world.clock.advance(200);
    expect(world.connections.length).toBe(2);
  });

  it("keeps a connection that answers after the device wakes", () => {
    const { world, socket } = setUp();
    socket.watchTable(GAME, collect().handlers);
    world.clock.advance(10);
    world.last.send(table(0, 1));
    world.clock.time += 60_000;
    socket.wake();
    world.last.send(table(1, 1));
    world.clock.advance(3_000);
    expect(world.connections.length).toBe(1);
  });

  it("that is missing is requested no more often than a quiet one", () => {
    const { world, socket } = setUp();
    world.hear = (connection, frame) => {
      if (frame.type === "watch") world.clock.after(50, () => connection.send({ type: "no_table", gameId: GAME }));
    };
    socket.watchTable(GAME, collect().handlers);
    world.clock.advance(64_000);
    expect(world.last.received.length).toBeGreaterThan(10);
    expect(world.last.received.length).toBeLessThanOrEqual(17);
  });

  it("is unsubscribed with its last watcher", () => {
    const { world, socket } = setUp();
    const first = socket.watchTable(GAME, collect().handlers);
    const second = socket.watchTable(GAME, collect().handlers);
    world.clock.advance(10);
    first.stop();
    expect(world.last.received.some((frame) => frame.type === "unwatch")).toBe(false);
    second.stop();
    expect(world.last.received.at(-1)).toEqual({ type: "unwatch", gameId: GAME });
  });
});

describe("a page without a table", () => {
  // [PRES-06 §4] A connection that died in silence is noticed on pages without a table too: within 2.5 seconds after
  // the device wakes, else within 30 seconds.
  it("gives up a connection that died while the device slept [PRES-06]", () => {
    const { world, socket } = setUp();
    socket.onFrame(() => {});
    world.clock.advance(10);
    world.last.isSilent = true;
    world.clock.time += 600_000;
    socket.sleep();
    socket.wake();
    world.clock.advance(3_000);
    expect(world.connections.length).toBe(2);
  });

  it("asks a quiet connection every 20 seconds, and gives up one that does not answer [PRES-06]", () => {
    const { world, socket } = setUp();
    socket.onFrame(() => {});
    world.clock.advance(62_000);
    expect(world.last.probes).toBe(3);
    expect(socket.connectionState()).toBe("connected");
    world.last.isSilent = true;
    world.clock.advance(31_000);
    expect(world.connections.length).toBe(2);
  });

  it("is not asked while frames arrive", () => {
    const { world, socket } = setUp();
    socket.onFrame(() => {});
    for (let second = 0; second < 60; second += 10) {
      world.clock.advance(10_000);
      world.last.send({ type: "stats", playersOnline: 1, gamesPlaying: 0 });
    }
    expect(world.last.probes).toBe(0);
  });
});

describe("a subscription", () => {
  const availability = (receive: (frame: ServerFrame) => void) =>
    ({ watch: { type: "watch_availability" }, unwatch: { type: "unwatch_availability" }, receive }) as const;

  it("is requested on each connection until its last subscriber leaves [CONST-12]", () => {
    const { world, socket } = setUp();
    const heard: string[] = [];
    const stop = socket.subscribe(availability(({ type }) => heard.push(`first ${type}`)));
    const stopSecond = socket.subscribe(availability(({ type }) => heard.push(`second ${type}`)));
    world.clock.advance(10);
    world.last.send({ type: "availability", waiting: [] });
    world.last.close();
    world.clock.advance(10);
    expect(world.last.received).toEqual([{ type: "watch_availability" }, { type: "watch_availability" }]);
    stop();
    expect(world.last.received).toHaveLength(2);
    stopSecond();
    expect(world.last.received.at(-1)).toEqual({ type: "unwatch_availability" });
    world.last.send({ type: "availability", waiting: [] });
    expect(heard.filter((text) => text.endsWith("availability"))).toEqual([
      "first availability",
      "second availability",
    ]);
  });
});
