import { ok, type Result, refuse } from "@holo/kernel/result.ts";

/**
 * The queues for password hashes. A player who has logged in from this device before (`known`) or
 * has a session (`confirmation`) waits behind no stranger. A `proven` lane
 * requires a proof of work (`proof-of-work.ts`).
 */
export type HashingLane = "known" | "confirmation" | "login" | "provenLogin" | "registration" | "provenRegistration";

export interface HashingOrder {
  readonly lane: HashingLane;
  /** The caller's account, device or network. The sources of one lane take turns. */
  readonly source: string;
}

export interface HashingQueues {
  /** Runs `work`, which computes one hash, in its turn. Refuses when the lane is full. */
  run<Value>(order: HashingOrder, work: () => Promise<Value>): Promise<Result<Value, "too_many_requests">>;
  /** Jobs of the lane that have not started. */
  waitingCount(lane: HashingLane): number;
}

/** A hash takes 128 MiB and a thread; more at once would take them from games. */
const HASHES_AT_ONCE = 2;
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
  start(): void;
  refuse(): void;
}

export function makeHashingQueues(): HashingQueues {
  const lanes = new Map<HashingLane, FairQueue>(TURNS.map((lane) => [lane, makeFairQueue()]));
  let running = 0;
  let turn = 0;

  function takeNext(): Job | undefined {
    for (let step = 0; step < TURNS.length; step += 1) {
      const job = lanes.get(TURNS[(turn + step) % TURNS.length]!)!.take();
      if (job === undefined) continue;
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
          start: () => void work(run).then((value) => resolve(ok(value)), reject),
          refuse: () => resolve(refuse("too_many_requests")),
        };
        lanes.get(lane)!.add(source, job)?.refuse();
        startWaiting();
      }),
    waitingCount: (lane) => lanes.get(lane)!.size(),
  };
}

interface FairQueue {
  /** Returns the job that gives way when the queue is full: the newest of the longest source. */
  add(source: string, job: Job): Job | null;
  /** The next job: sources take turns. */
  take(): Job | undefined;
  size(): number;
}

function makeFairQueue(): FairQueue {
  /** In the order of their next turn. */
  const sources = new Map<string, Job[]>();
  let size = 0;

  function dropNewestOfLongest(): Job {
    let [longest, jobs]: [string, Job[]] = ["", []];
    for (const [source, waiting] of sources) if (waiting.length >= jobs.length) [longest, jobs] = [source, waiting];
    const dropped = jobs.pop()!;
    if (jobs.length === 0) sources.delete(longest);
    size -= 1;
    return dropped;
  }

  return {
    add(source, job) {
      const waiting = sources.get(source);
      if (waiting === undefined) sources.set(source, [job]);
      else waiting.push(job);
      size += 1;
      return size > WAITING_PER_LANE_MAX ? dropNewestOfLongest() : null;
    },
    take() {
      const next = sources.entries().next();
      if (next.done === true) return undefined;
      const [source, jobs] = next.value;
      const job = jobs.shift();
      sources.delete(source);
      if (jobs.length > 0) sources.set(source, jobs);
      size -= 1;
      return job;
    },
    size: () => size,
  };
}
