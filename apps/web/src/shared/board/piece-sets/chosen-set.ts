import type { GameType } from "@holo/rules/rules.ts";
import { loadChunk } from "../../../lib/chunks/load-chunk.ts";
import type { PieceSet } from "../settings/board-settings.ts";

/** The drawings of each game and set: the same symbols in every set. */
const SETS = import.meta.glob<{ readonly default: string }>("./*.svg", { query: "?raw" });
/** The sets whose symbols are in the page or on their way. */
const drawn = new Map<GameType, PieceSet>();

export function drawChosenSet(game: GameType, set: PieceSet): void {
  if (drawn.get(game) === set) return;
  drawn.set(game, set);
  loadSet(game, set).then(
    (drawings) => {
      // Another one may have been chosen meanwhile.
      if (drawn.get(game) === set) replaceSymbols(drawings);
    },
    () => drawn.delete(game),
  );
}

/** The symbols of a set apart from those in the page. */
export async function loadSet(game: GameType, set: PieceSet): Promise<DocumentFragment> {
  const load = SETS[`./${game}-${set}.svg`];
  const template = document.createElement("template");
  if (load !== undefined) template.innerHTML = (await loadChunk(load)).default;
  return template.content;
}

/** They replace those of the set before, so that everything drawn with them follows. */
function replaceSymbols(drawings: DocumentFragment): void {
  for (const symbol of drawings.querySelectorAll("symbol")) document.getElementById(symbol.id)?.replaceWith(symbol);
  document.body.prepend(drawings);
}
