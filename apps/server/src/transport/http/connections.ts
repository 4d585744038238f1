import type { IncomingMessage, RequestListener, Server } from "node:http";
import type { Socket } from "node:net";
import { isTrusted, type Proxies, toClientAddress } from "./client-address.ts";

export interface ConnectionLimits {
  /** Open connections, sockets included. */
  readonly connectionsMax: number;
  /** The same of one network address; a trusted proxy carries those of many. */
  readonly connectionsPerAddressMax: number;
  readonly proxies: Proxies;
}

/** Closes connections beyond the limits as they open. */
export function limitConnections(server: Server, limits: ConnectionLimits): void {
  const { connectionsMax, connectionsPerAddressMax, proxies } = limits;
  const perAddress = new Map<string, number>();
  let open = 0;
  server.on("connection", (socket: Socket) => {
    const address = toClientAddress(socket.remoteAddress, undefined, proxies);
    const ofAddress = perAddress.get(address) ?? 0;
    const isFull = ofAddress >= connectionsPerAddressMax && !isTrusted(socket.remoteAddress, proxies);
    if (open >= connectionsMax || isFull) {
      socket.destroy();
      return;
    }
    open += 1;
    perAddress.set(address, ofAddress + 1);
    socket.once("close", () => {
      open -= 1;
      const left = (perAddress.get(address) ?? 1) - 1;
      if (left > 0) perAddress.set(address, left);
      else perAddress.delete(address);
    });
  });
}

interface Turn {
  /** The one request that may wait for its turn. */
  next: (() => void) | null;
}

/**
 * Serves one request at a time per connection. Node starts every pipelined request at once, and
 * the answers of a client that reads none of them would fill the memory.
 *
 * A client that has received its answer may send its next request before the answer has ended
 * here, so one request waits. A second one closes the connection: browsers and proxies never send
 * it.
 *
 * @param writeTimeoutMs without progress in sending an answer, until the connection is closed
 */
export function serveInTurn(server: Server, listener: RequestListener, writeTimeoutMs: number): void {
  const turns = new WeakMap<Socket, Turn>();

  server.on("request", (request: IncomingMessage, response) => {
    const { socket } = request;
    // Requests that Node had read before the connection was closed.
    if (socket.destroyed) return;
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
    const current = turns.get(socket);
    if (current === undefined) serve();
    else if (current.next === null) current.next = serve;
    else socket.destroy();
  });

  server.setTimeout(writeTimeoutMs, (socket) => {
    // Preparing an answer or receiving a long upload may take longer than sending without progress.
    const isPreparing = turns.has(socket) && socket.writableLength === 0;
    if (isPreparing) socket.setTimeout(writeTimeoutMs);
    else socket.destroy();
  });
}
