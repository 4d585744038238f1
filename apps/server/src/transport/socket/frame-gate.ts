import { CLOSE } from "@holo/protocol/socket/socket-terms.ts";
import { toTurnSource } from "../../platform/fair-turns.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import type { FloodGate } from "../flood-gate.ts";
import type { VisitorQueue } from "../visitor-queue.ts";
import type { Connection } from "./connection.ts";
import type { ConnectionLimits } from "./connection-limits.ts";

interface FrameGateDeps {
  readonly floodGate: FloodGate;
  readonly visitors: VisitorQueue;
  readonly limits: Pick<ConnectionLimits, "tryAcquireFrame" | "tryAcquireWastedFrame">;
  readonly metrics: Metrics;
}

/** A protocol error closes its connection; a repetition shuts the address out. */
const BROKEN_WASTE = 10;

/** Decides about each frame whether it is handled, when, and whether its connection floods. */
export class FrameGate {
  readonly #deps: FrameGateDeps;
  readonly #received: ReturnType<Metrics["counter"]>;
  readonly #refused: ReturnType<Metrics["counter"]>;

  constructor(deps: FrameGateDeps) {
    this.#deps = deps;
    this.#received = deps.metrics.counter("holo_frames_total", "Frames received on sockets");
    this.#refused = deps.metrics.counter("holo_frames_refused_total", "Frames refused as malformed or over a limit");
  }

  countReceived(): void {
    this.#received.inc();
  }

  /** False: the frame is not handled; its connection may be closed for it. */
  tryAccept(connection: Connection, isBinary: boolean): boolean {
    const { limits } = this.#deps;
    if (!connection.isOpen) {
      // It keeps sending instead of closing.
      if (!limits.tryAcquireWastedFrame(connection)) connection.terminate();
      return false;
    }
    if (!isBinary && limits.tryAcquireFrame(connection)) return true;
    this.closeFlooder(connection);
    return false;
  }

  /** Counts a wasted frame. False: the connection is closed for sending too many. */
  tryWaste(connection: Connection): boolean {
    const { floodGate, limits } = this.#deps;
    if (!limits.tryAcquireWastedFrame(connection)) {
      this.closeFlooder(connection);
      return false;
    }
    this.#refused.inc();
    floodGate.noteWaste(connection.source, 1);
    return true;
  }

  /** The connection is being closed for a frame that breaks the rules of the protocol. */
  noteBroken(connection: Connection): void {
    this.#refused.inc();
    this.#deps.floodGate.noteWaste(connection.source, BROKEN_WASTE);
  }

  /** Runs a visitor's work in the visitors' queue, unless too many wait there. */
  runInVisitorQueue(connection: Connection, work: () => Promise<void>, refuse: () => void): void {
    const { floodGate, visitors } = this.#deps;
    visitors.add(toTurnSource(connection.source.address), {
      start(end) {
        if (!connection.isOpen) end();
        else void work().finally(end);
      },
      refuse() {
        floodGate.noteRefusal(connection.source);
        refuse();
      },
    });
  }

  closeFlooder(connection: Connection): void {
    this.#refused.inc();
    this.#deps.floodGate.noteFlood(connection.source);
    connection.close(CLOSE.flooding);
  }
}
