import { checkers } from "@holo/checkers/checkers.ts";
import { type PlayerId, toCommandId, toGameId, toPlayerId } from "@holo/kernel/ids.ts";
import { type Instant, toInstant } from "@holo/kernel/instant.ts";
import type { RefusalView } from "@holo/protocol/refusals/refusals.ts";
import type { TableFrame } from "@holo/protocol/socket/server-frames.ts";
import { NO_DELIVERY } from "@holo/table/clock.ts";
import type { TableCommand } from "@holo/table/command.ts";
import { decide, decideCreate } from "@holo/table/decide.ts";
import { openTable } from "@holo/table/evolve.ts";
import type { LogRecord } from "@holo/table/log-record.ts";
import { describe, expect, it } from "vitest";
import type { Command, CommandAnswer } from "../../../lib/socket/command-queue.ts";
import type { TableHandlers } from "../../../lib/socket/table-subscriptions.ts";
import { createTableStore } from "./table-store.ts";
import type { ShownTable } from "./table-view.ts";

const GAME = toGameId("11111111-1111-4111-8111-111111111111");
const ADA = { id: toPlayerId("player-ada"), username: "ada" };
const BOLA = { id: toPlayerId("player-bola"), username: "bola" };
const C3_D4 = [42, 35];
const ANSWER = { seat: 2, path: [17, 26] } as const;

function setUp() {
  let handlers: TableHandlers | null = null;
  const asked: string[] = [];
  const sent: { command: Command; answer: (answer: CommandAnswer) => void }[] = [];
  const refused: RefusalView[] = [];
  const store = createTableStore(GAME, {
    loadRules: async () => checkers,
    now: () => 5_000,
    onRefused: (refusal) => refused.push(refusal),
    sendCommand: (command) => new Promise((answer) => sent.push({ command, answer })),
    watchTable: (_gameId, given) => {
      handlers = given;
      return {
        restart: () => asked.push("restart"),
        refresh: () => asked.push("refresh"),
        stop: () => asked.push("stop"),
      };
    },
  });
  const log: LogRecord[] = [];
  const first = decideCreate("checkers", 1, 300_000, 740, ADA.id, toInstant(1), toCommandId("command-0"));
  log.push(first);
  let state = openTable(checkers, GAME, first);
  function carryOut(command: TableCommand, at: Instant = toInstant(1_000 + log.length)): LogRecord {
    const decided = decide(checkers, state, command, at);
    if (!decided.ok || decided.value.type !== "decided") throw new Error("the test asked for what cannot be");
    state = decided.value.next;
    log.push(decided.value.record);
    return decided.value.record;
  }
  function join(): LogRecord {
    return carryOut({ type: "join", id: toCommandId("command-join"), player: BOLA.id, pairing: "address" });
  }
  function moveBy(player: PlayerId, path: readonly number[]): LogRecord {
    return carryOut({
      type: "move",
      id: toCommandId(`command-${log.length}`),
      player,
      atVersion: state.boardVersion,
      path,
      delivery: NO_DELIVERY,
    });
  }
  function frame(since = 0, change: Partial<TableFrame> = {}): TableFrame {
    return {
      type: "table",
      gameId: GAME,
      since,
      records: log.slice(since),
      version: log.length,
      position: checkers.formatPosition(state.position),
      players: [ADA, state.players[1] === null ? null : BOLA],
      awaySinceAt: [null, null],
      watchers: 0,
      serverNow: 5_000,
      ...change,
    };
  }
  const page = () => {
    if (handlers === null) throw new Error("nothing is watched");
    return handlers;
  };
  const shown = (): ShownTable => {
    const view = store.view();
    if (view.type !== "ready") throw new Error(`the table is ${view.type}`);
    return view;
  };
  return { store, page, shown, asked, sent, refused, join, moveBy, frame };
}

