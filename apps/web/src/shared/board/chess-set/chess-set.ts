import { fetchChunk, loadChunk } from "../../../lib/chunks/load-chunk.ts";

const importSymbols = () => import("./chess-set.svg?raw");
let loading: Promise<void> | null = null;

/** Compressed it is 1 kB, so a page fetches it before it knows whether its game is chess. */
export function prefetchChessSet(): void {
  // Nothing needs it yet; `loadChessSet` tries again.
  fetchChunk(importSymbols).catch(() => undefined);
}

/**
 * Adds the symbols of the chess pieces (`#king-1` to `#pawn-2`) to the page, once. They are 13 kB,
 * so only pages with a chess board load them.
 */
export function loadChessSet(): Promise<void> {
  loading ??= loadChunk(importSymbols).then((symbols) => {
    document.body.insertAdjacentHTML("afterbegin", symbols.default);
  });
  return loading;
}
