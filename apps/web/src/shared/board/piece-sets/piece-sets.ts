import type { GameType } from "@holo/rules/rules.ts";
import { useEffect } from "react";
import { fetchChunk, loadChunk } from "../../../lib/chunks/load-chunk.ts";

interface PieceSet {
  readonly default: string;
}

/** The drawings of each game with figures: symbols such as `#king-1`. Discs are in every page. */
const SETS = import.meta.glob<PieceSet>("./*-set.svg", { query: "?raw" });
const loading = new Map<GameType, Promise<void>>();

function findSet(game: GameType): (() => Promise<PieceSet>) | undefined {
  return SETS[`./${game}-set.svg`];
}

/** Compressed a set is 1 kB, so a page fetches all before it knows its game. */
export function prefetchPieceSets(): void {
  // Nothing needs them yet; `loadPieceSet` tries again.
  for (const load of Object.values(SETS)) fetchChunk(load).catch(() => undefined);
}

/** Adds the drawings to the page, once. They are 13 kB, so only such boards load them. */
export function usePieceSet(game: GameType): void {
  useEffect(() => void loadPieceSet(game), [game]);
}

function loadPieceSet(game: GameType): Promise<void> {
  const load = findSet(game);
  if (load === undefined) return Promise.resolve();
  const loaded =
    loading.get(game) ??
    loadChunk(load).then((symbols) => {
      document.body.insertAdjacentHTML("afterbegin", symbols.default);
    });
  loading.set(game, loaded);
  return loaded;
}
