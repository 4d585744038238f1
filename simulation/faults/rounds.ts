import { wallMs } from "../../apps/server/src/platform/runtime.ts";
import type { Span } from "../judge/evidence.ts";

interface Rounds<Fault> {
  /** Resolves when the next one is due; null: that was the last one. */
  next(): Promise<Fault | null>;
  /** Until all servers are back. */
  inject(fault: Fault): Promise<void>;
  /** What the judge is told: pushes may have been late. */
  readonly disturbances: Span[];
  survived?(fault: Fault): Promise<void>;
}

/** Faults one after the other, of a campaign and of virtual runs. */
export async function runRounds<Fault>({ next, inject, disturbances, survived }: Rounds<Fault>): Promise<void> {
  for (let fault = await next(); fault !== null; fault = await next()) {
    const span = { fromMs: wallMs(), toMs: Number.POSITIVE_INFINITY };
    disturbances.push(span);
    await inject(fault);
    span.toMs = wallMs();
    await survived?.(fault);
  }
}
