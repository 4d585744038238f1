import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { random, setTimeout } from "../../platform/runtime.ts";
import { isTrustedProxy, toClientAddress } from "../http/client-address.ts";
import { type Admission, COST } from "./admission.ts";
import type { Meter, Source } from "./meter.ts";

/** As much as a small frame. */
const BYTES_PER_UNIT = 128;
/** A parser works per line: a head of a browser has 20, a body in tiny chunks two per byte. */
const LINES_PER_UNIT = 8;
const LINE_FEED = 10;
const HEAD_END = "\r\n\r\n";
const SOCKET_HOLD_MS = 1_500;

/** All bytes of a connection pass it before HTTP or the socket parses them. */
class OpenConnection {
  readonly meter: Meter;
  readonly #admission: Admission;
  readonly #socket: Socket;
  readonly #occupancy: Occupancy;
  readonly #isProxied: boolean;
  #isSocket = false;
  #isUpload = false;
  #isStopped = false;

  constructor(admission: Admission, occupancy: Occupancy, socket: Socket) {
    const { remoteAddress } = socket;
    const address = toClientAddress(remoteAddress, undefined, admission.proxies);
    this.#admission = admission;
    this.#occupancy = occupancy;
    this.#socket = socket;
    this.#isProxied = isTrustedProxy(remoteAddress, admission.proxies);
    this.meter = admission.openMeter({ key: address, address, isKnown: false });
    socket.push = (chunk: Buffer | null) => this.#receive(chunk);
    // Node's parser reads past the stream until someone listens to it.
    for (const parse of socket.listeners("data") as ((data: Buffer) => void)[]) {
      socket.removeListener("data", parse);
      socket.on("data", parse);
    }
    if (!this.#isProxied) this.#occupancy.add(this);
    socket.once("close", () => this.#occupancy.remove(this));
  }

  /** A proxy sends the requests of many clients, well-formed, but a socket is one client's. */
  get isShared(): boolean {
    return this.#isProxied && !this.#isSocket;
  }

  /** The connection of a session or device no longer counts for its address. */
  noteSource(source: Source): void {
    if (this.#isProxied || this.meter.source.isKnown || !source.isKnown) return;
    this.#occupancy.remove(this);
    this.meter.source = source;
    this.#occupancy.add(this);
  }

  /** Called once, before the connection is cut. */
  onStop: () => void = () => undefined;

  get isStopped(): boolean {
    return this.#isStopped || this.#socket.destroyed;
  }

  noteSocket(source: Source): void {
    this.#isSocket = true;
    if (this.#isProxied) this.meter.source = source;
  }

  exempt(upload: IncomingMessage): void {
    this.#isUpload = true;
    upload.once("close", () => {
      this.#isUpload = false;
    });
  }

  /** Nothing more is read. Closed at once it would come back at once, and many all together. */
  stop(answer = ""): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#admission.countCut();
    this.onStop();
    const close = (): void => {
      if (answer !== "" && this.#socket.writable) this.#socket.write(answer);
      this.#socket.destroySoon();
    };
    // A socket that is cut while its client sends would lose its close frame.
    const holdMs = this.#isSocket ? SOCKET_HOLD_MS : this.#admission.limits.holdMs;
    setTimeout(close, holdMs * (1 + random())).unref();
  }

  drop(): void {
    this.#admission.countCut();
    this.#socket.resetAndDestroy();
  }

  #receive(chunk: Buffer | null): boolean {
    const headEnd = this.meter.source.isKnown ? -1 : (chunk?.indexOf(HEAD_END) ?? -1);
    const headBytes = headEnd + HEAD_END.length;
    if (chunk === null || headEnd === -1 || headBytes === chunk.length) return this.#read(chunk);
    // The head may name a session, which may send more than a stranger.
    this.#read(chunk.subarray(0, headBytes));
    return this.#read(chunk.subarray(headBytes));
  }

  #read(piece: Buffer | null): boolean {
    if (piece !== null && !this.#tryPay(piece)) return false;
    return Readable.prototype.push.call(this.#socket, piece);
  }

  #tryPay(piece: Buffer): boolean {
    if (this.isStopped) return false;
    if (this.isShared || this.#isUpload) return true;
    const { meter } = this;
    // The bytes of frames are masked: each may look like a line feed by chance.
    const lines = this.#isSocket ? 0 : countLines(piece);
    if (meter.trySpendOwn(piece.length / BYTES_PER_UNIT) && meter.trySpendOwn(lines / LINES_PER_UNIT)) return true;
    meter.fine(COST.flood);
    this.stop();
    return false;
  }
}

function countLines(piece: Buffer): number {
  let lines = 0;
  for (const byte of piece) if (byte === LINE_FEED) lines += 1;
  return lines;
}

/** The connections of each source, oldest first. A full source loses its oldest one. */
class Occupancy {
  readonly #ofSources = new Map<string, Set<OpenConnection>>();
  readonly #strangers = new Set<OpenConnection>();
  readonly #limits: Admission["limits"];

  constructor(limits: Admission["limits"]) {
    this.#limits = limits;
  }

  add(connection: OpenConnection): void {
    const { key, isKnown } = connection.meter.source;
    const { connectionsPerKnownMax, connectionsPerAddressMax, strangersMax } = this.#limits;
    const own = this.#ofSources.get(key) ?? new Set();
    this.#ofSources.set(key, own.add(connection));
    if (own.size > (isKnown ? connectionsPerKnownMax : connectionsPerAddressMax)) this.#dropOldest(own);
    if (isKnown) return;
    this.#strangers.add(connection);
    if (this.#strangers.size > strangersMax) this.#dropOldest(this.#strangers);
  }

  remove(connection: OpenConnection): void {
    const { key } = connection.meter.source;
    const own = this.#ofSources.get(key);
    own?.delete(connection);
    if (own?.size === 0) this.#ofSources.delete(key);
    this.#strangers.delete(connection);
  }

  #dropOldest([oldest]: Iterable<OpenConnection>): void {
    if (oldest === undefined) return;
    this.remove(oldest);
    oldest.drop();
  }
}

const connections = new WeakMap<Socket, OpenConnection>();

/** Applies a server's admission to its connections as they open. */
export function watchConnections(server: Server, admission: Admission): void {
  const occupancy = new Occupancy(admission.limits);
  server.on("connection", (socket: Socket) => {
    connections.set(socket, new OpenConnection(admission, occupancy, socket));
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (socket.writable) connections.get(socket as Socket)?.stop(toAnswer(error));
  });
}

function toAnswer({ code }: NodeJS.ErrnoException): string {
  const status = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[code ?? ""] ?? 400;
  return `HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
}

/** A request names its sender. */
export function noteSource(socket: Socket, source: Source): void {
  connections.get(socket)?.noteSource(source);
}

/** The connection has become a socket, whose frames are paid from the meter. */
export function noteSocket(socket: Socket, source: Source, admission: Pick<Admission, "openMeter">): Meter {
  const connection = connections.get(socket);
  connection?.noteSocket(source);
  return connection?.meter ?? admission.openMeter(source);
}

/** Calls back once nothing more of the connection is read: it can still say why. */
export function onStop(socket: Socket, call: () => void): void {
  const connection = connections.get(socket);
  if (connection !== undefined) connection.onStop = call;
}

/** Whether nothing more of a connection is read, or it has closed. */
export function isStopped(socket: Socket): boolean {
  return connections.get(socket)?.isStopped ?? socket.destroyed;
}

/** Nothing more of a client is read. A proxy's connection goes on, as others use it too. */
export function stopReading(socket: Socket, answer?: string): void {
  const connection = connections.get(socket);
  if (connection?.isShared !== true) connection?.stop(answer);
}

/** An upload has been authorized and has limits of its own. */
export function exemptUpload(upload: IncomingMessage): void {
  connections.get(upload.socket)?.exempt(upload);
}
