import type { Instant } from "@holo/kernel/instant.ts";
import { type BySeat, ofSeat, replaceSeat } from "@holo/rules/by-seat.ts";
import type { Seat } from "@holo/rules/rules.ts";
import type { Outage } from "@holo/table/clock.ts";
import type { Unserved } from "../log/claim-store.ts";

/** The seats whose players lost their server, until they attach to one. */
export class UnservedSeats {
  #seats: BySeat<Unserved | null> = [null, null];

  get isEmpty(): boolean {
    return this.#seats.every((one) => one === null);
  }

  of(seat: Seat): Unserved | null {
    return ofSeat(this.#seats, seat);
  }

  /** Two outages of one player are one from the start of the first to the end of the last. */
  add(seat: Seat, { fromAt, until, cause }: Unserved): void {
    const known = this.of(seat);
    const one: Unserved = {
      fromAt: Math.min(fromAt, known?.fromAt ?? fromAt) as Instant,
      until: Math.max(until, known?.until ?? until) as Instant,
      cause: known?.cause === "restart" ? "restart" : cause,
    };
    this.#seats = replaceSeat(this.#seats, seat, one);
  }

  /** Takes what overlaps with an outage of all servers. Returns when the first of them began. */
  takePartOf({ fromAt, toAt }: Pick<Outage, "fromAt" | "toAt">): Instant {
    let first = fromAt;
    for (const seat of [1, 2] as const) {
      const one = this.of(seat);
      if (one === null || one.fromAt >= toAt || one.until <= fromAt) continue;
      first = Math.min(first, one.fromAt) as Instant;
      this.delete(seat);
    }
    return first;
  }

  delete(seat: Seat): void {
    this.#seats = replaceSeat(this.#seats, seat, null);
  }
}
