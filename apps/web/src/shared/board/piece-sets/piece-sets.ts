import type { GameType } from "@holo/rules/rules.ts";
import { useEffect } from "react";
import { fetchChunk, loadChunk } from "../../../lib/chunks/load-chunk.ts";
import { currentBoardSettings, type PieceSet, useBoardSettings } from "../settings/board-settings.ts";

interface Drawings {
  readonly default: string;
}

/** The classic figures: symbols such as `#king-1`. Classic discs are in the page itself. */
const FIGURES = import.meta.glob<Drawings>(["./*-classic.svg", "!./checkers-classic.svg"], { query: "?raw" });
const loading = new Map<GameType, Promise<void>>();
/** Until another set is chosen, the page has the classic ones alone. */
let areClassic = true;

/** Compressed a set is 1 kB, so a page fetches those of all games before it knows its own. */
export function prefetchPieceSets(): void {
  const isClassic = currentBoardSettings().pieces === "classic";
  // Nothing needs them yet; `drawPieceSet` tries again.
  const loads = isClassic ? Object.values(FIGURES) : [loadChosenSet];
  for (const load of loads) fetchChunk<unknown>(load).catch(() => undefined);
}

/** Puts the drawings of the chosen set into the page, once for all of its boards. */
export function usePieceSet(game: GameType): void {
  const { pieces } = useBoardSettings();
  useEffect(() => void drawPieceSet(game, pieces), [game, pieces]);
}

async function drawPieceSet(game: GameType, set: PieceSet): Promise<void> {
  areClassic &&= set === "classic";
  if (areClassic) return await loadClassic(game);
  const { drawChosenSet } = await loadChunk(loadChosenSet);
  drawChosenSet(game, set);
}

async function loadChosenSet() {
  return await import("./chosen-set.ts");
}

function loadClassic(game: GameType): Promise<void> {
  const load = FIGURES[`./${game}-classic.svg`];
  if (load === undefined) return Promise.resolve();
  const loaded =
    loading.get(game) ??
    loadChunk(load).then((symbols) => {
      document.body.insertAdjacentHTML("afterbegin", symbols.default);
    });
  loading.set(game, loaded);
  return loaded;
}
