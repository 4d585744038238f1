import type { ClientFrame, ServerFrame } from "@holo/protocol/frames.ts";
import type { SocketWorld } from "./socket-core.ts";
import type { WireEvents } from "./socket-line.ts";

interface Due {
  readonly at: number;
  readonly order: number;
  readonly act: () => void;
}

/** A clock that a test moves. */
export class StandInClock {
  time = 0;
  #order = 0;
  #due: Due[] = [];

  after(ms: number, act: () => void): () => void {
    this.#order += 1;
    const due = { at: this.time + ms, order: this.#order, act };
    this.#due.push(due);
    return () => {
      this.#due = this.#due.filter((other) => other !== due);
    };
  }

  advance(ms: number): void {
    const until = this.time + ms;
    for (;;) {
      const next = this.#due.filter((due) => due.at <= until).sort((a, b) => a.at - b.at || a.order - b.order)[0];
      if (next === undefined) break;
      this.#due = this.#due.filter((due) => due !== next);
      this.time = next.at;
      next.act();
    }
    this.time = until;
  }
}

/** One connection as the stand-in of the server sees it. */
export class StandInConnection {
  readonly received: ClientFrame[] = [];
  isDropped = false;
  /** Said and heard by nobody, without either side noticing: a dead network. */
  isSilent = false;
  readonly #events: WireEvents;
  readonly #hear: (connection: StandInConnection, frame: ClientFrame) => void;

  constructor(events: WireEvents, hear: (connection: StandInConnection, frame: ClientFrame) => void) {
    this.#events = events;
    this.#hear = hear;
  }

  /** What the page says. */
  take(text: string): void {
    const frame = JSON.parse(text) as ClientFrame;
    this.received.push(frame);
    if (!this.isSilent) this.#hear(this, frame);
  }

  /** What the server says; even on a connection the page has left, as late packets do. */
  say(frame: ServerFrame): void {
    if (!this.isSilent) this.#events.onText(JSON.stringify(frame));
  }

  close(code = 1006): void {
    this.#events.onClosed(code);
  }
}

/** The browser's part of the socket, in a test's hands. */
export class StandInWorld implements SocketWorld {
  readonly clock = new StandInClock();
  readonly connections: StandInConnection[] = [];
  online = true;
  hear: (connection: StandInConnection, frame: ClientFrame) => void = () => {};
  opened: (connection: StandInConnection) => void = () => {};
  #ids = 0;

  connect = (events: WireEvents) => {
    const connection = new StandInConnection(events, (from, frame) => this.hear(from, frame));
    this.connections.push(connection);
    this.clock.after(0, () => this.opened(connection));
    return {
      send: (text: string) => connection.take(text),
      drop: () => {
        connection.isDropped = true;
      },
    };
  };

  after = (ms: number, act: () => void) => this.clock.after(ms, act);
  now = () => this.clock.time;
  /** The middle of the jitter: waits are exactly the listed ones. */
  random = () => 0.5;
  isOnline = () => this.online;
  newId = () => {
    this.#ids += 1;
    return `command-${this.#ids}`;
  };

  get last(): StandInConnection {
    const connection = this.connections.at(-1);
    if (connection === undefined) throw new Error("nothing was connected");
    return connection;
  }
}
