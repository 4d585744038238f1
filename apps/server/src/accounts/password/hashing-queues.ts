import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { type FairQueue, makeFairQueue } from "../../platform/fair-queue.ts";
import { performance } from "../../platform/runtime.ts";

/**
 * A player with a known device (`known`) or a session (`confirmation`) waits behind no visitor. A
 * `proven` lane requires a proof of work.
 */
export type HashingLane = "known" | "confirmation" | "login" | "provenLogin" | "registration" | "provenRegistration";

export interface HashingOrder {
  readonly lane: HashingLane;
  /** The caller's account, device or network. The sources of one lane take turns. */
  readonly source: string;
}

export interface HashingQueues {
  run<Value>(order: HashingOrder, work: () => Promise<Value>): Promise<Result<Value, "too_many_requests">>;
  waitingCount(lane: HashingLane): number;
  /** How long the oldest of them has waited; 0 if there is none. */
  longestWaitMs(lane: HashingLane): number;
}

/** A hash takes 128 MiB and a thread; more in parallel would slow games down. */
const HASHES_AT_ONCE = 2;
/** Lanes of visitors without a proof: one at a time, and only if no hash is running. */
const UNPROVEN: ReadonlySet<HashingLane> = new Set(["login", "registration"]);
/** About six seconds of hashing: longer waits are of no use to a person. */
const WAITING_PER_LANE_MAX = 40;

/** The order in which lanes with work are served; each has a share that no other can take. */
const TURNS: readonly HashingLane[] = [
  "known",
  "confirmation",
  "provenLogin",
  "login",
  "known",
  "provenRegistration",
  "confirmation",
  "provenLogin",
  "registration",
];

interface Job {
  readonly queuedMs: number;
  start(): void;
  refuse(): void;
}

export function makeHashingQueues(nowMs: () => number = () => performance.now()): HashingQueues {
  const lanes = new Map<HashingLane, FairQueue<Job>>(TURNS.map((lane) => [lane, makeFairQueue(WAITING_PER_LANE_MAX)]));
  /** By lane, oldest first. */
  const waiting = new Map<HashingLane, Set<Job>>(TURNS.map((lane) => [lane, new Set()]));
  let running = 0;
  let turn = 0;

  function takeNext(): Job | undefined {
    for (let step = 0; step < TURNS.length; step += 1) {
      const lane = TURNS[(turn + step) % TURNS.length]!;
      const job = UNPROVEN.has(lane) && running > 0 ? undefined : lanes.get(lane)!.take();
      if (job === undefined) continue;
      waiting.get(lane)!.delete(job);
      turn = (turn + step + 1) % TURNS.length;
      return job;
    }
    return undefined;
  }

  function startWaiting(): void {
    while (running < HASHES_AT_ONCE) {
      const job = takeNext();
      if (job === undefined) return;
      running += 1;
      job.start();
    }
  }

  async function work<Value>(run: () => Promise<Value>): Promise<Value> {
    try {
      return await run();
    } finally {
      running -= 1;
      startWaiting();
    }
  }

  return {
    run: ({ lane, source }, run) =>
      new Promise((resolve, reject) => {
        const job: Job = {
          queuedMs: nowMs(),
          start: () => void work(run).then((value) => resolve(ok(value)), reject),
          refuse: () => resolve(refuse("too_many_requests")),
        };
        const dropped = lanes.get(lane)!.add(source, job);
        waiting.get(lane)!.add(job);
        if (dropped !== null) {
          waiting.get(lane)!.delete(dropped);
          dropped.refuse();
        }
        startWaiting();
      }),
    waitingCount: (lane) => lanes.get(lane)!.size(),
    longestWaitMs(lane) {
      const oldest = waiting.get(lane)!.values().next();
      return oldest.done === true ? 0 : nowMs() - oldest.value.queuedMs;
    },
  };
}
