import { assert } from "@holo/kernel/assert.ts";

export interface Task {
  readonly startMs: number;
  readonly wallMs: number;
  /** The thread's CPU time. It includes artificial throttling. */
  readonly cpuMs: number;
}

interface TraceEvent {
  readonly name: string;
  readonly cat: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
}

/** The categories of tasks and of `performance.mark`. */
export const TRACE_CATEGORIES = ["toplevel", "blink.user_timing"] as const;

const TASK = "ThreadControllerImpl::RunTask";
const MARKS = "blink.user_timing";

/**
 * The tasks between both marks, by time, on the thread that set them; with `includes` also the task
 * that sets the first. Throws if a mark or a task is missing. `trace` is Chromium's trace as JSON.
 */
export function readTasks(trace: string, beginMark: string, endMark: string, includes?: "begin"): readonly Task[] {
  const { traceEvents } = JSON.parse(trace) as { readonly traceEvents: readonly TraceEvent[] };
  const begin = findMark(traceEvents, beginMark);
  const end = findMark(traceEvents, endMark);
  const isBegun = (ts: number, dur: number) => (includes === "begin" ? ts + dur : ts) >= begin.ts;
  const tasks = traceEvents
    .filter(({ name, pid, tid }) => name === TASK && pid === begin.pid && tid === begin.tid)
    .filter(({ ts, dur }) => dur !== undefined && isBegun(ts, dur) && ts + dur <= end.ts)
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
