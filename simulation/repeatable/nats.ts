import type { Carrier } from "../../apps/server/src/platform/servers/nats.ts";
import type { Process, Scheduler } from "./scheduler.ts";

/** In place of NATS: messages between virtual servers, in order for each pair. */
export interface VirtualNats {
  openCarrier(process: Process): Carrier;
  /** Until it is healed, the process has no NATS, and both directions are lost. */
  cut(process: Process, ms: number): void;
}

const LATENCY_MS_MAX = 2;

interface Connected extends Carrier {
  readonly process: Process;
  readonly receivers: Map<string, (text: string) => void>;
}

export function openVirtualNats(scheduler: Scheduler): VirtualNats {
  const carriers = new Set<Connected>();
  const cutUntilMs = new Map<Process, number>();
  const newestMs = new Map<string, number>();
  const isCut = (process: Process): boolean => (cutUntilMs.get(process) ?? 0) > scheduler.nowMs();

  function deliver(from: Process, to: Connected, subject: string, text: string): void {
    const pair = `${from.name} ${to.process.name}`;
    const nowMs = scheduler.nowMs();
    const dueMs = Math.max(newestMs.get(pair) ?? 0, nowMs + scheduler.random(LATENCY_MS_MAX * 1_000) / 1_000);
    newestMs.set(pair, dueMs);
    const arrive = (): void => {
      if (!isCut(to.process)) to.receivers.get(subject)?.(text);
    };
    scheduler.schedule(dueMs - nowMs, arrive, to.process);
  }

  return {
    openCarrier(process) {
      const receivers = new Map<string, (text: string) => void>();
      const carrier: Connected = {
        process,
        receivers,
        get isConnected() {
          return !isCut(process);
        },
        publish(subject, text) {
          if (isCut(process)) return;
          for (const to of carriers)
            if (to !== carrier && to.receivers.has(subject)) deliver(process, to, subject, text);
        },
        subscribe(subject, receive) {
          receivers.set(subject, receive);
          return () => void receivers.delete(subject);
        },
        async close() {
          carriers.delete(carrier);
        },
      };
      carriers.add(carrier);
      return carrier;
    },
    cut: (process, ms) => void cutUntilMs.set(process, scheduler.nowMs() + ms),
  };
}
