import { addMs, type Instant, SECOND_MS } from "@holo/kernel/instant.ts";
import type { StallMeter } from "./stall-meter.ts";
import type { Time } from "./time.ts";

export interface Outage {
  readonly fromAt: Instant;
  readonly toAt: Instant;
  /** "restart": no process ran. "database": it did not answer. "stall": the process was stopped. */
  readonly cause: "restart" | "database" | "stall";
}

/** Measures the time that outages took while this process ran. */
export interface OutageMeter {
  /**
   * Time lost to stalls and a silent database since the start, with an outage in progress. Never
   * decreases. A busy event loop loses nothing: clients may have caused it (rulings 30 and 56).
   */
  lostMs(): number;
  /** False while an outage may be in progress or the server is not listening: no flag may fall. */
  isServed(): boolean;
  /** The database answered: ends an outage and reports it before returning. */
  noteAnswer(): void;
}

export interface RunningOutageMeter extends OutageMeter {
  noteLongStall(stallMs: number): void;
  startServing(): void;
  stopServing(): void;
}

interface OutageMeterDeps {
  readonly time: Time;
  readonly stalls: Pick<StallMeter, "lateMs" | "stalledMs">;
  readonly onOutage: (outage: Outage) => void;
}

/** Three heartbeats. A shorter silence is a slow answer. */
const SILENT_MS_MAX = 3 * SECOND_MS;

export function openOutageMeter({ time, stalls, onOutage }: OutageMeterDeps): RunningOutageMeter {
  // An event loop that was stalled or busy has not read the database's answers.
  const readingMs = (): number => time.monotonicMs() - stalls.lateMs();
  let answeredMs = readingMs();
  let silencesMs = 0;
  let isServing = false;

  function silentMs(): number {
    const ms = readingMs() - answeredMs;
    return ms > SILENT_MS_MAX ? ms : 0;
  }

  function report(cause: Outage["cause"], ms: number): void {
    const toAt = time.now();
    if (isServing) onOutage({ fromAt: addMs(toAt, -Math.round(ms)), toAt, cause });
  }

  return {
    lostMs: () => Math.round(stalls.stalledMs() + silencesMs + silentMs()),
    isServed: () => isServing && silentMs() === 0,
    noteAnswer() {
      const ms = silentMs();
      answeredMs = readingMs();
      if (ms === 0) return;
      silencesMs += ms;
      report("database", ms);
    },
    noteLongStall: (stallMs) => report("stall", stallMs),
    startServing() {
      isServing = true;
    },
    stopServing() {
      isServing = false;
    },
  };
}
