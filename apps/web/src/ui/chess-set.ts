import { loadPart } from "../lib/part.ts";

let loading: Promise<void> | null = null;

/**
 * Puts the symbols of the chess pieces (`#king-1` ... `#pawn-2`, named by kind and seat) into the page, once. They are 13 kB, so only pages
 * that show a chess board ask for them; an element that refers to a symbol is drawn as soon as it is there.
 */
export function loadChessSet(): Promise<void> {
  loading ??= loadPart(() => import("./chess-set.svg?raw")).then((symbols) => {
    document.body.insertAdjacentHTML("afterbegin", symbols.default);
  });
  return loading;
}
