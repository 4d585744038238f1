import { CLOSE } from "@holo/protocol/socket/socket-terms.ts";
import type { WatchCost } from "../../game/game.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import type { Connection } from "../socket/connection.ts";
import { type Admission, COST } from "./admission.ts";

/** Sending a player this many records costs as much as a frame. */
const RECORDS_PER_UNIT = 50;
/** A visitor's page asks for a whole game once; asking for it again and again is a flood. */
const RECORDS_PER_UNIT_OF_VISITOR = 10;
const SENT_UNITS_MAX = 25;
/** Reading this many records costs as much as opening another table. */
const RECORDS_PER_READ = 300;
/** A page of a list: ten pages, asked for one after the other, are within a visitor's limit. */
const MATCHES_PER_UNIT = 30;

/** What frames cost, and what happens to a connection that cannot pay. */
export class FrameAdmission {
  readonly #admission: Pick<Admission, "serve">;
  readonly #received: ReturnType<Metrics["counter"]>;
  readonly #refused: ReturnType<Metrics["counter"]>;

  constructor(admission: Pick<Admission, "serve">, metrics: Metrics) {
    this.#admission = admission;
    this.#received = metrics.counter("holo_frames_total", "Frames received on sockets");
    this.#refused = metrics.counter("holo_frames_refused_total", "Frames refused as malformed or over a limit");
  }

  /** Whether the frame is handled. If not, its connection may be closed for it. */
  tryAccept(connection: Connection, isBinary: boolean): boolean {
    this.#received.inc();
    if (!connection.isOpen) return false;
    if (!isBinary && connection.meter.trySpend(COST.frame)) return true;
    this.closeFlooder(connection);
    return false;
  }

  /** Pays for a frame that is of no use. False: the connection is closed for it. */
  tryWaste(connection: Connection): boolean {
    if (!this.#trySpend(connection, COST.wastedFrame)) return false;
    this.#refused.inc();
    return true;
  }

  /** Pays for a table or list that is read from the database. False: the connection is closed. */
  tryRead(connection: Connection): boolean {
    return this.#trySpend(connection, COST.read);
  }

  chargeWatch({ meter, player }: Connection, { recordsSent, recordsRead }: WatchCost): void {
    const perUnit = player === null ? RECORDS_PER_UNIT_OF_VISITOR : RECORDS_PER_UNIT;
    meter.charge(Math.min(recordsSent / perUnit, SENT_UNITS_MAX) + (recordsRead / RECORDS_PER_READ) * COST.read);
  }

  chargeList({ meter }: Connection, matchesSent: number): void {
    // The frame that asked has paid for one page of the list.
    meter.charge(Math.max(0, matchesSent / MATCHES_PER_UNIT - 1));
  }

  /** Runs a visitor's work in its turn, unless too many wait. */
  serve(connection: Connection, work: () => Promise<void>, refuse: () => void): void {
    this.#admission.serve(connection.meter.source, {
      start: (end) => (connection.isOpen ? void work().finally(end) : end()),
      refuse,
    });
  }

  closeFlooder(connection: Connection): void {
    this.#refused.inc();
    connection.meter.fine(COST.flood);
    connection.close(CLOSE.flooding);
  }

  #trySpend(connection: Connection, cost: number): boolean {
    if (connection.meter.trySpend(cost)) return true;
    this.closeFlooder(connection);
    return false;
  }
}
