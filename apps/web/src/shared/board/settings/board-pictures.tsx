import { gameOf } from "@holo/rules/registry.ts";
import type { GameType } from "@holo/rules/rules.ts";
import { useEffect, useRef } from "react";
import { loadSet } from "../piece-sets/chosen-set.ts";
import type { BoardTheme, PieceSet } from "./board-settings.ts";

/** A light and a heavy piece, so that the style of a set shows. */
const PIECES = { discs: ["disc-1", "crowned-2"], figures: ["knight-1", "queen-2"] } as const;

/** Four squares in a board's colours, with pieces of the chosen set. */
export function BoardSwatch({ theme, game }: { readonly theme: BoardTheme; readonly game: GameType }) {
  return (
    <svg viewBox="0 0 2 2" data-board={theme} aria-hidden="true" focusable="false">
      <Squares />
      {PIECES[gameOf(game).look].map((piece, at) => (
        <use
          key={piece}
          href={`#${piece}`}
          x={at === 0 ? 1.04 : 0.04}
          y={at === 0 ? 0.04 : 1.04}
          width=".92"
          height=".92"
        />
      ))}
    </svg>
  );
}

/** Two pieces of a set, in the colours of the chosen board. */
export function SetSwatch({ set, game }: { readonly set: PieceSet; readonly game: GameType }) {
  const pieces = useRef<SVGGElement>(null);
  useEffect(() => {
    let isShown = true;
    async function draw(): Promise<void> {
      const drawings = await loadSet(game, set);
      if (isShown)
        pieces.current?.replaceChildren(...PIECES[gameOf(game).look].flatMap((id, at) => toArt(drawings, id, at)));
    }
    // The name beside it says which set it is.
    draw().catch(() => undefined);
    return () => {
      isShown = false;
    };
  }, [game, set]);
  return (
    <svg viewBox="0 0 2 2" aria-hidden="true" focusable="false">
      <Squares />
      <g ref={pieces} />
    </svg>
  );
}

function Squares() {
  return (
    <>
      <path d="M0 0h2v2h-2z" fill="var(--sq-light)" />
      <path d="M1 0h1v1h-1zM0 1h1v1h-1z" fill="var(--sq-dark)" />
    </>
  );
}

/** A symbol as a picture of its own: the page may have another one of the same name. */
function toArt(content: DocumentFragment, id: string, at: number): readonly SVGElement[] {
  const symbol = content.getElementById(id);
  if (symbol === null) return [];
  const art = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const place = { x: at === 0 ? "1.04" : ".04", y: at === 0 ? ".04" : "1.04", width: ".92", height: ".92" };
  for (const [name, value] of Object.entries(place)) art.setAttribute(name, value);
  art.setAttribute("viewBox", symbol.getAttribute("viewBox") ?? "0 0 100 100");
  art.append(...symbol.childNodes);
  return [art];
}
