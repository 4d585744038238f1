import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { performance } from "../../platform/runtime.ts";
import type { FloodGate, Source } from "../flood-gate.ts";
import { isLong } from "./long-request.ts";

/** Null: nothing is limited. */
export type InputGate = Pick<FloodGate, "tryRead" | "noteFlood"> | null;

/** More than a longest head, and far more than the frames of a page. */
const OWN_BYTES = 8 * 1024;
const OWN_BYTES_PER_MS = 0.5;
/** Parsed before it is checked again whether the connection is still open. */
const PIECE_BYTES = 1_024;
const HEAD_END = "\r\n\r\n";
/** A client may send one empty line before a request (RFC 9112, 2.2). */
const BLANK_BYTES_MAX = 2;
const [CR, LF] = [13, 10];

/**
 * All bytes that a connection sends, before HTTP or the socket parses them. It may send a little
 * for itself; more is taken from the allowance of its source, without which it is closed.
 */
export class ConnectionInput {
  readonly #socket: Socket;
  readonly #gate: InputGate;
  #source: Source;
  #ownBytes = OWN_BYTES;
  #countedMs = performance.now();
  #request: IncomingMessage | null = null;
  #isInHead = false;
  #isSocket = false;
  /** More than one means that the client sends them without waiting for answers. */
  requestsInChunk = 0;

  constructor(socket: Socket, gate: InputGate, source: Source) {
    this.#socket = socket;
    this.#gate = gate;
    this.#source = source;
    socket.push = (chunk: Buffer | null) => this.#receive(chunk);
    // Node's parser reads past the stream until someone listens to it.
    for (const parse of socket.listeners("data") as ((data: Buffer) => void)[]) {
      socket.removeListener("data", parse);
      socket.on("data", parse);
    }
  }

  noteRequest(request: IncomingMessage): void {
    this.#request = request;
    this.#isInHead = false;
    this.requestsInChunk += 1;
  }

  /** A request names its sender. On a proxy's connection those of other clients may follow. */
  noteSource(source: Source): void {
    if (!this.#source.isProxied) this.#source = source;
  }

  /** From now on the connection is one client's, also behind a proxy. */
  noteSocket(source: Source): void {
    this.#source = source;
    this.#isSocket = true;
    this.#isInHead = false;
    // It must not live as long as the socket.
    this.#request = null;
  }

  /** Nothing is parsed any more, also of what has been read. */
  stop(): void {
    this.#socket.removeAllListeners("data");
  }

  get #isBetweenRequests(): boolean {
    return !this.#isSocket && !this.#isInHead && (this.#request === null || this.#request.complete);
  }

  #receive(chunk: Buffer | null): boolean {
    if (chunk === null) return push(this.#socket, null);
    this.requestsInChunk = 0;
    let isWanted = true;
    for (let from = 0; from < chunk.length && !this.#socket.destroyed; ) {
      const piece = this.#toPiece(chunk, from);
      // Piece by piece: a session pays for what follows the head that names it.
      if (!this.#tryTake(piece.length)) return this.#closeFlood();
      if (this.#isBetweenRequests) {
        if (!isBlank(piece)) this.#isInHead = true;
        else if (piece.length > BLANK_BYTES_MAX) return this.#closeFlood();
      }
      isWanted = push(this.#socket, piece);
      from += piece.length;
    }
    return isWanted;
  }

  #tryTake(bytes: number): boolean {
    if (this.#gate === null || this.#isExempt) return true;
    const nowMs = performance.now();
    const own = Math.min(OWN_BYTES, this.#ownBytes + (nowMs - this.#countedMs) * OWN_BYTES_PER_MS);
    this.#countedMs = nowMs;
    this.#ownBytes = Math.max(0, own - bytes);
    return bytes <= own || this.#gate.tryRead(this.#source, bytes - own);
  }

  /** A proxy sends many clients' requests, well-formed; an upload has limits of its own. */
  get #isExempt(): boolean {
    if (this.#isSocket) return false;
    return this.#source.isProxied || (this.#request !== null && !this.#request.complete && isLong(this.#request));
  }

  /** Ends with a head: Node would parse all requests of a chunk, also on a closed connection. */
  #toPiece(chunk: Buffer, from: number): Buffer {
    const piece = chunk.subarray(from, this.#isExempt ? chunk.length : from + PIECE_BYTES);
    const end = this.#isInHead || this.#isBetweenRequests ? piece.indexOf(HEAD_END) : -1;
    return end === -1 ? piece : piece.subarray(0, end + HEAD_END.length);
  }

  #closeFlood(): false {
    this.#gate?.noteFlood(this.#source);
    this.stop();
    this.#socket.destroy();
    return false;
  }
}

function push(socket: Socket, chunk: Buffer | null): boolean {
  return Readable.prototype.push.call(socket, chunk);
}

function isBlank(piece: Buffer): boolean {
  return piece.every((byte) => byte === CR || byte === LF);
}
