import { FeedTick, type FeedTickDeps } from "./feed-tick.ts";
import type { FeedWatcher, SharedFrame } from "./feed-watcher.ts";

interface LatestFeed {
  watch(watcher: FeedWatcher): void;
  unwatch(watcher: FeedWatcher): void;
  changed(): void;
}

export interface LatestFeedDeps extends FeedTickDeps {
  /** Called before the frames of one tick are requested. */
  readonly update: () => void;
  readonly makeFrame: (watcher: FeedWatcher) => SharedFrame;
}

export function openLatestFeed({ update, makeFrame, ...tickDeps }: LatestFeedDeps): LatestFeed {
  const sent = new Map<FeedWatcher, string>();
  const tick = new FeedTick(tickDeps, () => {
    update();
    tickDeps.delivery.add([...sent.keys()], send);
  });

  function send(watcher: FeedWatcher): void {
    const before = sent.get(watcher);
    const frame = makeFrame(watcher);
    if (before === undefined || before === frame.text) return;
    // The newest value follows once the watcher has read.
    if (watcher.isBehind()) return tick.schedule();
    sent.set(watcher, frame.text);
    watcher.sendShared(frame);
  }

  return {
    watch(watcher) {
      const frame = makeFrame(watcher);
      sent.set(watcher, frame.text);
      watcher.sendShared(frame);
    },
    unwatch: (watcher) => void sent.delete(watcher),
    changed: () => tick.schedule(),
  };
}
