import { loadChunk } from "../../../lib/chunks/load-chunk.ts";

let loading: Promise<void> | null = null;

/**
 * Adds the symbols of the chess pieces (`#king-1` to `#pawn-2`) to the page, once. They are 13 kB,
 * so only pages with a chess board load them.
 */
export function loadChessSet(): Promise<void> {
  loading ??= loadChunk(() => import("./chess-set.svg?raw")).then((symbols) => {
    document.body.insertAdjacentHTML("afterbegin", symbols.default);
  });
  return loading;
}
