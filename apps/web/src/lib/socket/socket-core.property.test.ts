import { assertNever } from "@holo/kernel/assert.ts";
import { type CommandId, toGameId, toPlayerId } from "@holo/kernel/ids.ts";
import { toInstant } from "@holo/kernel/instant.ts";
import type { ClientFrame } from "@holo/protocol/socket/client-frames.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import type { LogRecord } from "@holo/table/log-record.ts";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createSocket } from "./socket-core.ts";
import { type StandInConnection, StandInNetwork } from "./testing/socket-stand-in.ts";

if (!process.env.DEEP) fc.configureGlobal({ seed: 20_261_123 });

const GAME = toGameId("11111111-1111-4111-8111-111111111111");
const ADA = { id: toPlayerId("player-ada"), username: "ada" };

type Happening =
  | { readonly type: "move" }
  | { readonly type: "resign" }
  | { readonly type: "opponent" }
  | { readonly type: "cut" }
  | { readonly type: "silence" }
  | { readonly type: "double" }
  | { readonly type: "wait"; readonly ms: number };

const happenings = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ type: fc.constantFrom("move", "resign", "opponent") }) },
    { weight: 2, arbitrary: fc.record({ type: fc.constantFrom("cut", "silence", "double") }) },
    { weight: 4, arbitrary: fc.record({ type: fc.constant("wait"), ms: fc.integer({ min: 1, max: 12_000 }) }) },
  ),
  { maxLength: 60 },
) as fc.Arbitrary<Happening[]>;

function serve(world: StandInNetwork, delaysMs: readonly number[]) {
  const log: LogRecord[] = [append(1, 1)];
  const carriedOut = new Map<string, number>();
  const watching = new Set<StandInConnection>();
  let delays = 0;

  function append(version: number, by: 1 | 2, commandId?: CommandId): LogRecord {
    const id = commandId === undefined ? {} : { commandId };
    const created = { type: "created", game: "chess", stake: 1, limitMs: 1, feeBps: 0 } as const;
    const moved = { type: "moved", path: [0, 1], chargedMs: 0, remainingMs: [1, 1] } as const;
    const events = version === 1 ? [{ ...created, player: ADA.id }] : [moved];
    return { version, at: toInstant(version), by, events, ...id };
  }

  const lineEnds = new Map<StandInConnection, number>();
  function later(connection: StandInConnection, act: () => void): void {
    delays += 1;
    const arrivesAt = world.clock.time + (delaysMs[delays % delaysMs.length] ?? 0);
    const at = Math.max(arrivesAt, lineEnds.get(connection) ?? 0);
    lineEnds.set(connection, at);
    world.clock.after(at - world.clock.time, act);
  }

  function commit(by: 1 | 2, commandId?: CommandId): LogRecord {
    const record = append(log.length + 1, by, commandId);
    log.push(record);
    for (const connection of watching)
      later(connection, () => connection.send({ type: "record", gameId: GAME, record: record }));
    return record;
  }

  function answer(connection: StandInConnection, frame: ClientFrame): ServerFrame | null {
    switch (frame.type) {
      case "watch":
        watching.add(connection);
        return {
          type: "table",
          gameId: GAME,
          since: frame.since,
          records: log.slice(frame.since),
          version: log.length,
          position: "",
          players: [ADA, null],
          awaySinceAt: [null, null],
          watchers: 0,
          serverNow: 0,
        };
      case "move":
      case "resign": {
        const id = frame.commandId;
        const version = carriedOut.get(id) ?? commit(1, id).version;
        const isRepeat = carriedOut.has(id);
        carriedOut.set(id, version);
        if (frame.type === "move" && !isRepeat && watching.has(connection)) return null;
        return { type: "done", commandId: id, gameId: GAME, version, status: "active" };
      }
      default:
        return null;
    }
  }

  world.opened = (connection) => {
    later(connection, () => connection.send({ type: "hello", protocol: 1, player: ADA, serverNow: 0 }));
  };
  world.hear = (connection, frame) => {
    later(connection, () => {
      const said = answer(connection, frame);
      if (said !== null) later(connection, () => connection.send(said));
    });
  };
  return { log, carriedOut, commit };
}

it("answers each command and delivers each record once and in order on any network", async () => {
  await fc.assert(
    fc.asyncProperty(
      happenings,
      fc.array(fc.integer({ min: 0, max: 4_000 }), { minLength: 1, maxLength: 9 }),
      async (steps, delaysMs) => {
        const world = new StandInNetwork();
        const server = serve(world, delaysMs);
        const socket = createSocket(world, () => {});
        const given: number[] = [];
        let asked = 0;
        let answered = 0;
        socket.watchTable(GAME, {
          onTable: (frame) => given.push(...frame.records.map((record) => record.version)),
          onRecord: (record) => given.push(record.version),
          onPresence: () => {},
          onMissing: () => {},
        });
        const ask = (command: Parameters<typeof socket.sendCommand>[0]) => {
          asked += 1;
          void socket.sendCommand(command).then(() => {
            answered += 1;
          });
        };
        for (const step of steps) {
          switch (step.type) {
            case "move":
              ask({ type: "move", gameId: GAME, atVersion: 1, path: [0, 1] });
              break;
            case "resign":
              ask({ type: "resign", gameId: GAME });
              break;
            case "opponent":
              server.commit(2);
              break;
            case "cut":
              world.last.close();
              break;
            case "silence":
              world.last.isSilent = true;
              break;
            case "double":
              world.last.send({ type: "record", gameId: GAME, record: server.log.at(-1)! });
              break;
            case "wait":
              world.clock.advance(step.ms);
              break;
            default:
              assertNever(step);
          }
        }
        world.clock.advance(120_000);
        await new Promise((resolve) => setImmediate(resolve));
        expect(answered).toBe(asked);
        expect(server.carriedOut.size).toBe(asked);
        expect(given).toEqual(server.log.map((record) => record.version));
      },
    ),
    { numRuns: 150 },
  );
});
