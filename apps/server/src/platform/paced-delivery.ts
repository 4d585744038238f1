import { clearTimeout, setTimeout } from "./runtime.ts";

/** Deliveries of one batch: about half a millisecond of writes. */
const BATCH = 32;
/** Between two batches, so that tables can read, commit and send their moves first. */
const PAUSE_MS = 2;

/** Sends to many connections without holding up the tables: in small batches with pauses. */
export interface PacedDelivery {
  add<Receiver>(receivers: readonly Receiver[], deliver: (receiver: Receiver) => void): void;
  readonly isBusy: boolean;
  close(): void;
}

interface Round {
  readonly receivers: readonly unknown[];
  readonly deliver: (receiver: never) => void;
  next: number;
}

export function openPacedDelivery(): PacedDelivery {
  const rounds: Round[] = [];
  let timer: NodeJS.Timeout | null = null;

  function deliverBatch(): void {
    timer = null;
    let left = BATCH;
    while (left > 0 && rounds.length > 0) {
      const round = rounds[0]!;
      const end = Math.min(round.next + left, round.receivers.length);
      left -= end - round.next;
      for (; round.next < end; round.next += 1) round.deliver(round.receivers[round.next] as never);
      if (end === round.receivers.length) rounds.shift();
    }
    if (rounds.length > 0) timer = setTimeout(deliverBatch, PAUSE_MS).unref();
  }

  return {
    add(receivers, deliver) {
      if (receivers.length === 0) return;
      rounds.push({ receivers, deliver, next: 0 });
      if (timer === null && rounds.length === 1) deliverBatch();
    },
    get isBusy() {
      return rounds.length > 0;
    },
    close() {
      if (timer !== null) clearTimeout(timer);
      rounds.length = 0;
    },
  };
}
