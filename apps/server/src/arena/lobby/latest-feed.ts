import type { Time } from "../../platform/time/time.ts";
import type { TimerWheel } from "../../platform/time/timer-wheel.ts";
import type { FeedWatcher, SharedFrame } from "./feed-watcher.ts";
import type { PacedDelivery } from "./paced-delivery.ts";

export interface LatestFeed {
  watch(watcher: FeedWatcher): void;
  unwatch(watcher: FeedWatcher): void;
  changed(): void;
}

export interface LatestFeedDeps {
  readonly time: Pick<Time, "monotonicMs">;
  readonly wheel: Pick<TimerWheel, "schedule">;
  readonly delivery: PacedDelivery;
  readonly tickMs: number;
  /** Called before the frames of one tick are requested. */
  readonly update: () => void;
  readonly toFrame: (watcher: FeedWatcher) => SharedFrame;
}

export function openLatestFeed({ time, wheel, delivery, tickMs, update, toFrame }: LatestFeedDeps): LatestFeed {
  const sent = new Map<FeedWatcher, string>();
  let isDue = false;

  function changed(): void {
    if (isDue) return;
    isDue = true;
    wheel.schedule(time.monotonicMs() + tickMs, tick);
  }

  function tick(): void {
    isDue = false;
    if (delivery.isBusy) return changed();
    update();
    delivery.add([...sent.keys()], send);
  }

  function send(watcher: FeedWatcher): void {
    const before = sent.get(watcher);
    const frame = toFrame(watcher);
    if (before === undefined || before === frame.text) return;
    // The newest value follows once the watcher has read.
    if (watcher.isBehind()) return changed();
    sent.set(watcher, frame.text);
    watcher.sendShared(frame);
  }

  return {
    watch(watcher) {
      const frame = toFrame(watcher);
      sent.set(watcher, frame.text);
      watcher.sendShared(frame);
    },
    unwatch: (watcher) => void sent.delete(watcher),
    changed,
  };
}
