/** One frame for connections of another server: it passes the bytes on. */
export interface SentFrame {
  readonly sockets: readonly number[];
  readonly frame: string;
  readonly startsTurn: boolean;
}

/** The frames of one tick: connections of a server that get the same one share a message. */
export class FrameOutbox {
  readonly #send: (server: string, frame: SentFrame) => void;
  #waiting: { readonly server: string; readonly sockets: number[]; readonly frame: string; startsTurn: boolean }[] = [];

  constructor(send: (server: string, frame: SentFrame) => void) {
    this.#send = send;
  }

  add(server: string, socket: number, frame: string, startsTurn: boolean): void {
    if (this.#waiting.length === 0) queueMicrotask(() => this.flush());
    const same = this.#waiting.findLast((one) => one.server === server && one.frame === frame);
    // A frame that a connection gets twice is sent twice.
    if (same === undefined || same.sockets.includes(socket))
      this.#waiting.push({ server, sockets: [socket], frame, startsTurn });
    else same.sockets.push(socket);
  }

  flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { server, ...frame } of waiting) this.#send(server, frame);
  }
}
