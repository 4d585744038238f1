import { readdirSync, readFileSync } from "node:fs";

/** Of a core; a thread that used less in the warm-up delays nothing. */
const SHARE_MIN = 0.03;
/** Of the time between two readings; above it the thread had a core. */
const BUSY_SHARE = 0.25;
const READ_EVERY_MS = 10;
/** What waited for the core needs this long to catch up. */
const AFTER_MS = 20;
const KERNEL_THREADS = 2;

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

interface KernelLoad {
  /** Call after the warm-up: from now on notes when the busiest threads run. */
  watch(): void;
  /** Whether no kernel thread had a core from `fromMs` to `toMs` (`performance.now()`). */
  isQuiet(fromMs: number, toMs: number): boolean;
  stop(): void;
}

/**
 * A virtual machine's kernel may scan its memory (`kdamond`) for 100 ms at a time on a core of the
 * servers. Such delays say nothing about the programs that are compared.
 */
export function openKernelLoad(): KernelLoad {
  const openedMs = performance.now();
  const atFirst = readThreads(listKernelThreads());
  const spans: Span[] = [];
  let timer: NodeJS.Timeout | undefined;

  function watch(): void {
    const elapsedMs = performance.now() - openedMs;
    const busy = [...readThreads([...atFirst.keys()])]
      .filter(([id, ms]) => ms - (atFirst.get(id) ?? 0) > SHARE_MIN * elapsedMs)
      .map(([id]) => id);
    if (busy.length === 0) return;
    let before = readThreads(busy);
    let readMs = performance.now();
    timer = setInterval(() => {
      const now = readThreads(busy);
      const nowMs = performance.now();
      const usedMs = Math.max(...[...now].map(([id, ms]) => ms - (before.get(id) ?? ms)));
      if (usedMs > BUSY_SHARE * (nowMs - readMs)) spans.push({ fromMs: readMs, toMs: nowMs + AFTER_MS });
      [before, readMs] = [now, nowMs];
    }, READ_EVERY_MS);
  }

  return {
    watch,
    isQuiet: (fromMs, toMs) => !spans.some((span) => span.fromMs < toMs && fromMs < span.toMs),
    stop: () => clearInterval(timer),
  };
}

function listKernelThreads(): readonly string[] {
  return readdirSync("/proc").filter((id) => /^\d+$/.test(id) && readParent(id) === KERNEL_THREADS);
}

function readParent(id: string): number {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return 0;
  }
}

/** CPU time of each thread in ms. */
function readThreads(ids: readonly string[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const id of ids) {
    try {
      times.set(id, Number(readFileSync(`/proc/${id}/schedstat`, "utf8").split(" ")[0]) / 1e6);
    } catch {
      // It ended meanwhile.
    }
  }
  return times;
}
