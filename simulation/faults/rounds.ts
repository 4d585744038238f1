import { wallMs } from "../../apps/server/src/platform/runtime.ts";
import type { FaultRecord } from "../judge/evidence.ts";

interface Rounds<Fault> {
  /** Resolves when the next one is due; null: that was the last one. */
  next(): Promise<Fault | null>;
  /** Until all servers are back. */
  inject(fault: Fault): Promise<void>;
  readonly record: FaultRecord;
  survived?(fault: Fault): Promise<void>;
}

/** Faults one after the other, of a campaign and of virtual runs. */
export async function runRounds<Fault>({ next, inject, record, survived }: Rounds<Fault>): Promise<void> {
  for (let fault = await next(); fault !== null; fault = await next()) {
    const span = { fromMs: wallMs(), toMs: Number.POSITIVE_INFINITY };
    record.disturbances.push(span);
    await inject(fault);
    span.toMs = wallMs();
    await survived?.(fault);
  }
}