async function pause(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe("the table store", () => {
  it("shows the table and all queued frames once the rules are loaded", async () => {
    const { store, page, shown, join, moveBy, frame } = setUp();
    join();
    page().onTable(frame());
    page().onRecord(moveBy(ADA.id, C3_D4));
    expect(store.view().type).toBe("loading");
    await pause();
    expect(shown().table.version).toBe(3);
    expect(shown().moveTexts).toEqual(["c3-d4"]);
    expect(shown().players).toEqual([ADA, BOLA]);
  });

  it("applies presence that arrived while the rules were loading", async () => {
    const { page, shown, join, frame } = setUp();
    join();
    page().onTable(frame(0, { awaySinceAt: [null, 4_000] }));
    page().onPresence(2, null);
    await pause();
    expect(shown().awaySinceAt).toEqual([null, null]);
  });

  it("requests the name of a player who joined", async () => {
    const { page, shown, asked, join, frame } = setUp();
    page().onTable(frame());
    await pause();
    page().onRecord(join());
    expect(asked).toEqual(["refresh"]);
    page().onTable(frame(2));
    expect(shown().players[1]).toEqual(BOLA);
  });

  it("draws a move at once and replaces it by its record", async () => {
    const { store, page, shown, sent, join, moveBy, frame } = setUp();
    join();
    page().onTable(frame());
    await pause();
    store.move(C3_D4);
    expect(shown().pending?.move.path).toEqual(C3_D4);
    expect(shown().pending?.sentAt).toBe(5_000);
    expect(sent.map(({ command }) => command)).toEqual([{ type: "move", gameId: GAME, atVersion: 2, path: C3_D4 }]);
    store.move([44, 35]);
    expect(sent.length).toBe(1);
    page().onRecord(moveBy(ADA.id, C3_D4));
    expect(shown().pending).toBeNull();
    expect(shown().table.moves.length).toBe(1);
  });

  it("reverts a refused move, and refreshes a board that had changed [ERR-22]", async () => {
    const { store, page, shown, sent, refused, asked, join, frame } = setUp();
    join();
    page().onTable(frame());
    await pause();
    store.move(C3_D4);
    const refusal = { code: "stale_version", title: "Error", text: "" } as const;
    sent[0]?.answer({ type: "refused", refusal });
    await pause();
    expect(shown().pending).toBeNull();
    expect(refused).toEqual([refusal]);
    expect(asked).toEqual(["refresh"]);
  });

  // [TURN-02 §4 r1] A move out of turn or an illegal move is refused and changes nothing.
  it("ignores an illegal move [TURN-02]", async () => {
    const { store, page, sent, join, frame } = setUp();
    join();
    page().onTable(frame());
    await pause();
    store.move([42, 34]);
    expect(sent).toEqual([]);
  });

  it("restarts from the first record when the boards differ, once [CHESS-10]", async () => {
    const { store, page, shown, asked, join, moveBy, frame } = setUp();
    join();
    page().onTable(frame());
    await pause();
    moveBy(ADA.id, C3_D4);
    page().onTable(frame(2, { position: "W:W21:B12" }));
    expect(asked).toEqual(["restart"]);
    expect(shown().table.version).toBe(2);
    page().onTable(frame());
    expect(shown().table.version).toBe(3);
    page().onTable(frame(3, { version: 9 }));
    page().onTable(frame(0, { version: 9 }));
    expect(store.view()).toEqual({ type: "broken" });
  });

  it("sends a premove only after the opponent's move", async () => {
    const { store, page, shown, sent, join, moveBy, frame } = setUp();
    join();
    page().onTable(frame());
    await pause();
    store.premove(ANSWER);
    expect(shown().premove).toEqual(ANSWER);
    expect(sent).toEqual([]);
    page().onRecord(moveBy(ADA.id, C3_D4));
    expect(sent.map(({ command }) => command)).toEqual([{ type: "move", gameId: GAME, atVersion: 3, path: [17, 26] }]);
    expect(shown().pending?.move.path).toEqual([17, 26]);
    expect(shown().premove).toBeNull();
  });

  it("drops a premove that turns out illegal", async () => {
    const { store, page, shown, sent, join, moveBy, frame } = setUp();
    join();
    page().onTable(frame());
    await pause();
    store.premove({ seat: 2, path: [26, 35] });
    page().onRecord(moveBy(ADA.id, C3_D4));
    expect(shown().premove).toBeNull();
    expect(shown().pending).toBeNull();
    expect(sent).toEqual([]);
  });

  it("keeps a premove while the move before it is acknowledged", async () => {
    const { store, page, shown, sent, join, moveBy, frame } = setUp();
    join();
    page().onTable(frame());
    await pause();
    store.move(C3_D4);
    const next = { seat: 1, path: [46, 37] } as const;
    store.premove(next);
    page().onRecord(moveBy(ADA.id, C3_D4));
    expect(shown().premove).toEqual(next);
    page().onRecord(moveBy(BOLA.id, [17, 24]));
    expect(sent.at(-1)?.command).toMatchObject({ path: [46, 37] });
  });

  it("drops a premove on a refused move, a lost connection or a request", async () => {
    const { store, page, shown, sent, join, frame } = setUp();
    join();
    page().onTable(frame());
    await pause();
    store.premove(ANSWER);
    page().onDisconnected?.();
    expect(shown().premove).toBeNull();
    store.premove(ANSWER);
    store.premove(null);
    expect(shown().premove).toBeNull();
    store.move(C3_D4);
    store.premove({ seat: 1, path: [46, 37] });
    sent[0]?.answer({ type: "refused", refusal: { code: "time_up", title: "Error", text: "" } });
    await pause();
    expect(shown().premove).toBeNull();
  });

  it("drops a premove on a takeback, even on its turn", async () => {
    const { store, page, shown, sent, join, moveBy, frame } = setUp();
    join();
    moveBy(ADA.id, C3_D4);
    page().onTable(frame());
    await pause();
    store.premove({ seat: 1, path: [46, 37] });
    const { version } = shown().table;
    const taken = { type: "taken_back", seat: 1, plies: 1, remainingMs: [300_000, 300_000] } as const;
    page().onRecord({ version: version + 1, at: toInstant(2_000), by: 2, events: [taken] });
    expect(shown().moveTexts).toEqual([]);
    expect(shown().premove).toBeNull();
    expect(sent).toEqual([]);
  });

  it("refuses a premove of the player to move", async () => {
    const { store, page, shown, join, frame } = setUp();
    join();
    page().onTable(frame());
    await pause();
    store.premove({ seat: 1, path: [42, 35] });
    expect(shown().premove).toBeNull();
  });

  it("tracks each player's presence", async () => {
    const { page, shown, frame } = setUp();
    page().onTable(frame());
    await pause();
    page().onPresence(2, 77);
    expect(shown().awaySinceAt).toEqual([null, 77]);
    page().onPresence(2, null);
    expect(shown().awaySinceAt).toEqual([null, null]);
  });

  it("reports a missing game", () => {
    const { store, page } = setUp();
    page().onMissing();
    expect(store.view()).toEqual({ type: "missing" });
  });
});
