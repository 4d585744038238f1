import type { IncomingMessage, RequestListener, Server } from "node:http";
import type { Socket } from "node:net";
import type { FloodGate, Source } from "../flood-gate.ts";
import { isTrustedProxy, type Proxies, toClientAddress } from "./client-address.ts";
import { ConnectionInput } from "./connection-input.ts";
import { KNOWN_PER_ADDRESS } from "./request-limits.ts";

export interface ConnectionLimits {
  readonly connectionsMax: number;
  /** As `connectionsMax` for one network address; a trusted proxy carries those of many. */
  readonly connectionsPerAddressMax: number;
  readonly proxies: Proxies;
  readonly floodGate: FloodGate | null;
}

/** More than the sockets of a session and the connections of its pages. */
const CONNECTIONS_PER_KNOWN_MAX = 24;

interface Counts {
  open: number;
  readonly perAddress: Map<string, number>;
  readonly perKnown: Map<string, number>;
  readonly knownPerAddress: Map<string, number>;
  readonly knownPerAddressMax: number;
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function remove(counts: Map<string, number>, key: string): void {
  const left = (counts.get(key) ?? 1) - 1;
  if (left > 0) counts.set(key, left);
  else counts.delete(key);
}

/** Counts for its address, then for a session or known device. */
class OpenConnection {
  readonly #counts: Counts;
  readonly #address: string;
  readonly input: ConnectionInput;
  #known: string | null = null;

  constructor(counts: Counts, address: string, input: ConnectionInput) {
    this.#counts = counts;
    this.#address = address;
    this.input = input;
    counts.open += 1;
    add(counts.perAddress, address);
  }

  countFor(known: string): void {
    const { perAddress, perKnown, knownPerAddress, knownPerAddressMax } = this.#counts;
    if (this.#known !== null || (knownPerAddress.get(this.#address) ?? 0) >= knownPerAddressMax) return;
    if ((perKnown.get(known) ?? 0) >= CONNECTIONS_PER_KNOWN_MAX) return;
    this.#known = known;
    remove(perAddress, this.#address);
    add(perKnown, known);
    add(knownPerAddress, this.#address);
  }

  close(): void {
    const { perAddress, perKnown, knownPerAddress } = this.#counts;
    this.#counts.open -= 1;
    if (this.#known === null) return remove(perAddress, this.#address);
    remove(perKnown, this.#known);
    remove(knownPerAddress, this.#address);
  }
}

const connections = new WeakMap<Socket, OpenConnection>();

/** A request names its sender: the connection of a session no longer counts as a visitor's. */
export function noteSource(socket: Socket, source: Source): void {
  const connection = connections.get(socket);
  connection?.input.noteSource(source);
  if (source.isKnown) connection?.countFor(source.key);
}

/** The connection will be closed: nothing that it sends matters any more. */
export function stopInput(socket: Socket): void {
  connections.get(socket)?.input.stop();
}

/** The connection has become a socket. */
export function noteSocket(socket: Socket, source: Source): void {
  connections.get(socket)?.input.noteSocket(source);
}

type ConnectionListener = (this: Server, socket: Socket) => void;

/** Closes connections beyond the limits as they open, before HTTP makes anything for them. */
export function limitConnections(server: Server, limits: ConnectionLimits): void {
  const { connectionsMax, connectionsPerAddressMax, proxies, floodGate } = limits;
  const counts: Counts = {
    open: 0,
    perAddress: new Map(),
    perKnown: new Map(),
    knownPerAddress: new Map(),
    knownPerAddressMax: KNOWN_PER_ADDRESS * connectionsPerAddressMax,
  };
  const accepting = server.listeners("connection") as ConnectionListener[];
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => {
    const { remoteAddress } = socket;
    const address = toClientAddress(remoteAddress, undefined, proxies);
    const ofAddress = counts.perAddress.get(address) ?? 0;
    const isProxied = isTrustedProxy(remoteAddress, proxies);
    const isFull = ofAddress >= connectionsPerAddressMax && !isProxied;
    if (counts.open >= connectionsMax || isFull || floodGate?.isCutOff(remoteAddress) === true) {
      socket.resetAndDestroy();
      return;
    }
    for (const accept of accepting) accept.call(server, socket);
    const visitor: Source = { key: address, address, isKnown: false, isProxied };
    const connection = new OpenConnection(counts, address, new ConnectionInput(socket, floodGate, visitor));
    connections.set(socket, connection);
    socket.on("close", () => {
      connections.delete(socket);
      connection.close();
    });
  });
}

interface Turn {
  /** The one request that may wait for its turn. */
  next: (() => void) | null;
}

interface TurnOptions {
  /** The time without progress in sending an answer, until the connection is closed. */
  readonly writeTimeoutMs: number;
  /** A client sent requests without waiting for their answers, and its connection is closed. */
  readonly onPipelined: (request: IncomingMessage) => void;
}

/**
 * Serves one request at a time per connection; Node would start all pipelined ones and buffer their
 * answers. One may wait; more close the connection: browsers and proxies never send them.
 */
export function serveInTurn(server: Server, listener: RequestListener, options: TurnOptions): void {
  const { writeTimeoutMs, onPipelined } = options;
  const turns = new WeakMap<Socket, Turn>();

  server.on("request", (request: IncomingMessage, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const input = connections.get(socket)?.input;
    input?.noteRequest(request);
    const current = turns.get(socket);
    if ((input?.requestsInChunk ?? 0) > 1 || (current !== undefined && current.next !== null)) {
      onPipelined(request);
      stopInput(socket);
      socket.destroy();
      return;
    }
    const serve = (): void => {
      if (socket.destroyed) return;
      const turn: Turn = { next: null };
      turns.set(socket, turn);
      response.once("close", () => {
        turns.delete(socket);
        turn.next?.();
      });
      void listener(request, response);
    };
    if (current === undefined) serve();
    else current.next = serve;
  });

  server.setTimeout(writeTimeoutMs, (socket) => {
    // Preparing an answer or receiving a long upload may take longer than sending without progress.
    const isPreparing = turns.has(socket) && socket.writableLength === 0;
    if (isPreparing) socket.setTimeout(writeTimeoutMs);
    else socket.destroy();
  });
}
