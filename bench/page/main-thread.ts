import { assert } from "@holo/kernel/assert.ts";

/** One task of a page's main thread: nothing else happens on the page while it runs. */
export interface Task {
  readonly startMs: number;
  readonly wallMs: number;
  /** Of it the thread's own, without what other processes took meanwhile. A slowed CPU's waiting is in it. */
  readonly cpuMs: number;
}

/** What Chromium writes of each event, as far as it matters here; times in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly cat: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
}

/** The category that holds every task of every thread, and the one that holds a page's `performance.mark`. */
export const TRACE_CATEGORIES = ["toplevel", "blink.user_timing"] as const;

const TASK = "ThreadControllerImpl::RunTask";
const MARKS = "blink.user_timing";

/**
 * The tasks of the main thread that set both marks, from the first to the second, in order of time. Throws where a mark is missing or no
 * task lies between them, for then nothing was measured.
 * @param trace what Chromium's tracing gave, as JSON
 */
export function readTasks(trace: string, beginMark: string, endMark: string): readonly Task[] {
  const { traceEvents } = JSON.parse(trace) as { readonly traceEvents: readonly TraceEvent[] };
  const begin = findMark(traceEvents, beginMark);
  const end = findMark(traceEvents, endMark);
  const tasks = traceEvents
    .filter(({ name, pid, tid }) => name === TASK && pid === begin.pid && tid === begin.tid)
    .filter(({ ts, dur }) => dur !== undefined && ts >= begin.ts && ts + dur <= end.ts)
    .map(({ ts, dur = 0, tdur = dur }) => ({
      startMs: (ts - begin.ts) / 1_000,
      wallMs: dur / 1_000,
      cpuMs: tdur / 1_000,
    }))
    .sort((a, b) => a.startMs - b.startMs);
  assert(tasks.length > 0, "a page in use has tasks");
  return tasks;
}

function findMark(events: readonly TraceEvent[], mark: string): TraceEvent {
  const found = events.find(({ name, cat }) => name === mark && cat.includes(MARKS));
  assert(found !== undefined, `the trace holds the mark ${mark}`);
  return found;
}
