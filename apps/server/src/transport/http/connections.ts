import type { IncomingMessage, RequestListener, Server } from "node:http";
import type { Socket } from "node:net";
import { isTrustedProxy, type Proxies, toClientAddress } from "./client-address.ts";
import { KNOWN_PER_ADDRESS } from "./request-limits.ts";

export interface ConnectionLimits {
  readonly connectionsMax: number;
  /** As `connectionsMax` for one network address; a trusted proxy carries those of many. */
  readonly connectionsPerAddressMax: number;
  readonly proxies: Proxies;
  readonly isCutOff: (remote: string | undefined) => boolean;
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
  #known: string | null = null;

  constructor(counts: Counts, address: string) {
    this.#counts = counts;
    this.#address = address;
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

/** A request on the connection names a session: it no longer counts as a visitor's. */
export function noteKnown(socket: Socket, key: string): void {
  connections.get(socket)?.countFor(key);
}

type ConnectionListener = (this: Server, socket: Socket) => void;

/** Closes connections beyond the limits as they open, before HTTP makes anything for them. */
export function limitConnections(server: Server, limits: ConnectionLimits): void {
  const { connectionsMax, connectionsPerAddressMax, proxies, isCutOff } = limits;
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
    const isFull = ofAddress >= connectionsPerAddressMax && !isTrustedProxy(remoteAddress, proxies);
    if (counts.open >= connectionsMax || isFull || isCutOff(remoteAddress)) {
      socket.resetAndDestroy();
      return;
    }
    const connection = new OpenConnection(counts, address);
    connections.set(socket, connection);
    socket.on("close", () => {
      connections.delete(socket);
      connection.close();
    });
    for (const accept of accepting) accept.call(server, socket);
    parseByHead(socket);
  });
}

const HEAD_END = "\r\n\r\n";
const HEAD_END_BYTES = 4;

type DataListener = (this: Socket, data: Buffer) => void;

interface Parsing {
  inChunk: number;
  isOver: boolean;
  readonly receive: (data: Buffer) => void;
}

const parsing = new WeakMap<Socket, Parsing>();

/**
 * Passes requests to the parser one by one, until the connection closes or becomes a socket. Node
 * would parse all of a chunk, a thousand of them, before it closes.
 */
function parseByHead(socket: Socket): void {
  const [parse] = socket.listeners("data") as DataListener[];
  if (parse === undefined) return;
  const state: Parsing = {
    inChunk: 0,
    isOver: false,
    receive(data) {
      state.inChunk = 0;
      for (let from = 0; from < data.length && !state.isOver && !socket.destroyed; ) {
        const end = data.indexOf(HEAD_END, from);
        const until = end === -1 ? data.length : end + HEAD_END_BYTES;
        parse.call(socket, data.subarray(from, until));
        from = until;
      }
    },
  };
  parsing.set(socket, state);
  socket.removeListener("data", parse);
  socket.on("data", state.receive);
}

/** From now on the parser may serve another connection; it must not live as long as the socket. */
export function stopParsing(socket: Socket): void {
  const state = parsing.get(socket);
  if (state === undefined) return;
  state.isOver = true;
  socket.removeListener("data", state.receive);
  parsing.delete(socket);
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
    const state = parsing.get(socket);
    if (state !== undefined) state.inChunk += 1;
    const current = turns.get(socket);
    if ((state?.inChunk ?? 0) > 1 || (current !== undefined && current.next !== null)) {
      onPipelined(request);
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
