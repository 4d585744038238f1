import { type ComponentType, createElement, lazy, useState } from "react";
import { fetchChunk, loadChunk } from "./load-chunk.ts";

interface Loaded<Props> {
  readonly default: ComponentType<Props>;
}

interface Prefetchable {
  /**
   * Fetches the chunk before it is shown. Resolves in any case. A failure here never reloads the
   * page; showing the component tries again.
   */
  readonly prefetch: () => Promise<void>;
  readonly isLoaded: () => boolean;
}

export type LazyChunk<Props> = ComponentType<Props> & Prefetchable;

const idlePrefetched: Prefetchable[] = [];

/**
 * A `lazyChunk` that the page may need next, such as a dialog. It is fetched as soon as the page is
 * idle.
 */
export function idlePrefetchedChunk<Props extends object>(load: () => Promise<Loaded<Props>>): LazyChunk<Props> {
  const chunk = lazyChunk(load);
  idlePrefetched.push(chunk);
  return chunk;
}

export function listUnfetched(): readonly Prefetchable[] {
  return idlePrefetched.filter((chunk) => !chunk.isLoaded());
}

/**
 * A component fetched when it is shown. A loaded one renders with its surroundings: React waits 300
 * ms before it replaces a fallback. `isPrecached`: the service worker keeps it.
 */
export function lazyChunk<Props extends object>(
  load: () => Promise<Loaded<Props>>,
  isPrecached = false,
): LazyChunk<Props> {
  let loaded: ComponentType<Props> | null = null;
  let prefetching: Promise<void> | null = null;
  let lazyComponent: ComponentType<Props> | null = null;
  let hasFailed = false;

  async function fetchQuietly(): Promise<void> {
    try {
      loaded = (await fetchChunk(load)).default;
    } catch {
      // It may never be needed, so nothing is reported.
      prefetching = null;
    }
  }

  async function loadNow(): Promise<Loaded<Props>> {
    await prefetching;
    if (loaded !== null) return { default: loaded };
    try {
      const chunk = await loadChunk(load, { isPrecached });
      loaded = chunk.default;
      return chunk;
    } catch (fault) {
      hasFailed = true;
      throw fault;
    }
  }

  function makeLazyComponent(): ComponentType<Props> {
    lazyComponent ??= lazy(loadNow);
    return lazyComponent;
  }

  function Chunk(props: Props) {
    const [shown] = useState<ComponentType<Props>>(() => loaded ?? makeLazyComponent());
    return createElement(shown, props);
  }
  return Object.assign(Chunk, {
    prefetch() {
      if (hasFailed) lazyComponent = null;
      hasFailed = false;
      prefetching ??= fetchQuietly();
      return prefetching;
    },
    isLoaded: () => loaded !== null,
  });
}
