import type { PlayerView } from "@holo/protocol/arena/games.ts";
import { CLOSE } from "@holo/protocol/socket/socket-terms.ts";
import type { WatchCost } from "../../arena/arena.ts";
import { makeRateLimiter, type RateLimit, type RateLimiter } from "../../platform/rate-limiter.ts";
import type { Time } from "../../platform/time/time.ts";
import { KNOWN_PER_ADDRESS } from "../http/request-limits.ts";
import type { Broadcast } from "./broadcast.ts";
import type { Connection, FrameLimits } from "./connection.ts";
import { SendBudget } from "./send-budget.ts";

export interface ConnectionLimits {
  hasRoom(address: string, kind: ConnectionKind): boolean;
  /** Counts a connection that is about to open. Closes the player's oldest beyond the limit. */
  add(connection: Connection): void;
  remove(connection: Connection): void;
  /** Bounds the bytes that wait to be sent to the connections of this address. */
  toSendBudget(address: string): SendBudget;
  toFrameLimits(player: PlayerView | null): FrameLimits;
  tryAcquireFrame(connection: Connection): boolean;
  /** False: the connection has wasted too many frames. */
  tryAcquireWastedFrame(connection: Connection): boolean;
  tryAcquireRead(connection: Connection): boolean;
  chargeWatch(connection: Connection, cost: WatchCost): void;
  chargeList(connection: Connection, matchesSent: number): void;
}

interface ConnectionLimitsDeps {
  readonly time: Time;
  readonly broadcast: Broadcast;
  readonly connectionsPerPlayerMax: number;
  readonly connectionsPerAddressMax: number;
  readonly readsPerAddress: RateLimit;
  readonly framesPerAddress: RateLimit;
  readonly framesPerVisitor: RateLimit;
  readonly wastedFrames: RateLimit;
}

/** Visitors must not take the room of players, who may share a carrier's address with them. */
type ConnectionKind = "players" | "visitors";

interface AddressUse {
  readonly connections: Record<ConnectionKind, number>;
  readonly budget: SendBudget;
}

function toKind({ player }: Pick<Connection, "player">): ConnectionKind {
  return player === null ? "visitors" : "players";
}

/** Far less than 500 connections of one address with 1 MiB each. */
const BUFFERED_BYTES_PER_ADDRESS_MAX = 16 * 2 ** 20;
const BUFFERED_BYTES_MAX = 128 * 2 ** 20;
const FRAMES_PER_CONNECTION: RateLimit = { burst: 400, refillMs: 20 };
/** Over all connections of a player. A frame may cost a query and delay a table. */
const FRAMES_PER_PLAYER: RateLimit = { burst: 400, refillMs: 20 };
/** Sending this many records costs as much as a frame. */
const RECORDS_PER_FRAME = 50;
/** A page of a list: ten pages, asked for one after the other, are within a visitor's limit. */
const MATCHES_PER_FRAME = 30;
/** A visitor's page asks for a whole game once; asking for it again and again is a flood. */
const RECORDS_PER_VISITOR_FRAME = 10;
const VISITOR_FRAMES_MAX = 25;
/** Reading this many records costs as much as opening another table. */
const RECORDS_PER_READ = 300;
/** More than a player needs to open finished games one after the other. */
const READS_PER_PLAYER: RateLimit = { burst: 60, refillMs: 500 };

export function createConnectionLimits(deps: ConnectionLimitsDeps): ConnectionLimits {
  const { time, broadcast, connectionsPerPlayerMax, connectionsPerAddressMax, wastedFrames } = deps;
  const perAddress = new Map<string, AddressUse>();
  const maxOf = { players: KNOWN_PER_ADDRESS * connectionsPerAddressMax, visitors: connectionsPerAddressMax };
  const totalBudget = new SendBudget(BUFFERED_BYTES_MAX);
  const framesOfPlayers = makeRateLimiter(time, FRAMES_PER_PLAYER);
  const readsOfPlayers = makeRateLimiter(time, READS_PER_PLAYER);
  const readsOfAddresses = makeRateLimiter(time, deps.readsPerAddress);
  const framesOfAddresses = makeRateLimiter(time, deps.framesPerAddress);

  function findUse(address: string): AddressUse {
    const known = perAddress.get(address);
    if (known !== undefined) return known;
    const connections = { players: 0, visitors: 0 };
    const use: AddressUse = { connections, budget: new SendBudget(BUFFERED_BYTES_PER_ADDRESS_MAX, totalBudget) };
    perAddress.set(address, use);
    return use;
  }

  /** A player is limited over all addresses, visitors over all connections of their address. */
  function limiterOf(
    { player, source: { address } }: Connection,
    ofPlayers: RateLimiter,
    ofAddresses: RateLimiter,
  ): { readonly limiter: RateLimiter; readonly key: string } {
    return player === null ? { limiter: ofAddresses, key: address } : { limiter: ofPlayers, key: player.id };
  }
  const frameLimiterOf = (connection: Connection) => limiterOf(connection, framesOfPlayers, framesOfAddresses);
  const readLimiterOf = (connection: Connection) => limiterOf(connection, readsOfPlayers, readsOfAddresses);

  /** On a bad network the oldest connections are those that are dead without being noticed. */
  function closeOldest({ player }: Connection): void {
    if (player === null) return;
    const own = broadcast.ofPlayer(player.id).filter(({ isOpen }) => isOpen);
    for (const oldest of own.slice(0, Math.max(0, own.length + 1 - connectionsPerPlayerMax)))
      oldest.close(CLOSE.tooMany);
  }

  return {
    hasRoom: (address, kind) => (perAddress.get(address)?.connections[kind] ?? 0) < maxOf[kind],
    add(connection) {
      closeOldest(connection);
      findUse(connection.source.address).connections[toKind(connection)] += 1;
    },
    remove(connection) {
      connection.noteBuffered();
      const { address } = connection.source;
      const use = findUse(address);
      use.connections[toKind(connection)] -= 1;
      if (use.connections.players + use.connections.visitors <= 0) perAddress.delete(address);
    },
    toSendBudget: (address) => findUse(address).budget,
    toFrameLimits: (player) => ({
      frames: player === null ? deps.framesPerVisitor : FRAMES_PER_CONNECTION,
      wastedFrames,
    }),
    tryAcquireFrame(connection) {
      if (!connection.tryAcquireFrame(time.monotonicMs())) return false;
      const { limiter, key } = frameLimiterOf(connection);
      return limiter.tryAcquire(key);
    },
    tryAcquireWastedFrame: (connection) => connection.tryAcquireWastedFrame(time.monotonicMs()),
    tryAcquireRead(connection) {
      const { limiter, key } = readLimiterOf(connection);
      return limiter.tryAcquire(key);
    },
    chargeWatch(connection, { recordsSent, recordsRead }) {
      const frames = frameLimiterOf(connection);
      frames.limiter.charge(frames.key, recordsSent / RECORDS_PER_FRAME);
      if (connection.player === null) {
        connection.chargeFrames(Math.min(recordsSent / RECORDS_PER_VISITOR_FRAME, VISITOR_FRAMES_MAX));
      }
      const reads = readLimiterOf(connection);
      if (recordsRead > 0) reads.limiter.charge(reads.key, recordsRead / RECORDS_PER_READ);
    },
    chargeList(connection, matchesSent) {
      // The frame that asked has been counted, with one page of the list.
      const more = Math.max(0, matchesSent / MATCHES_PER_FRAME - 1);
      const { limiter, key } = frameLimiterOf(connection);
      limiter.charge(key, more);
      if (connection.player === null) connection.chargeFrames(more);
    },
  };
}
