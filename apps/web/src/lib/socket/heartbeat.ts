export interface Clock {
  now(): number;
  /** Runs `act` once after `ms`. Returns a function that cancels it. */
  after(ms: number, act: () => void): () => void;
}

/** An answer is overdue after this long; with the next tick it is shown within two seconds. */
const SILENT_AFTER_MS = 1_500;
/** A connection that owes an answer and was silent for this long is dead. */
const DEAD_AFTER_MS = 9_000;
/** After a device wakes up, its connection has this long to send something. */
const DEAD_AFTER_WAKE_MS = 2_500;
const TICK_MS = 500;

type Silence = ReturnType<typeof createSilence>;

/** How long the server has owed an answer. `unansweredSince`: null if it owes none. */
export function createSilence(now: () => number, unansweredSince: () => number | null) {
  let receivedAt = 0;
  /** Since when the browser has reported the device as offline without any frame arriving. */
  let doubtedAt: number | null = null;

  function measureSilenceMs(since: number | null): number {
    return since === null ? 0 : now() - Math.max(receivedAt, since);
  }

  return {
    start() {
      receivedAt = now();
    },
    receive() {
      receivedAt = now();
      doubtedAt = null;
    },
    doubt() {
      doubtedAt ??= now();
    },
    trust() {
      doubtedAt = null;
    },
    isSilent: () => measureSilenceMs(unansweredSince() ?? doubtedAt) >= SILENT_AFTER_MS,
    isDead: (isOpen: boolean) => measureSilenceMs(isOpen ? unansweredSince() : receivedAt) >= DEAD_AFTER_MS,
    /** Nothing has arrived since then, although an answer is owed. */
    isSilentSince: (at: number) => receivedAt < at && unansweredSince() !== null,
  };
}

interface HeartbeatEvents {
  /** Every half second while the transport lives. */
  readonly onBeat: () => void;
  readonly onDead: () => void;
}

/** Notices a dead transport. */
export function createHeartbeat(
  { now, after }: Clock,
  silence: Silence,
  isOpen: () => boolean,
  events: HeartbeatEvents,
) {
  let cancelTick = () => {};
  let starts = 0;

  function tick(): void {
    cancelTick = after(TICK_MS, tick);
    if (silence.isDead(isOpen())) events.onDead();
    else events.onBeat();
  }

  return {
    start() {
      starts += 1;
      silence.start();
      cancelTick = after(TICK_MS, tick);
    },
    stop: () => cancelTick(),
    /** The device woke up: the connection is dead if it stays silent. */
    probe() {
      const probedAt = now();
      const probed = starts;
      after(DEAD_AFTER_WAKE_MS, () => {
        if (starts === probed && isOpen() && silence.isSilentSince(probedAt)) events.onDead();
      });
    },
  };
}
