import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, type Instant, SECOND_MS } from "@holo/kernel/instant.ts";
import type { Servers } from "../../platform/servers/servers.ts";
import type { OutageMeter } from "../../platform/time/outage-meter.ts";
import type { Time } from "../../platform/time/time.ts";
import { parseSeatKey } from "./outage-store.ts";

interface ServedSeatsDeps {
  readonly servers: Servers;
  readonly time: Pick<Time, "now">;
  readonly outages: Pick<OutageMeter, "isServed">;
}

/** An outage that the meter has not noticed yet began at most three seconds ago. */
const KEPT_MS = 5 * SECOND_MS;

/**
 * With several servers: the seats whose players this one serves, and those that it served when an
 * outage began. The keys of the servers also contain players who were handed over.
 */
export class ServedSeats {
  readonly #deps: ServedSeatsDeps;
  readonly #held = new Set<string>();
  readonly #leftAt = new Map<string, Instant>();

  constructor(deps: ServedSeatsDeps) {
    this.#deps = deps;
  }

  hold(key: string): void {
    this.#held.add(key);
    this.#deps.servers.hold(key);
  }

  release(key: string): void {
    this.#noteLeft(key);
    this.#deps.servers.release(key);
  }

  handOver(playerIds: ReadonlySet<PlayerId>): void {
    for (const key of this.#held) {
      const seat = parseSeatKey(key);
      if (seat !== null && playerIds.has(seat.playerId)) this.#noteLeft(key);
    }
  }

  servedSince(at: Instant): readonly string[] {
    const left = [...this.#leftAt].filter(([, leftAt]) => leftAt >= at).map(([key]) => key);
    return [...new Set([...this.#held, ...left])];
  }

  #noteLeft(key: string): void {
    if (!this.#held.delete(key)) return;
    const { time, outages } = this.#deps;
    const now = time.now();
    if (outages.isServed()) {
      const before = addMs(now, -KEPT_MS);
      // The map is in the order in which they left.
      for (const [other, leftAt] of this.#leftAt) {
        if (leftAt >= before) break;
        this.#leftAt.delete(other);
      }
    }
    this.#leftAt.delete(key);
    this.#leftAt.set(key, now);
  }
}
