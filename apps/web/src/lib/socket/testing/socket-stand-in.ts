import { toCommandId } from "@holo/kernel/ids.ts";
import type { ClientFrame } from "@holo/protocol/socket/client-frames.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import type { TransportEvents } from "../link.ts";
import type { SocketDeps } from "../socket-core.ts";

interface Due {
  readonly at: number;
  readonly order: number;
  readonly act: () => void;
}

class StandInClock {
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
      // After a sleep of the device, its timers are late.
      this.time = Math.max(this.time, next.at);
      next.act();
    }
    this.time = until;
  }
}

export class StandInConnection {
  /** Without probes. */
  readonly received: ClientFrame[] = [];
  probes = 0;
  isDropped = false;
  /** Simulates a dead network: frames vanish and neither side notices. */
  isSilent = false;
  readonly #events: TransportEvents;
  readonly #hear: (connection: StandInConnection, frame: ClientFrame) => void;

  constructor(events: TransportEvents, hear: (connection: StandInConnection, frame: ClientFrame) => void) {
    this.#events = events;
    this.#hear = hear;
  }

  receive(text: string): void {
    const frame = JSON.parse(text) as ClientFrame;
    if (frame.type === "probe") {
      this.probes += 1;
      this.send({ type: "alive" });
      return;
    }
    this.received.push(frame);
    if (!this.isSilent) this.#hear(this, frame);
  }

  send(frame: ServerFrame): void {
    if (!this.isSilent) this.#events.onText(JSON.stringify(frame));
  }

  close(code = 1006): void {
    this.#events.onClosed(code);
  }
}

export class StandInNetwork implements SocketDeps {
  readonly clock = new StandInClock();
  readonly connections: StandInConnection[] = [];
  online = true;
  hear: (connection: StandInConnection, frame: ClientFrame) => void = () => {};
  opened: (connection: StandInConnection) => void = () => {};
  #ids = 0;

  connect = (events: TransportEvents) => {
    const connection = new StandInConnection(events, (from, frame) => this.hear(from, frame));
    this.connections.push(connection);
    this.clock.after(0, () => this.opened(connection));
    return {
      send: (text: string) => connection.receive(text),
      drop: () => {
        connection.isDropped = true;
      },
    };
  };

  after = (ms: number, act: () => void) => this.clock.after(ms, act);
  /** How much longer the device slept than its clock of performance counted. */
  sleptMs = 0;
  now = () => this.clock.time;
  wallNow = () => this.clock.time + this.sleptMs;
  /** The middle of the jitter, so delays are exactly the listed ones. */
  random = () => 0.5;
  isOnline = () => this.online;
  newId = () => {
    this.#ids += 1;
    return toCommandId(`command-${this.#ids}`);
  };

  get last(): StandInConnection {
    const connection = this.connections.at(-1);
    if (connection === undefined) throw new Error("nothing was connected");
    return connection;
  }
}
