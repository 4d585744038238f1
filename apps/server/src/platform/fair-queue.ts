/** A bounded queue in which sources take turns, so that none delays the others. */
export interface FairQueue<Job> {
  /** Returns the job that gives way when the queue is full: the newest of the longest source. */
  add(source: string, job: Job): Job | null;
  take(): Job | undefined;
  size(): number;
}

export function makeFairQueue<Job>(waitingMax: number): FairQueue<Job> {
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
      return size > waitingMax ? dropNewestOfLongest() : null;
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
